"""A verb of the command line as a value, and the quick reading of plain arguments.

Must not know click: importing it costs a start more than most verbs do. The quick reading takes
what is plainly right; all else (help, mistakes) goes to the click command made of the same value.
"""

from __future__ import annotations

from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

TEXT = "text"
WHOLE = "whole"
NUMBER = "number"
FLAG = "flag"


class Option(NamedTuple):
    """One option.

    `flags` are all its spellings, the long one last; `default` is the value when it is not given.
    `low` is the least number; `many` lets it be repeated and gives a tuple. `name` is the keyword
    of `Verb.run` when it is not the long spelling.
    """

    flags: tuple[str, ...]
    help: str
    kind: str = TEXT
    default: object = ""
    choices: tuple[str, ...] = ()
    low: int | None = None
    many: bool = False
    required: bool = False
    metavar: str = ""
    name: str = ""

    @property
    def keyword(self) -> str:
        """The keyword argument of `Verb.run` that gets the value."""
        return self.name or self.flags[-1].lstrip("-").replace("-", "_")

    @property
    def absent(self) -> object:
        """The value when the option is not given."""
        if self.many:
            return ()
        return False if self.kind == FLAG else self.default


class Argument(NamedTuple):
    """One argument without a dash; `many` (the last one only) gives a tuple."""

    name: str
    required: bool = True
    many: bool = False
    default: str = ""

    @property
    def keyword(self) -> str:
        """The keyword argument of `Verb.run` that gets the value."""
        return self.name.lower().replace("-", "_")

    @property
    def absent(self) -> object:
        """The value when the argument is not given."""
        return () if self.many else self.default


class Verb(NamedTuple):
    """One command: `run` gets plain values by keyword and returns the exit code."""

    run: Callable[..., int]
    summary: str
    example: str
    parameters: tuple[Argument | Option, ...] = ()
    details: str = ""


JSON = Option(("--json",), "Print the result as JSON.", FLAG, name="as_json")
APPLY = Option(("--apply",), "Do it; without this only show what would be done.", FLAG)
DRY_RUN = Option(("--dry-run",), "Only show what would be done (the default).", FLAG)


def read_plainly(verb: Verb, args: Sequence[str]) -> dict[str, object] | None:
    """The keyword arguments for `verb.run`; None when click should look at the arguments."""
    options = {flag: p for p in verb.parameters if isinstance(p, Option) for flag in p.flags}
    found: dict[str, object] = {p.keyword: p.absent for p in verb.parameters}
    seen: set[str] = set()
    loose: list[str] = []
    rest = iter(args)
    for arg in rest:
        if arg == "--":
            loose += rest
        elif arg[:1] == "-" and arg != "-":
            taken = _option(options, arg, rest)
            if taken is None:
                return None
            option, value = taken
            before = found[option.keyword]
            found[option.keyword] = (*_pair(before), value) if option.many else value
            seen.add(option.keyword)
        else:
            loose.append(arg)
    if any(o.required and o.keyword not in seen for o in options.values()):
        return None
    return _arguments(verb, loose, found)


def _pair(before: object) -> tuple[object, ...]:
    return before if isinstance(before, tuple) else ()


def _option(
    options: dict[str, Option], arg: str, rest: Iterator[str]
) -> tuple[Option, object] | None:
    """An option with its value, which may be the next argument."""
    flag, sign, text = arg.partition("=") if arg[:2] == "--" else (arg, "", "")
    option = options.get(flag)
    if option is None:
        return None
    if option.kind == FLAG:
        return None if sign else (option, True)
    given = text if sign else next(rest, None)
    value = None if given is None else _value(option, given)
    return None if value is None else (option, value)


def _value(option: Option, text: str) -> object:
    """The value an option's text stands for; None when it is not plainly right."""
    if option.choices and text not in option.choices:
        return None
    if option.kind == TEXT:
        return text
    digits = text.replace(".", "", 1) if option.kind == NUMBER else text
    if not digits.isascii() or not digits.isdigit() or len(digits) > 18:
        return None
    value = float(text) if option.kind == NUMBER else int(text)
    return value if option.low is None or value >= option.low else None


def _arguments(verb: Verb, loose: list[str], found: dict[str, object]) -> dict[str, object] | None:
    for argument in verb.parameters:
        if not isinstance(argument, Argument):
            continue
        if not loose and argument.required:
            return None
        if argument.many:
            found[argument.keyword] = tuple(loose)
            loose = []
        elif loose:
            found[argument.keyword] = loose.pop(0)
    return None if loose else found
