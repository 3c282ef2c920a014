"""The doctor's look at the files that hold a block of memories: AGENTS.md and the like, as in HEAD.

Must not know what stands in a block, nor write one.
"""

from __future__ import annotations

from memtools.core.wording import say
from memtools.usecases.checking.blocks import stale_blocks
from memtools.usecases.diagnosing.patient import Check, named

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from memtools.usecases.diagnosing.patient import Patient


def rendered_files(patient: Patient) -> Iterator[Check]:
    """Blocks that do not say what the memories of HEAD say."""
    git, activation = patient.repository.git, patient.settings.config.activation
    found = list(stale_blocks(git, patient.tree, patient.reader, activation))
    if not found:
        message = say("every block of memories says what the memories say")
        yield Check("rendered-files", True, message)
        return
    places = named(dict.fromkeys(f"{problem.path}:{problem.line}" for problem in found))
    message = say("blocks of memories are not what the memories say: {places}", places=places)
    yield Check("rendered-files", False, message, found[0].hint)
