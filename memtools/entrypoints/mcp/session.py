"""One run of the server: where it stands, and what every answer of it carries.

Must not keep anything of the repository between two calls: another process may retract meanwhile.
What the session was told is noted beside the repository, as for the turns of an agent.
"""

from __future__ import annotations

import os

from memtools.core.handout import fence, fence_notice
from memtools.core.wording import say
from memtools.entrypoints.text import SCHEMA_VERSION
from memtools.errors import GitError
from memtools.usecases.activating.sessions import remember_rows, withdrawn, withdrawn_sentence
from memtools.usecases.reading.effective import scopes_of
from memtools.usecases.reading.recall import handed_out, withheld_here
from memtools.usecases.reading.scope import session_scope
from memtools.usecases.reading.view import View, require_view, withheld_sentence
from memtools.usecases.repository import open_repository
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from memtools.usecases.reading.unapproved import Withheld
    from memtools.usecases.repository import Repository

    Values = dict[str, object]


class Session(NamedTuple):
    """`folder`: where the memories are; `started`: where the client started the server.

    `project` (the folder the session works for) and `scope`: as given ("" when they were not).
    """

    folder: str
    started: str
    project: str
    scope: str
    id: str


class Turn(NamedTuple):
    """The repository as it is during one call."""

    session: Session
    repository: Repository
    view: View
    scope: str

    @property
    def scopes(self) -> tuple[str, ...]:
        """The scopes whose memories this session may see."""
        return scopes_of(self.scope)


class Answer(NamedTuple):
    """`values` as the JSON contract names them; `lines` the same for a model to read.

    `withheld`: what the call found to be hidden, beside what is hidden for every call. `told`: the
    paths of the memories it hands out words of.
    """

    values: Values
    lines: list[str]
    withheld: tuple[Withheld, ...] = ()
    told: tuple[str, ...] = ()


def open_turn(session: Session) -> Turn:
    """Look at the repository anew.

    Raises:
        GitError: it is gone, or has no work tree.
    """
    try:
        os.chdir(session.folder)  # a folder that was made anew is another one than this process's
    except OSError as error:
        what = say("{path} is gone: {reason}", path=session.folder, reason=error.strerror or "?")
        raise GitError(what, say("start the server in another folder")) from error
    repository = open_repository(session.folder)
    scope = session_scope(repository, session.project or session.started, session.scope)
    return Turn(session, repository, require_view(repository), scope)


def completed(turn: Turn, answer: Answer) -> Answer:
    """The answer with what every one carries: version, scope, what is withheld or withdrawn."""
    withheld = withheld_here(turn.view, turn.scopes, answer.withheld)
    gone = withdrawn(turn.repository, turn.session.id)
    remember_rows(turn.repository, turn.session.id, _told(turn, answer))
    values: Values = {
        "schema_version": SCHEMA_VERSION,
        "scope": turn.scope,
        **answer.values,
        "withheld": [held._asdict() for held in withheld],
        "withdrawn": [one._asdict() for one in gone],
    }
    cleaned = _encodable(values)
    assert isinstance(cleaned, dict)
    rows = [*answer.lines, *map(withheld_sentence, withheld), *map(withdrawn_sentence, gone)]
    return Answer(cleaned, [_text(row) for row in rows])


def _told(turn: Turn, answer: Answer) -> tuple[tuple[str, str, str], ...]:
    shown = [handed_out(turn.view, path, turn.scopes) for path in answer.told]
    return tuple((one.memory.path, one.blob, one.memory.scope) for one in shown if one is not None)


def data_lines(rows: Iterable[tuple[Mapping[str, str], str]]) -> list[str]:
    """Texts of memories with what they are, each fenced as data; nothing for nothing."""
    secret = os.urandom(8).hex()
    found: list[str] = []
    for about, text in rows:
        found += fence(dict(about), text, secret)
    return [fence_notice(secret), *found] if found else []


def _encodable(value: object) -> object:
    """The same value; bytes of a path that are no UTF-8 are shown as escapes."""
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, dict):
        return {key: _encodable(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_encodable(one) for one in value]
    return value


def _text(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode()
