"""`memtools doctor`: the health check, and the mending of what can be mended."""

from __future__ import annotations

from memtools.core.wording import say
from memtools.entrypoints import text
from memtools.entrypoints.verb import FLAG, JSON, Option, Verb
from memtools.errors import DONE, FINDINGS
from memtools.usecases.diagnosing.doctor import Health, doctor
from memtools.usecases.repository import open_repository

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memtools.usecases.diagnosing.patient import Check


def run(fix: bool, as_json: bool) -> int:
    """Examine the repository; with `fix` mend first what can be mended."""
    health = doctor(open_repository(), fix=fix)
    if as_json:
        text.show_json(
            {
                "healthy": health.healthy,
                "checks": [check_values(check) for check in health.checks],
                "fixed": [str(line) for line in health.fixed],
            }
        )
    else:
        _show(health)
    return DONE if health.healthy else FINDINGS


def check_values(check: Check) -> dict[str, object]:
    """An answer as the JSON contract names it; JSON stays English."""
    return {**check._asdict(), "message": str(check.message), "hint": str(check.hint)}


def _show(health: Health) -> None:
    for line in health.fixed:
        text.result(say("fixed: {what}", what=line), "green")
    for check in health.checks:
        mark, colour = (say("ok"), "green") if check.ok else (say("ILL"), "red")
        text.result(say("{mark}  {id}: {message}", mark=mark, id=check.id, message=check.message))
        if check.hint:
            text.result(say("      hint: {hint}", hint=check.hint), "dim" if check.ok else colour)
    if health.healthy:
        text.result(say("healthy"), "green")
        return
    ill = [check for check in health.checks if not check.ok]
    text.result(say("not healthy: {count} of {all}", count=len(ill), all=len(health.checks)), "red")
    if any(check.fixable for check in ill):
        text.note(say("memtools doctor --fix mends what can be mended without you"))


DOCTOR = Verb(
    run,
    summary="Examine hooks, half-done states, markers, index and memories.",
    example="memtools doctor --fix",
    parameters=(
        Option(("--fix",), "Mend what can be mended without changing a memory.", FLAG),
        JSON,
    ),
    details="Ends with 1 when something is wrong; each line says what to type. --fix finishes what "
    "a killed run left, installs the hooks again, and makes ledger and search index anew.",
)
