"""Can the policy of the gate be relied on? A key nobody knows may be the one that guards.

Must not decide about a candidate.
"""

from __future__ import annotations

from memtools.core.wording import Said, say
from memtools.errors import RefusedError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from memtools.core.problem import Problem

_TABLES = ("gate", "approval")


def refuse_unsure_policy(problems: Iterable[Problem]) -> None:
    """Let nothing in by settings whose [gate] or [approval] says something that counts not.

    Raises:
        RefusedError: one of `problems` (of the settings file) is in these tables, is a key or table
            nobody knows, which may have been meant for them, or concerns the whole file.
    """
    fault = next((found for found in problems if _is_of_policy(found)), None)
    if fault is not None:
        raise RefusedError(
            say(
                "the policy cannot be relied on, nothing was changed: {path}:{line}: {fault}",
                path=fault.path,
                line=fault.line,
                fault=fault.message,
            ),
            say("mend that line and commit it; memtools config shows what is in force"),
        )


def _is_of_policy(fault: Problem) -> bool:
    """Is it about one of these tables, of no known table, or about the whole file (no name)?"""
    said = [one for one in (fault.message, fault.hint) if isinstance(one, Said)]
    names = [name for one in said if (name := str(one.values.get("name", "")))]
    if not names or (fault.rule == "config-unknown-key" and "." not in names[0]):
        return True
    return any(name.partition(".")[0] in _TABLES for name in names)
