"""The only module that prints: results on stdout, everything else on stderr.

Must not decide anything. All text may come from a memory, so all of it is escaped for a terminal.
"""

from __future__ import annotations

import functools
import sys

from memtools.config import read_variables
from memtools.core.invisible import escape_for_terminal
from memtools.core.wording import Said, say

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import TextIO

    from memtools.core.problem import Problem
    from memtools.errors import MemtoolsError
    from memtools.usecases.outcome import Outcome

SCHEMA_VERSION = 1
HEADLINE = 160  # characters of the first line of a refused commit
_JOINT = say("; ")  # between what is wrong and what to type
_LEAST_HINT = 16
_COLOURS = {"red": "31", "yellow": "33", "green": "32", "cyan": "36", "bold": "1", "dim": "2"}


def result(line: str = "", *styles: str) -> None:
    """Print one line of a result, in colours when stdout is a terminal."""
    _write(sys.stdout, _styled(sys.stdout, sentence(line), *styles))


def results(lines: Iterable[str]) -> None:
    """Print lines of a result."""
    for line in lines:
        result(line)


def row(*fields: str) -> None:
    """Print fields of a result, parted by tabs."""
    _write(sys.stdout, "\t".join(map(sentence, fields)))


def block(text: str) -> None:
    """Print a text of several lines as a result; its line ends stay."""
    for line in text.split("\n"):
        _write(sys.stdout, escape_for_terminal(line.removesuffix("\r")))


def note(message: str) -> None:
    """Say something beside the result."""
    _write(sys.stderr, sentence(message))


def show_problem(problem: Problem) -> None:
    """Print `path:line: rule-id: message` and, below, what to type."""
    place = _place(problem) or "memtools"
    rule = _styled(sys.stderr, problem.rule, "red" if problem.is_error else "yellow")
    _write(sys.stderr, f"{place}: {rule}: {sentence(problem.message)}")
    _hint(problem.hint)


def show_problems(problems: Iterable[Problem]) -> None:
    """Print problems, one below the other."""
    for problem in problems:
        show_problem(problem)


def show_error(error: MemtoolsError) -> None:
    """Print what stopped the run, and what to type."""
    name = _styled(sys.stderr, "memtools", "red")
    _write(sys.stderr, f"{name}: {sentence(error.message)}")
    _hint(error.hint)


def print_outcome(outcome: Outcome) -> None:
    """Print what a hook has to say, all of it on stderr (stdout belongs to git).

    When the commit is refused the first line is whole in itself: graphical programs show no more.
    """
    problems = list(outcome.problems)
    if outcome.code:
        problems.sort(key=lambda problem: not problem.is_error)
        if problems and problems[0].is_error:
            _write(sys.stderr, headline(problems[0]))
    show_problems(problems)
    for notice in outcome.notices:
        note(notice)


def headline(problem: Problem) -> str:
    """What, where and what to type, in one line of at most HEADLINE characters.

    A message that fits stays whole; what is left goes to the hint, unless that is a list.
    """
    place = _place(problem)
    if len(place) > HEADLINE // 3:
        place = f"…{place[1 - HEADLINE // 3 :]}"
    what, hint = (" ".join(sentence(part).split()) for part in (problem.message, problem.hint))
    joint = sentence(_JOINT)
    room = HEADLINE - len(f"memtools: {place}: ")
    left = room - len(what) - len(joint)
    if "\n" in problem.hint:
        hint = ""
    elif left < 0:
        left = min(len(hint), room // 3)
    if left < _LEAST_HINT:
        hint = ""
    what = _cut(what, room - (left + len(joint) if hint else 0))
    return ": ".join(("memtools", place, f"{what}{joint}{_cut(hint, left)}" if hint else what))


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[: limit - 1]}…"


def print_hook_failure(error: MemtoolsError | None, stage: str) -> None:
    """Say why a hook could not do its work (None: it has been said) and how to go on."""
    if error is not None:
        show_error(error)
    if stage in ("pre-commit", "pre-merge-commit"):
        note(
            say(
                "memtools did not look at this commit; `git commit -n` goes on without it, "
                "`memtools doctor` tells more"
            )
        )
    else:
        note(say("type: memtools doctor"))


def show_json(values: dict[str, object]) -> None:
    """Print one JSON object as a result, with its `schema_version`."""
    _write(sys.stdout, to_json({"schema_version": SCHEMA_VERSION, **values}))


def to_json(values: object) -> str:
    """JSON text in one line, safe on a terminal and in the encoding of stdout."""
    from memtools.entrypoints.jsontext import encode

    return encode(values, getattr(sys.stdout, "encoding", None) or "utf-8")


def problem_values(problem: Problem) -> dict[str, object]:
    """A problem as the JSON contract names it; JSON stays English."""
    return {**problem._asdict(), "message": str(problem.message), "hint": str(problem.hint)}


def sentence(message: str) -> str:
    """A message in the person's language; all it was filled with is escaped for a terminal.

    Line ends of a template stay, those of what fills it do not.
    """
    if not isinstance(message, Said):
        return escape_for_terminal(message)
    values = {name: _filling(value) for name, value in message.values.items()}
    template = template_of(message)
    return template.format(**values) if values else template


def template_of(message: Said) -> str:
    """The template of a sentence in the person's language."""
    if language() != "ja":
        return message.template
    from memtools.entrypoints.japanese import JA

    return JA.get(message.template, message.template)


def _filling(value: object) -> object:
    if isinstance(value, (int, float)):
        return value
    return sentence(value if isinstance(value, str) else str(value))


@functools.cache
def language() -> str:
    """The language of messages to this person: "en" or "ja"."""
    from memtools.usecases.person import spoken_language

    try:
        "日本語".encode(getattr(sys.stderr, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        return "en"
    return spoken_language()


def is_terminal(stream: TextIO | None = None) -> bool:
    """Does a person look at stdout (or at `stream`)?"""
    looked_at = stream or sys.stdout
    try:
        return looked_at.isatty()
    except (AttributeError, ValueError):
        return False


def _place(problem: Problem) -> str:
    path = escape_for_terminal(problem.path)
    if path.lstrip().startswith("::"):  # at the start of a line a runner takes it for a command
        path = f"./{path}"
    return f"{path}:{problem.line}" if problem.line else path


def _hint(hint: str) -> None:
    if hint:
        _write(sys.stderr, sentence(say("  hint: {hint}", hint=hint)))


def _styled(stream: TextIO, text: str, *styles: str) -> str:
    if not styles or not is_terminal(stream) or read_variables().no_color:
        return text
    return f"\033[{';'.join(_COLOURS[style] for style in styles)}m{text}\033[0m"


def _write(stream: TextIO | None, line: str) -> None:
    if stream is None:
        return
    try:
        stream.write(f"{line}\n")
    except UnicodeEncodeError:
        codec = stream.encoding or "ascii"
        stream.write(line.encode(codec, "backslashreplace").decode(codec) + "\n")


def can_ask() -> bool:
    """Is a person at the terminal, both to read a question and to answer it?"""
    return is_terminal(sys.stderr) and sys.stdin is not None and is_terminal(sys.stdin)


def ask(question: str) -> None:
    """Put a question on stderr; the answer is read by the caller, behind it on the same line."""
    sys.stdout.flush()
    sys.stderr.write(f"{sentence(question)} ")
    sys.stderr.flush()


def ask_yes_no(question: str) -> bool:
    """Ask on stderr; only a `y` (or `yes`) is a yes."""
    sys.stderr.write(f"{sentence(question)} [y/N] ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")
