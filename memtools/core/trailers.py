"""The trailers of commits that memtools makes (docs/gate.md). Must not know git."""

from __future__ import annotations

PROPOSED = "Memtools-Proposed"  # BLOB PATH
APPROVED = "Memtools-Approved"  # BLOB PATH
REJECTED = "Memtools-Rejected"  # PATH RULE
GATE = "Memtools-Gate"  # DECISION RULE
BY_DAILY = "Memtools-By: daily"  # no person asked for this commit
