"""The findings of the screens as problems of a memory, for who reads a change before it is merged.

Must not know which lines are new. Secrets and personal data are in `screen_secrets`.
"""

from __future__ import annotations

from memtools.core.problem import Problem, problem
from memtools.core.screen import screen
from memtools.core.wording import say

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memtools.core.memory import Memory
    from memtools.core.screen import Finding

_KINDS = frozenset({"hidden", "mixed-script", "comment", "instruction"})


def find_unseen_and_orders(memory: Memory) -> list[Problem]:
    """Unseen characters, mixed scripts, comments and orders to an assistant in header and body."""
    found = []
    for text, first in ((memory.header_text, memory.header_line), (memory.body, memory.body_line)):
        for finding in screen(text, _KINDS):
            one = _problem(memory.path, first - 1 + finding.line, finding)
            found += [one] if one is not None else []
    return found


def _problem(path: str, line: int, finding: Finding) -> Problem | None:
    name = finding.name
    if finding.kind == "hidden":
        what = say("a character that cannot be seen stands in this line ({kind})", kind=name)
        return problem(path, line, "hidden-character", what, say("type the line anew"))
    if finding.kind == "mixed-script":
        what = say("a word of this line mixes letters of two alphabets ({kind})", kind=name)
        return problem(path, line, "mixed-script", what, say("type the word anew"))
    if finding.kind == "comment":
        what = say("text stands here that the rendered page does not show ({kind})", kind=name)
        return problem(path, line, "hidden-comment", what, say("read it in the source"))
    if finding.kind == "instruction":
        what = say("this line reads like an order to an assistant ({kind})", kind=name)
        return problem(path, line, "instruction-like", what, say("a person should read it"))
    return None
