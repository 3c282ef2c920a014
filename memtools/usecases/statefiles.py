"""All that may stand under `<git dir>/memtools/`, by name, and what of it can be made again.

Beside these only ref-…/ for each approved ref, with the same in it (`repository.py`). No hook needs
this table. Must not know what the files hold.
"""

from __future__ import annotations

from memtools.usecases.bundles import BACKUPS
from memtools.usecases.state import (
    AUDITED,
    CHECKED,
    JOURNAL,
    LEDGER,
    LOST,
    NOTED,
    PLANS,
    QUIET,
    RECEIVED,
    STAGED_VIEW,
    UNATTENDED,
)

# The folder of an erasure under way, and in it the note of what it is for (in the common git dir).
ERASURE, PENDING = "erase", "pending"
RECORD = "installed"  # what `init` and `connect` wrote (in the common git dir)
# Made again by the next who needs it.
DERIVED = (LEDGER, QUIET, NOTED, STAGED_VIEW, CHECKED, AUDITED, RECEIVED)
DERIVED_FOLDERS = ("search", "activation")
# Each begins with a sum of the rest; nobody makes it again.
SUMMED = (JOURNAL, LOST, PLANS, UNATTENDED)
FILES = (
    *("journal-lock", "commit-lock", "backup-lock", "daily-lock"),
    *(*DERIVED, *SUMMED, RECORD),
)
FOLDERS = (*DERIVED_FOLDERS, "log", "sessions", BACKUPS)
