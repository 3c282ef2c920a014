"""The settings file `init` writes where there is none: every setting named, none changed.

Must not touch one that is there.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

from memtools.config import SETTINGS_FILE
from memtools.files import write_whole
from memtools.usecases.installing.record import Part, Record, Step, digest

DEFAULT_SETTINGS = """\
# Settings of memtools; a change here is reviewed like a change of a memory.
# A line that is commented out shows the default; `memtools config` prints all that is in force.
# roots = ["."]              # folders that hold memories
# exclude = []               # globs: * in one folder, ** across folders
# read_ref = ""              # "origin/main": agents see only what was merged

# [stores]                   # a lesson is retracted in each store that holds it once
# notes = ["notes"]
# wisdom = ["wisdom"]

# [scopes]                   # the projects of a scope, by folder or remote
# alpha = ["~/code/alpha", "github.com/acme/alpha"]

# [retraction]
# min_columns = 10           # a shorter phrase is refused (wide characters count 2)
# merge_mode = "stop"        # "follow-up": after a merge, in a commit of its own

# [vocabulary.status]        # your words for candidate, active and retracted
"""


def plan_settings(notes: str) -> Part:
    """The step that writes it into the folder of the notes."""
    place = Path(notes, SETTINGS_FILE)
    if place.exists() or place.is_symlink():
        return Part(kept=(SETTINGS_FILE,))
    data = DEFAULT_SETTINGS.encode()
    step = Step(SETTINGS_FILE, partial(write_whole, str(place), data, 0o644))
    return Part((step,), record=Record(files=((SETTINGS_FILE, digest(data)),)))
