"""A turn after something changed: the layer is made anew, and kept for the turns to come.

Must not know the JSON of any agent.
"""

from __future__ import annotations

import marshal
import os
from datetime import UTC, datetime

from memtools.core.handout import handed_line
from memtools.usecases.activating.cache import Layer, keep_layer
from memtools.usecases.activating.ground import (
    layer_paths,
    look_at_memories,
    look_at_ref,
    look_at_repository,
    replacements,
)
from memtools.usecases.activating.hashing import hashed
from memtools.usecases.activating.record import (
    Record,
    change_record,
    merged,
    read_record,
    without,
)
from memtools.usecases.activating.sessions import gone_from, told_rows, withdrawn_sentence
from memtools.usecases.activating.turn import PROMPTS, fenced
from memtools.usecases.reading.recall import layer_lines, recall_in
from memtools.usecases.reading.scope import session_scope
from memtools.usecases.reading.view import require_view, withheld_sentence
from memtools.usecases.readref import read_ref, ref_age_notice, ref_fresh_until
from memtools.usecases.repository import open_repository
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from memtools.usecases.activating.sessions import Withdrawn
    from memtools.usecases.activating.turn import Event, Turn
    from memtools.usecases.activating.witness import Witness
    from memtools.usecases.reading.recall import Recall
    from memtools.usecases.reading.view import View
    from memtools.usecases.repository import Repository


class Made(NamedTuple):
    """A layer made just now, and the view it was made from; `paths` are those it looked at."""

    repository: Repository
    view: View
    layer: Layer
    paths: frozenset[str]
    can_keep: bool
    notices: tuple[str, ...]


def tell_anew(turn: Turn, answer: Callable[[Event, str], None]) -> tuple[str, ...]:
    """Say what the agent should know; returns what a person should.

    Raises:
        MemtoolsError: there is no repository here, or it cannot be read.
    """
    made = _make(turn)
    state_dir, session = made.repository.state_dir, turn.session
    record = (read_record(state_dir, session) if session else None) or Record()
    rest = _look_at_rest(turn, made, record)
    gone = gone_from(made.view, record.told)
    age = None if record.knows_age else ref_age_notice(made.view.repository, datetime.now(UTC))
    lines = [str(withdrawn_sentence(each)) for each in gone]
    lines += [str(age)] if age else []
    is_told = record.digest == made.layer.digest and turn.event.name in PROMPTS
    if made.layer.parts and not is_told:
        lines.append(fenced(made.layer.parts))
    if lines:
        answer(turn.event, "\n".join(lines))
    _keep(turn, made)
    if session:
        after = _after(turn, record, made.layer, gone)
        after = after._replace(witnesses=tuple(rest), knows_age=record.knows_age or bool(age))
        change_record(state_dir, session, lambda known: _joined(known, record, after))
    return made.notices


def _make(turn: Turn) -> Made:
    """Look at what the layer rests on, then make it: a change in between is seen next time."""
    is_placed = turn.place is not None
    ground = look_at_repository(turn.here, turn.began) if is_placed else []
    repository = open_repository()
    name, _ = read_ref(repository)
    if name and is_placed:
        ground += look_at_ref(repository.git_dir, name, turn.began)
    view = require_view(repository)
    paths = layer_paths(view)
    ground += look_at_memories(repository.top, paths, turn.began)
    found = recall_in(view, scope=session_scope(repository, turn.here))
    others = [held.path for held in found.withheld if held.path not in paths]
    late = look_at_memories(repository.top, others, turn.began)
    ground += late
    parts = _parts(found)
    layer = Layer(
        stamp=hashed(marshal.dumps(ground)).hex(),
        digest=hashed("\0".join(parts).encode()).hex(),
        parts=parts,
        told=told_rows(found),
        due=_due(view),
        witnesses=ground,
    )
    seen = frozenset((*paths, *others))
    return Made(repository, view, layer, seen, _can_keep(view, late), found.notices)


def _can_keep(view: View, late: list[Witness]) -> bool:
    """Is every way to another layer seen by a witness?

    Not by one that was looked at only after it was read, and was touched just now; nor where
    readers are bound to something else than a branch, or `git replace` is in use.
    """
    approved = view.repository.approved
    is_branch = approved is None or approved.ref.startswith("refs/")
    is_itself = not os.path.lexists(replacements(view.repository.git_dir))
    return is_branch and is_itself and not any(kept for *_, kept in late)


def _due(view: View) -> float:
    approved = view.repository.approved
    return 0.0 if approved is None else ref_fresh_until(view.repository, approved)


def _parts(found: Recall) -> tuple[str, ...]:
    """The text an agent is told, cut at the secret of the fences; nothing to tell: no parts."""
    secret = os.urandom(8).hex()
    lines = layer_lines(found, secret)
    for held in found.withheld:  # a name may hold line ends: it must not become a line of its own
        shown = held._replace(path=handed_line(held.path), by=handed_line(held.by))
        lines.append(str(withheld_sentence(shown)))
    # A path may hold bytes that are no UTF-8, and no agent reads half a character.
    text = "\n".join(lines).encode("utf-8", "replace").decode()
    return tuple(text.split(secret)) if text else ()


def _look_at_rest(turn: Turn, made: Made, record: Record) -> list[Witness]:
    """The files of what this session was told by others than the layer."""
    paths = [path for path, _, _ in record.told if path not in made.paths]
    return look_at_memories(made.repository.top, paths, turn.began)


def _keep(turn: Turn, made: Made) -> None:
    """Keep the layer where the next turn looks, when git means the same place."""
    place = turn.place
    if place is None or not made.can_keep:
        return
    if os.path.realpath(place.state_dir) == os.path.realpath(made.repository.state_dir):
        keep_layer(place, made.layer)


def _after(turn: Turn, record: Record, layer: Layer, gone: tuple[Withdrawn, ...]) -> Record:
    """The record once this was said."""
    before = () if turn.event.source == "clear" else record.told
    told = merged(without(before, {each.path for each in gone}), layer.told)
    return record._replace(stamp=layer.stamp, digest=layer.digest, told=told)


def _joined(known: Record, seen: Record, after: Record) -> Record:
    """The record to write when another process may have written one since it was seen."""
    if known == seen:
        return after
    return after._replace(stamp="", told=merged(known.told, after.told))
