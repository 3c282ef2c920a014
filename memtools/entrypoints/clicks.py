"""The same verbs as click commands: for help, wrong usage and whatever is not plainly right.

Imported only then, since click costs more than most verbs.
"""

from __future__ import annotations

import difflib
from typing import Any

import click

from memtools.core.wording import say
from memtools.entrypoints import cli
from memtools.entrypoints.dispatch import EARLY
from memtools.entrypoints.verb import FLAG, NUMBER, WHOLE, Argument, Option, Verb
from memtools.errors import INTERRUPTED, UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

EARLY_HELP = {
    "hook": "What git's hooks call.",
    "turn": "What an agent calls at its events.",
    "merge-driver": "What git calls to merge a memory.",
}

EARLY_USAGE = {"hook": "STAGE [ARGUMENTS]...", "merge-driver": "BASE OURS THEIRS SIZE PATH"}


class Group(click.Group):
    """All verbs; the module of one is imported when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The verbs in the order of the table: what is used every day comes first."""
        return [*cli.VERBS, *EARLY]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The click command of a verb."""
        if cmd_name in EARLY:
            usage = EARLY_USAGE.get(cmd_name, "")
            rest = click.Argument(["rest"], nargs=-1, metavar=usage)
            return click.Command(cmd_name, help=EARLY_HELP.get(cmd_name), params=[rest])
        place = cli.VERBS.get(cmd_name)
        if place is None:
            return None
        found = cli.load(place)
        if isinstance(found, Verb):
            return to_click(cmd_name, found)
        return found if isinstance(found, click.Command) else None


def to_click(name: str, verb: Verb) -> click.Command:
    """The click command of a verb."""
    return click.Command(
        name,
        callback=verb.run,
        params=[_parameter(parameter) for parameter in verb.parameters],
        help="\n\n".join(part for part in (verb.summary, verb.details) if part),
        short_help=verb.summary,
        epilog="\b\nExample:\n  " + verb.example.replace("\n", "\n  "),
        context_settings={"help_option_names": ["-h", "--help"]},
    )


def group() -> Group:
    """`memtools` itself."""
    return Group(
        "memtools",
        help="Git-native Markdown memory: one RETRACTS line, one git commit, and a wrong memory "
        "stops speaking.",
        epilog="\b\nExample:\n  memtools search 'root cause'",
        params=[
            click.Option(["-C", "folder"], metavar="DIR", help="Run as if started in DIR."),
            click.Option(["--version"], is_flag=True, help="Print the version."),
        ],
        context_settings={"help_option_names": ["-h", "--help"]},
    )


def run_click(args: Sequence[str]) -> int:
    """Run a command line by click; help goes to stdout.

    Raises:
        UsageError: the command line is wrong.
    """
    if args and args[0] == "help":
        args = [*args[1:2], "--help"]
    try:
        code = group().main(list(args), prog_name="memtools", standalone_mode=False)
    except click.exceptions.Abort:
        return INTERRUPTED
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.ClickException as error:
        raise _usage_error(error, args) from error
    return code if isinstance(code, int) else 0


def _usage_error(error: click.ClickException, args: Sequence[str]) -> UsageError:
    verb = args[0] if args and (args[0] in cli.VERBS or args[0] in EARLY) else ""
    hint = say("type: memtools {verb} --help", verb=verb) if verb else say("type: memtools --help")
    if not verb and args and not args[0].startswith("-"):
        near = difflib.get_close_matches(args[0], [*cli.VERBS, *EARLY], 1)
        if near:
            hint = say("did you mean: memtools {verb}", verb=near[0])
        return UsageError(say("there is no command {verb}", verb=args[0]), hint)
    return UsageError(say("wrong usage: {reason}", reason=_reason(error)), hint)


def _reason(error: click.ClickException) -> str:
    if isinstance(error, click.MissingParameter) and error.param is not None:
        return say("{name} is missing", name=error.param.get_error_hint(error.ctx))
    if isinstance(error, click.NoSuchOption):
        near = sorted(error.possibilities or ())[:1]
        if near:
            name = error.option_name
            return say("there is no option {name}; did you mean {near}?", name=name, near=near[0])
        return say("there is no option {name}", name=error.option_name)
    return error.format_message()


def _metavar(argument: Argument) -> str:
    name = argument.name.upper()
    return (name if argument.required else f"[{name}]") + ("..." if argument.many else "")


def _parameter(parameter: Argument | Option) -> click.Parameter:
    more: dict[str, Any] = {}
    if isinstance(parameter, Argument):
        more = {} if parameter.required or parameter.many else {"default": parameter.default}
        return click.Argument(
            [parameter.keyword],
            required=parameter.required,
            nargs=-1 if parameter.many else 1,
            metavar=_metavar(parameter),
            **more,
        )
    flags = [*parameter.flags, parameter.keyword]
    if parameter.kind == FLAG:
        return click.Option(flags, is_flag=True, help=parameter.help)
    kinds: dict[str, Any] = {
        WHOLE: click.IntRange(min=parameter.low),
        NUMBER: click.FLOAT,
    }
    kind = click.Choice(parameter.choices) if parameter.choices else kinds.get(parameter.kind, str)
    more = {"required": True} if parameter.required else {}
    if parameter.choices and not parameter.required and not parameter.default:
        more = {"callback": lambda _context, _option, chosen: chosen or ""}  # "" is no choice
    elif not parameter.many and not parameter.required:
        more = {"default": parameter.default, "show_default": parameter.default not in ("", None)}
    return click.Option(
        flags,
        type=kind,
        multiple=parameter.many,
        metavar=parameter.metavar or None,
        help=parameter.help,
        **more,
    )
