"""The program: runs a command line and turns whatever comes of it into an exit code.

Must not import click, nor anything a hook does not need; no traceback ever reaches a terminal.
"""

from __future__ import annotations

import sys

from memtools.entrypoints import text
from memtools.entrypoints.streams import close_pipe, flush, prepare_streams
from memtools.errors import BUG, DONE, INTERRUPTED, MemtoolsError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Run `memtools ARGV` (default: the arguments of this process); returns the exit code."""
    args = list(sys.argv[1:] if argv is None else argv)
    prepare_streams()
    try:
        try:
            return _run(args)
        except MemtoolsError as error:
            text.show_error(error)
            return error.exit_code
        finally:
            flush()
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        close_pipe()
        return DONE
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else DONE if end.code is None else BUG
    except BaseException as error:  # a Rust panic of the search library is no Exception
        from memtools.entrypoints.crash import report_bug

        return report_bug(error)


def _run(args: list[str]) -> int:
    if args[:1] == ["hook"] and args[1:2] not in (["--help"], ["-h"]):
        from memtools.entrypoints.dispatch import hook  # a hook needs not even the table of verbs

        return hook(args[1:])
    from memtools.entrypoints.cli import run

    return run(args)
