"""`memtools turn`, the hook agents call at every turn: a JSON event in, what to know now out.

Must not load anything big while nothing changed. Whatever goes wrong: exit 0, the reason on stderr,
not a byte on stdout.
"""

from __future__ import annotations

import os
import sys

from memtools.errors import DONE, MemtoolsError, UsageError, say
from memtools.usecases.activating.turn import CURSOR, Event, begin, tell_known

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

_LARGEST = 16 << 20  # bytes of an event; a prompt with all its pasted text is far smaller
_BOM = b"\xef\xbb\xbf"  # the codec that takes it off is one module more
_BLANKS = " \t\n\r"


def turn(args: Sequence[str]) -> int:
    """`memtools turn` where the command line has been reached already."""
    from memtools.config import environ

    return run(args, environ(), lambda: None)


def run(args: Sequence[str], env: Mapping[str, str], prepare: Callable[[], None]) -> int:
    """Answer the event on stdin; always 0, since an agent may take other codes for a block.

    `args` are those of the command line, with `-C DIR` and the verb; `prepare` makes installed
    packages known, and is called when the standard library is not enough.
    """
    try:
        if not _is_off(env):
            _answer(args, env, prepare)
    except MemtoolsError as error:
        prepare()
        from memtools.entrypoints.crash import tell

        tell(error)
    except (BrokenPipeError, KeyboardInterrupt):
        pass  # the agent does not listen any more
    except BaseException as error:  # a Rust panic of the search library is no Exception
        prepare()
        from memtools.entrypoints.crash import report_bug

        report_bug(error)
    return DONE


def _is_off(env: Mapping[str, str]) -> bool:
    if not env.get("MEMTOOLS_OFF"):
        return False
    from memtools.config import read_variables

    return read_variables(env).is_off


def _answer(args: Sequence[str], env: Mapping[str, str], prepare: Callable[[], None]) -> None:
    is_placed = _enter(args)
    event = _event(_read_stdin())
    if sys.stdout is None:
        return
    if event.name == CURSOR and not is_placed:
        _follow(event)
    turn = begin(event, env)
    say_to = _say_to_copilot if _is_copilot(event, env) else _say
    if tell_known(turn, say_to):
        return
    prepare()
    from memtools.entrypoints import text
    from memtools.usecases.activating.fresh import tell_anew

    for notice in tell_anew(turn, say_to):
        text.note(notice)


def _enter(args: Sequence[str]) -> bool:
    """Go where `-C DIR` says; False when it says nothing.

    Raises:
        UsageError: nobody can go there, or there is more on the command line.
    """
    rest = list(args)
    while rest[:1] == ["-C"] and len(rest) > 1:
        try:
            os.chdir(rest[1])
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise UsageError(
                say("cannot go to {path}: {reason}", path=rest[1], reason=reason)
            ) from error
        rest = rest[2:]
    if rest not in ([], ["turn"]):
        raise UsageError(say("memtools turn takes no arguments"))
    return rest != list(args)


def _follow(event: Event) -> None:
    """Go to the project: the hooks of a person run in the folder of Cursor's settings."""
    try:
        os.chdir(event.cwd)
    except (OSError, ValueError):
        return


def _read_stdin() -> bytes:
    """All of stdin.

    Raises:
        UsageError: there is none, a person sits there, or it never ends.
    """
    if sys.stdin is None or os.isatty(0):
        raise UsageError(
            say("an event of an agent is missing on stdin"),
            say("agents call this at every turn; what they get, type: memtools recall"),
        )
    parts, size = [], 0
    while part := os.read(0, 1 << 20):
        parts.append(part)
        size += len(part)
        if size > _LARGEST:
            raise UsageError(say("the event on stdin is larger than {size} bytes", size=_LARGEST))
    return b"".join(parts)


def _event(raw: bytes) -> Event:
    """The event an agent sent.

    Raises:
        UsageError: that is none.
    """
    try:
        values = _parsed(raw.removeprefix(_BOM).decode().strip(_BLANKS))
    except (ValueError, RecursionError) as error:
        raise UsageError(say("the event on stdin is not JSON")) from error
    if not isinstance(values, dict) or not isinstance(values.get("hook_event_name"), str):
        raise UsageError(say("the event on stdin names no hook_event_name"))
    roots = values.get("workspace_roots")  # Cursor's
    if isinstance(roots, list) and roots:
        values.setdefault("cwd", roots[0])
    names = ("hook_event_name", "session_id", "cwd", "source", "trigger", "transcript_path")
    return Event(*(found if isinstance(found := values.get(name), str) else "" for name in names))


class _AsJson:
    """What the scanner of the standard library asks for; the package `json` would take 8 CPU ms."""

    strict = True
    object_hook = object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = str
    memo: dict[str, str] = {}  # noqa: RUF012  # the scanner's own


def _parsed(text: str) -> object:
    """The value of a whole JSON text.

    Raises:
        ValueError: it is none.
    """
    try:
        from _json import make_scanner

        value, end = make_scanner(_AsJson)(text, 0)  # type: ignore[arg-type]  # any object with these names
        if end == len(text):
            return value
    except (ImportError, StopIteration, SystemError):
        pass  # another Python than CPython, or no JSON: the whole package says what it is
    import json

    return json.loads(text)


def _say(event: Event, context: str) -> None:
    """Print the answer: the name of the event as it came, and only fields all agents know."""
    told = f'"hookEventName": {_quoted(event.name)}, "additionalContext": {_quoted(context)}'
    answer = f'{{"hookSpecificOutput": {{{told}}}}}\n'
    if event.name == CURSOR:
        answer = f'{{"additional_context": {_quoted(context)}}}\n'
    _print(answer)


def _is_copilot(event: Event, env: Mapping[str, str]) -> bool:
    """Does Copilot ask? Its events look like Claude Code's, so `connect` marks its hook.

    Copilot CLI also runs the hooks of Claude Code's settings; it marks them with COPILOT_CLI, as it
    does all it starts, other agents too; those name a transcript.
    """
    if env.get("MEMTOOLS_AGENT") == "copilot":
        return True
    return "COPILOT_CLI" in env and not event.transcript


def _say_to_copilot(_: Event, context: str) -> None:
    """The same for Copilot, which takes no other form."""
    _print(f'{{"additionalContext": {_quoted(context)}}}\n')


def _print(answer: str) -> None:
    data = memoryview(answer.encode("ascii"))
    while data:
        data = data[os.write(1, data) :]


def _quoted(text: str) -> str:
    """A JSON string in plain ASCII."""
    try:
        from _json import encode_basestring_ascii
    except ImportError:  # another Python than CPython
        from json import dumps

        return dumps(text)
    return str(encode_basestring_ascii(text))
