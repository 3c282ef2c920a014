"""One candidate through the write gate: screened, compared with what stands, decided.

Must not store anything, nor print a word of a rejected candidate.
"""

from __future__ import annotations

from memtools.core.candidate import Provenance, candidate_bytes, unfit
from memtools.core.gate import (
    COSTS,
    SOURCES,
    Candidate,
    Circumstances,
    Proposer,
    Verdict,
    kind_of,
)
from memtools.core.gate_policy import decide
from memtools.core.memory import read_memory
from memtools.core.problem import Problem
from memtools.core.screen import Finding, screen
from memtools.core.vocabulary import Status
from memtools.core.wording import say
from memtools.errors import RefusedError, UsageError
from memtools.usecases.changing.declaring import NOWHERE
from memtools.usecases.changing.newfile import plain_text
from memtools.usecases.proposing.desk import Alike, find_alike, find_repeat, study_candidate
from memtools.usecases.proposing.pending import Pending, find_pending
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memtools.core.gate import Decision, Repeat
    from memtools.usecases.proposing.desk import Desk

_TITLE = 60  # characters of a first line that stand for a title


class Offer(NamedTuple):
    """What is handed in: a whole file, and what the proposing tool says of it.

    `place`: where an importer found it, with the id of its bytes in `imported_from`.
    """

    raw: bytes
    source: str
    title: str = ""
    confidence: float | None = None
    failure_cost: str = ""
    scope: str = ""
    place: str = ""
    imported_from: str = ""


class Judged(NamedTuple):
    """A candidate with its decision; `title` names its file, `cost` is the cost that counts.

    The line of a finding counts from 1 over what was handed in; 0: title, scope or place.
    """

    offer: Offer
    decision: Decision
    title: str
    cost: str
    findings: tuple[Finding, ...]
    alike: tuple[Alike, ...]
    pending: Pending | None
    proposer: Proposer


def judge(desk: Desk, offer: Offer, proposer: Proposer, *, with_lookalikes: bool = True) -> Judged:
    """Decide about one candidate; look-alikes are a hint that costs a search.

    Raises:
        UsageError: an option is wrong.
        RefusedError: the bytes cannot be a memory.
    """
    offer = _checked(offer)
    findings = _findings(offer)
    memory = read_memory("", offer.raw, desk.config.vocabulary)
    title = offer.title or memory.title or _first_line(memory.body)
    stated = offer.failure_cost or desk.config.gate.failure_cost
    cost = "high" if "high" in (stated, memory.failure_cost) else stated
    candidate = Candidate(
        title, memory.body, offer.source, offer.confidence, cost, offer.scope, str(memory.priority)
    )
    kinds = frozenset(kind_of(found) for found in findings)
    around = Circumstances(findings=kinds, proposer=proposer)
    decision = decide(candidate, desk.config.gate, around)
    if decision.decision is Verdict.REJECT:
        return Judged(offer, decision, title, cost, findings, (), None, proposer)
    active = stored_bytes(offer, NOWHERE, Provenance(offer.source, offer.confidence, cost), True)
    studied = study_candidate(desk, NOWHERE, active)
    pending = find_pending(desk.head, NOWHERE, active, proposer)
    repeat, score = find_repeat(desk, studied)
    around = around._replace(
        repeat=repeat,
        targets=len(pending.targets),
        loud=pending.loud,
        unclear=pending.unclear + sum(found.is_error for found in studied.problems),
    )
    decision = decide(candidate, desk.config.gate, around)
    found = find_alike(desk, title, studied) if with_lookalikes else ()
    alike = [one for one in found if one.path != _path(repeat)]
    if repeat is not None:
        alike.insert(0, Alike(repeat.path, score / 100, str(Status.RETRACTED)))
    return Judged(offer, decision, title, cost, findings, tuple(alike), pending, proposer)


def stored_bytes(offer: Offer, path: str, provenance: Provenance, is_active: bool) -> bytes:
    """The file a candidate is stored as.

    Raises:
        RefusedError: its header cannot be set for sure.
    """
    made = candidate_bytes(
        path, offer.raw, provenance, title=offer.title, scope=offer.scope, is_active=is_active
    )
    if isinstance(made, Problem):
        raise _refused(made)
    return made


def _path(repeat: Repeat | None) -> str:
    return repeat.path if repeat is not None else ""


def _checked(offer: Offer) -> Offer:
    if offer.source not in SOURCES:
        raise UsageError(
            say("{word} is no source", word=offer.source or '""'),
            say("type one of: {words}", words=", ".join(SOURCES)),
        )
    if offer.failure_cost not in ("", *COSTS):
        raise UsageError(
            say("{word} is no failure cost", word=offer.failure_cost),
            say("type one of: {words}", words=", ".join(COSTS)),
        )
    given = offer.confidence
    if given is not None and not 0 <= given <= 1:
        raise UsageError(say("a confidence is a number from 0 to 1"))
    fault = unfit(offer.raw)
    if fault is not None:
        raise _refused(fault)
    return offer._replace(title=plain_text(offer.title), scope=plain_text(offer.scope))


def _refused(fault: Problem) -> RefusedError:
    return RefusedError(fault.message, fault.hint)


def _findings(offer: Offer) -> tuple[Finding, ...]:
    """What the screens find in the text, and (line 0) in what is told of it."""
    told = screen(f"{offer.title}\n{offer.scope}\n{offer.place}")
    text = offer.raw.decode().removeprefix("\ufeff")
    found = (*(one._replace(line=0) for one in told), *screen(text))
    if offer.title and not any(one.is_certain for one in found):
        # A title may name what the first line is: a password, a telephone number.
        first = _first_line(read_memory("", offer.raw).body)
        found += screen(f"{offer.title}: {first}", frozenset({"secret", "personal"}))
    return tuple(dict.fromkeys(found))


def _first_line(body: str) -> str:
    """What a candidate without title or heading is called: its first words."""
    lines = (line for line in body.split("\n") if line.strip() and not line.startswith("RETRACTS:"))
    return next(lines, "memory").strip()[:_TITLE]
