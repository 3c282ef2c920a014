"""`turn`: what an agent is told at one event of its session.

Nothing but the standard library while nothing changed; `fresh` does the rest. Must not know the
JSON of any agent.
"""

from __future__ import annotations

import os
import time

from memtools.usecases.activating.cache import find_place, read_layer
from memtools.usecases.activating.record import (
    Record,
    change_record,
    forget_layer,
    is_old,
    merged,
    read_record,
)
from memtools.usecases.activating.witness import holds
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from memtools.usecases.activating.cache import Layer, Place

# Events that take `additionalContext`. WHOLE: the agent knows nothing (any more).
CURSOR = "sessionStart"
WHOLE = ("SessionStart", "SubagentStart", CURSOR)
PROMPTS = ("UserPromptSubmit", "BeforeAgent")
# Events that take none, after which an agent may have lost what it was told.
COMPACTIONS = ("PreCompact", "PostCompact", "PreCompress")
# Gemini CLI 0.61 sends PreCompress "auto" before each call of the model, whether it compresses or
# not (docs/turn.md). Nothing is lost before the transcript grew by this many bytes.
_QUESTION = ("PreCompress", "auto")
_GROWTH = 256 << 10


class Event(NamedTuple):
    """One event: its name, the session, the folder the session stands in, and why it started.

    `trigger` is what made an agent compact; `transcript` the file of the session ("": not said).
    """

    name: str
    session: str = ""
    cwd: str = ""
    source: str = ""
    trigger: str = ""
    transcript: str = ""


class Turn(NamedTuple):
    """An event as it is worked on: `here` is the session's real folder; `began` in nanoseconds."""

    event: Event
    here: str
    env: Mapping[str, str]
    place: Place | None
    began: int

    @property
    def session(self) -> str:
        """The session whose knowledge counts; a subagent starts with none of it."""
        return "" if self.event.name == "SubagentStart" else self.event.session


def begin(event: Event, env: Mapping[str, str]) -> Turn:
    """Where this event happens; the repository is that of the current folder."""
    began = time.time_ns()
    here = os.path.realpath(event.cwd if os.path.isdir(event.cwd) else ".")
    return Turn(event, here, env, find_place(env, here), began)


def tell_known(turn: Turn, answer: Callable[[Event, str], None]) -> bool:
    """Say what the agent should know now, if that is known without looking into the repository.

    True when all is said: `fresh.tell_anew` need not be asked. What was said is noted after it was
    said: a turn that dies in between is told again.
    """
    name = turn.event.name
    if name in COMPACTIONS:
        _forget(turn)
    elif name in WHOLE or name in PROMPTS:
        return _tell_from_cache(turn, answer)
    return True


def _forget(turn: Turn) -> None:
    if not turn.session:
        return
    if turn.place is not None:
        state_dir = turn.place.state_dir
    else:
        from memtools.usecases.repository import open_repository

        state_dir = open_repository().state_dir
    record = read_record(state_dir, turn.session)
    if record is None:
        return
    length = _length(turn.event.transcript)
    is_question = (turn.event.name, turn.event.trigger) == _QUESTION
    if not (is_question and 0 <= length - record.length < _GROWTH):
        forget_layer(state_dir, turn.session, length)


def _length(path: str) -> int:
    """Bytes of a file; 0 when there is none."""
    try:
        return os.stat(path).st_size
    except (OSError, ValueError):
        return 0


def _tell_from_cache(turn: Turn, answer: Callable[[Event, str], None]) -> bool:
    """Say it when all of it is known without looking into the repository; else False."""
    if turn.place is None:
        return False
    layer = read_layer(turn.place, turn.began)
    if layer is None:
        return False
    state_dir, session = turn.place.state_dir, turn.session
    record = read_record(state_dir, session) if session else None
    if not _is_enough(turn, layer, record):
        return False
    is_told = record is not None and record.digest == layer.digest
    if layer.parts and not (is_told and turn.event.name in PROMPTS):
        answer(turn.event, fenced(layer.parts))
    if session and (not is_told or is_old(state_dir, session)):
        seen = record or Record()
        change_record(state_dir, session, lambda known: _knowing(known, seen, layer, turn.event))
    return True


def _is_enough(turn: Turn, layer: Layer, record: Record | None) -> bool:
    """Can nothing have left that this session was told, and is no notice of age owed to it?"""
    if not turn.session:
        return True
    knows_age = record is not None and record.knows_age
    if layer.due and not knows_age and time.time() > layer.due:
        return False
    return record is None or (record.stamp == layer.stamp and holds(record.witnesses))


def fenced(parts: tuple[str, ...]) -> str:
    """The text with fences only this turn knows."""
    return os.urandom(8).hex().join(parts)


def _knowing(known: Record, seen: Record, layer: Layer, event: Event) -> Record:
    """The record of a session that has now been told this layer.

    The stamp counts only when nobody noted something for the session meanwhile.
    """
    before = () if event.source == "clear" else known.told
    return known._replace(
        stamp=layer.stamp if known == seen else "",
        digest=layer.digest,
        told=merged(before, layer.told),
    )
