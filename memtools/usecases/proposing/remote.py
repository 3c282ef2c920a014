"""What a program proposes for an agent (MCP, the memory tool): kept as a candidate, never more.

Must not tell what the session may not see, not even by what it answers.
"""

from __future__ import annotations

from memtools.usecases.proposing.propose import propose
from memtools.usecases.reading.effective import is_of_scope
from memtools.usecases.reading.recall import handed_out
from memtools.usecases.reading.shown import shown_at
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from memtools.usecases.changing.head import Victim
    from memtools.usecases.proposing.propose import Earlier, Proposal
    from memtools.usecases.reading.shown import Shown
    from memtools.usecases.reading.view import View
    from memtools.usecases.repository import Repository


class Asker(NamedTuple):
    """Who asks: what readers see of the repository, and the scopes of the session."""

    repository: Repository
    view: View
    scopes: tuple[str, ...]

    def sees(self, path: str) -> bool:
        """Is there a memory of its scopes, whatever its status?"""
        shown = shown_at(self.view, path)
        return shown is not None and is_of_scope(shown.memory, self.scopes)

    def may_read(self, path: str) -> Shown | None:
        """The memory at `path`, when the session may be given its text."""
        return handed_out(self.view, path, self.scopes)


class Wanted(NamedTuple):
    """What an agent hands in: text, and what it says of it; `earlier` as for `propose`."""

    text: str
    source: str
    title: str = ""
    confidence: float | None = None
    failure_cost: str = ""
    scope: str = ""
    earlier: Earlier | None = None


def propose_remotely(asker: Asker, wanted: Wanted, *, apply: bool) -> Proposal:
    """Judge a candidate; with `apply` store it, and it waits for a person whatever it claims.

    It is compared with the memories of the asker's scopes only, or its answers would tell what
    stands in others; whoever approves it is told of all.

    Raises: as `propose`.
    """
    found = propose(
        asker.repository,
        wanted.text.encode("utf-8", "surrogatepass"),
        source=wanted.source,
        title=wanted.title,
        confidence=wanted.confidence,
        failure_cost=wanted.failure_cost,
        scope=wanted.scope,
        apply=apply,
        by_agent=True,
        over_mcp=True,
        earlier=wanted.earlier,
        sees=asker.sees,
    )
    return found._replace(retracts=shown_victims(asker, found.retracts))


def shown_victims(asker: Asker, victims: Iterable[Victim]) -> tuple[Victim, ...]:
    """The victims of its scopes, without words of those the session may not read."""
    return tuple(
        one if asker.may_read(one.path) else one._replace(title="", text="")
        for one in victims
        if asker.sees(one.path)
    )
