"""The doctor's look at who approved what on the protected branches, when a signature is asked for.

Keeps how far each branch was found in order, so that the next look starts there. Must not judge
what is on other branches: nothing there counts as approved.
"""

from __future__ import annotations

from memtools.core.protected import is_protected
from memtools.core.wording import say
from memtools.git.refs import branch_tips, is_ancestor
from memtools.usecases.checking.authority import unsigned_on_line
from memtools.usecases.diagnosing.patient import Check, named
from memtools.usecases.keeping import read_checked, write_checked
from memtools.usecases.state import AUDITED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from memtools.core.problem import Problem
    from memtools.usecases.diagnosing.patient import Patient


def approvals_signed(patient: Patient) -> Iterator[Check]:
    """What stands on a protected branch although no listed person signed it."""
    repository, rules = patient.repository, patient.settings.config.approval
    git = repository.git
    kept = _read(repository.state_dir)
    if not rules.allowed_signers and not kept:
        yield Check("approvals-signed", True, say("approvals need no signature here"))
        return
    known = dict(kept)
    found: dict[tuple[str, str], Problem] = {}
    for ref, tip in branch_tips(git).items():
        if not (ref in kept or is_protected(ref, rules.protected)):
            continue
        since = kept.get(ref, "")
        if since and not is_ancestor(git, since, tip):  # the branch was written anew
            since = ""
        unsigned = unsigned_on_line(git, tip, since)
        found.update(((one.path, str(one.message)), one) for one in unsigned)
        if not unsigned:
            known[ref] = tip
    if known != kept:
        write_checked(repository.state_dir, AUDITED, known)
    if found:
        told = named(f"{one.path} ({one.message})" for one in found.values())
        hint = next(iter(found.values())).hint
        yield Check("approvals-signed", False, say("not approved: {what}", what=told), hint)
    else:
        yield Check("approvals-signed", True, say("listed persons signed what was approved"))


def _read(folder: str) -> dict[str, str]:
    return read_checked(folder, AUDITED, {str: str}) or {}
