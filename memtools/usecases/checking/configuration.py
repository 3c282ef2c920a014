"""A change of the settings: what it sets, and which memories with which status there are under it.

Rule 22: settings are judged by, and read from, the base. Must not know what else a change brings.
"""

from __future__ import annotations

from memtools.config import SETTINGS_FILE, parse_config, values_of
from memtools.core.ledger import full
from memtools.core.problem import Problem, problem
from memtools.core.refusals import shorten
from memtools.core.screen_secrets import plain_text, secrets_in
from memtools.core.vocabulary import Status
from memtools.core.wording import Said, say
from memtools.git.objects import list_tree, read_objects
from memtools.usecases.checking.files import files_of
from memtools.usecases.tree import NO_CONFIG, Reader, plan_of, settings_of
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memtools.config import Config
    from memtools.core.facts import Studied
    from memtools.git.run import Git
    from memtools.usecases.checking.files import Files
    from memtools.usecases.checking.tree import Tree
    from memtools.usecases.tree import Settings

_NAMED = 5  # paths of one effect


class Blobs(NamedTuple):
    """The settings file on both sides (NO_CONFIG: none)."""

    before: str
    after: str


def changed_settings(git: Git, blobs: Blobs, tree: Tree, until: str) -> Iterator[Problem]:
    """A finding for other settings, with its effect on `tree`, the one of the commit `until`."""
    if blobs.before == blobs.after:
        return
    old_raw, new_raw = (_settings_bytes(git, blob) for blob in blobs)
    old, before = parse_config(old_raw)
    new, problems = parse_config(new_raw)
    known = {(p.rule, str(p.message)) for p in before}
    yield from (p for p in problems if (p.rule, str(p.message)) not in known)
    changes = _changes(old, new)
    if changes:
        what = say(
            "this change sets other settings: {names}; it was judged by those before it",
            names="; ".join(changes),
        )
        effects = [*_effects(git, tree, blobs.after, until)]
        hint = say("a person should read this file's diff")
        for effect in effects:
            hint = say("{first}; {then}", first=hint, then=effect)
        yield problem(SETTINGS_FILE, 1, "config-changed", what, hint)


def _settings_bytes(git: Git, blob: str) -> bytes | None:
    return None if blob == NO_CONFIG else next(read_objects(git, [blob]))


def _changes(old: Config, new: Config) -> list[str]:
    """Each setting that differs, with both values unless one of them looks like a secret."""
    before, after = values_of(old), values_of(new)
    found = []
    for name in sorted(before.keys() | after.keys()):
        if before.get(name) != after.get(name):
            values = f"{_shown(before.get(name))} → {_shown(after.get(name))}"
            is_secret = any(secrets_in(plain_text(values)))
            found.append(name if is_secret else f"{name} ({values})")
    return found


def _shown(value: object) -> str:
    if value is None:
        return "–"
    return shorten(repr(list(value) if isinstance(value, tuple) else value), 60)


def _effects(git: Git, tree: Tree, blob: str, until: str) -> Iterator[Said]:
    settings = settings_of(git, blob)
    files = files_of(list_tree(git, until), settings)
    held = tree.files.memories
    gone, more = held.keys() - files.memories.keys(), files.memories.keys() - held.keys()
    if gone:
        yield say(
            "under it {count} files are no memories any more: {paths}",
            count=len(gone),
            paths=_named(sorted(gone)),
        )
    if more:
        yield say(
            "under it {count} files more are memories: {paths}",
            count=len(more),
            paths=_named(sorted(more)),
        )
    before, after = tree.statuses, _statuses(git, files, settings)
    turned = [
        f"{path} ({before[path]} → {after[path]})"
        for path in sorted(before.keys() & after.keys())
        if before[path] != after[path]
    ]
    if turned:
        yield say(
            "under it {count} memories have another status: {paths}",
            count=len(turned),
            paths=_named(turned),
        )


def _statuses(git: Git, files: Files, settings: Settings) -> dict[str, str]:
    """Path -> status under these settings, where an open marker counts as its tombstone."""
    reader, said = Reader(git, settings.config), dict.fromkeys(files.memories, "")

    def read(pairs: Sequence[tuple[str, str]]) -> Iterator[Studied]:
        for studied in reader(pairs):
            said[studied.facts.path] = str(studied.facts.status)
            yield studied

    hidden = plan_of(full(list(files.memories.items()), read), settings).hidden
    return {p: str(Status.RETRACTED) if p in hidden else status for p, status in said.items()}


def _named(names: Sequence[str]) -> str:
    more = " …" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more
