"""What one session of the memory tool sees: approved files, and what it wrote itself.

Must not know the tool's commands, nor change an approved file.
"""

from __future__ import annotations

from memtools.core.edit import Set, change
from memtools.core.handout import handed_text
from memtools.core.memory import read_memory
from memtools.core.problem import Problem
from memtools.core.vocabulary import Priority
from memtools.git.objects import blob_id, read_objects
from memtools.usecases.changing.newfile import memory_bytes
from memtools.usecases.proposing.propose import Earlier
from memtools.usecases.proposing.remote import Asker, Wanted, propose_remotely
from memtools.usecases.reading.shown import blobs_held
from memtools.usecases.tree import memories_of
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memtools.core.memory import Memory
    from memtools.usecases.proposing.propose import Proposal

WANTED_PATH = "wanted_path"  # the field of a candidate that tells a person where it should go


class Written(NamedTuple):
    """A candidate this session wrote. `replaces`: the approved file its approval retracts."""

    candidate: Earlier
    replaces: str = ""


# Repo path -> what this session wrote there; None: what it deleted.
Own = dict[str, Written | None]


class File(NamedTuple):
    """A file as this session sees it; `written`: it is a candidate of its own."""

    text: str
    memory: Memory
    written: Written | None = None


class MemoryDesk(NamedTuple):
    """One command under way."""

    asker: Asker
    scope: str
    own: Own

    def file(self, path: str) -> File | None:
        """The file at a repo path, when this session may see it."""
        if path in self.own:
            written = self.own[path]
            file = None if written is None else self._written(written)
            if written is None or file is not None:
                return file
            del self.own[path]  # a person has decided, or changed it
        view = self.asker.view
        if not view.settings.config.selection.holds(path) or not blobs_held(view, [path]):
            return None
        shown = self.asker.may_read(path)
        return None if shown is None else File(handed_text(shown.memory.body), shown.memory)

    def paths(self) -> list[str]:
        """The paths of all files this session may see."""
        view = self.asker.view
        git, config = view.repository.git, view.settings.config
        held = {path for path, _ in memories_of(git, view.tree, config)}
        return [path for path in sorted(held | set(self.own)) if self.file(path) is not None]

    def write(self, path: str, text: str, before: File | None = None) -> Proposal:
        """Store a text for a path as a candidate; `before` is the file it takes the place of.

        Raises: as `propose`.
        """
        written = before.written if before is not None else None
        replaces = written.replaces if written is not None else ""
        if before is not None and written is None:
            replaces = before.memory.path
        wanted = Wanted(
            _copy(path, text, before.memory, replaces) if before is not None else _new(path, text),
            "extracted",
            scope=before.memory.scope if before is not None else self.scope,
            earlier=written.candidate if written is not None else None,
        )
        made = propose_remotely(self.asker, wanted, apply=True)
        if made.applied:
            self.own[path] = Written(Earlier(made.path, made.blob), replaces)
        return made

    def _written(self, written: Written) -> File | None:
        """The file of an own candidate that stands as it was stored."""
        repository, candidate = self.asker.repository, written.candidate
        raw = next(read_objects(repository.git, [f"HEAD:{candidate.path}"]))
        if raw is None or blob_id(raw, len(candidate.blob)) != candidate.blob:
            return None
        memory = read_memory(candidate.path, raw)
        return File(handed_text(memory.body), memory, written)


def _new(path: str, text: str) -> str:
    raw = text.encode("utf-8", "surrogatepass")
    made = change("", raw, [Set(WANTED_PATH, path)])
    return text if isinstance(made, Problem) else made.data.decode("utf-8", "surrogatepass")


def _copy(path: str, text: str, memory: Memory, replaces: str) -> str:
    """The changed text with what a person set in the header; its approval retracts the old one."""
    fields: dict[str, object] = {"title": memory.title, WANTED_PATH: path}
    if memory.priority is not Priority.NORMAL:
        fields["priority"] = str(memory.priority)
    if memory.tags:
        fields["tags"] = list(memory.tags)
    marker = f"RETRACTS: {replaces}\n\n" if replaces else ""
    return memory_bytes(fields, marker + text).decode()
