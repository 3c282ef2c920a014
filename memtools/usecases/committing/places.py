"""Where phrases stand in a staged tree: for messages only, so it may read more than a plan does.

Must not decide what is retracted.
"""

from __future__ import annotations

from memtools.core.facts import hit_line, target_hits
from memtools.git.objects import REGULAR, blobs_at
from memtools.git.worktree import read_plain_file
from memtools.usecases.lookup import lookup_in
from memtools.usecases.tree import memories_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from memtools.core.facts import Studied
    from memtools.usecases.committing.proposal import Proposal
    from memtools.usecases.repository import Repository

_NEAR = 3
_PHRASES = 100  # phrases that hit nothing which are looked for elsewhere; a note may hold thousands
_READ = 200  # hits read to offer a phrase for each


def sees_all(path: str) -> bool:
    """What a person sees: every memory."""
    return True


class PlaceFinder:
    """Finds places in the tree of one proposal, in files whose paths the asker `sees`."""

    __slots__ = ("_asked", "_proposal", "_repository", "_sees")

    def __init__(
        self,
        repository: Repository,
        proposal: Proposal,
        sees: Callable[[str], bool] = sees_all,
    ) -> None:
        self._repository = repository
        self._proposal = proposal
        self._sees = sees
        self._asked: set[str] = set()

    def studied(self, paths: Iterable[str]) -> list[Studied]:
        """The memories at these staged paths."""
        wanted = list(paths)
        changed = {c.path: c.new for c in self._proposal.changes if c.new_mode in REGULAR}
        rest = [path for path in wanted if path not in changed]
        tree = self._proposal.head_tree
        held = blobs_at(self._repository.git, tree, rest) if rest else {}
        pairs = [
            (path, changed.get(path) or held[path].blob)
            for path in wanted
            if path in changed or path in held
        ]
        return list(self._proposal.reader(pairs))

    def longer(self, phrase: str, paths: Sequence[str]) -> dict[str, str]:
        """For each path a longer phrase that hits it alone among these ("": there is none)."""
        from memtools.core.near import longer_phrases

        found = self.studied(paths[:_READ])
        texts = {one.facts.path: (one.memory.title, one.memory.body) for one in found}
        columns = self._proposal.settings.config.retraction.min_columns
        return longer_phrases(phrase, texts, columns)

    def lines(self, phrase: str, paths: Sequence[str]) -> list[tuple[str, int]]:
        """(path, line of the first hit) for each path."""
        return [(s.facts.path, hit_line(phrase, s.memory)) for s in self.studied(paths[:_READ])]

    def holders(self, phrase: str) -> list[str]:
        """All memories that hold a phrase, however short it is."""
        proposal = self._proposal
        lookup = lookup_in(self._repository, proposal.head_tree, proposal.settings)
        gone = {change.path for change in proposal.changes}
        pairs = [pair for pair in lookup(frozenset([phrase])) if pair[0] not in gone]
        pairs += [(c.path, c.new) for c in proposal.changes if c.new_mode in REGULAR]
        pairs = [pair for pair in pairs if self._sees(pair[0])]
        return sorted(
            studied.facts.path
            for studied in proposal.reader(pairs)
            if target_hits(phrase, studied) and not studied.facts.markers
        )

    def nearest(self, phrase: str) -> list[tuple[str, int, str]]:
        """The lines nearest to a phrase that hits nothing, as (path, line of the file, text)."""
        if not self._may_look_for(phrase):
            return []
        from memtools.core.near import nearest_lines

        similar = {studied.facts.path: studied.memory for studied in self._similar(phrase)}
        texts = {path: (memory.title, memory.body) for path, memory in similar.items()}
        return [
            (path, similar[path].body_line + line - 1 if line else 1, text)
            for path, line, text in nearest_lines(phrase, texts)[:_NEAR]
        ]

    def _may_look_for(self, phrase: str) -> bool:
        if len(self._asked) < _PHRASES:
            self._asked.add(phrase)
        return phrase in self._asked

    def _similar(self, phrase: str) -> list[Studied]:
        """What may hold something near a phrase: the search index's best, else the first."""
        from memtools.usecases.searchindex import best_paths

        proposal = self._proposal
        tree, settings = proposal.head_tree, proposal.settings
        paths = best_paths(self._repository, phrase, tree, settings, 8)
        if paths is None:
            pairs = memories_of(self._repository.git, proposal.head_tree, proposal.settings.config)
            paths = [path for path, _ in pairs[:1000]]
        changed = [c.path for c in self._proposal.changes if c.new_mode in REGULAR]
        return self.studied(
            path
            for path in filter(self._sees, dict.fromkeys([*paths, *changed]))
            if not self._proposal.staged.rows.get(path)
            or not self._proposal.staged.rows[path].markers
        )

    def untracked(self, phrase: str) -> list[str]:
        """Files git does not track that hold the phrase (rule 6: they cannot be hit)."""
        if not self._may_look_for(phrase):
            return []
        config = self._proposal.settings.config
        others = self._repository.git.names("ls-files", "--others", "-z")
        paths = [name for name in others if config.selection.holds(name) and self._sees(name)]
        found = []
        for path in paths[:_READ]:
            raw = read_plain_file(self._repository.top, path)
            if raw is not None:
                studied = self._proposal.reader.study(path, "", raw)
                if target_hits(phrase, studied):
                    found.append(path)
        return found
