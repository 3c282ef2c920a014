"""Progress bars on stderr, for work that takes long enough to be watched.

Must not be loaded by a hook; rich is loaded for a terminal alone.
"""

from __future__ import annotations

import contextlib
import sys

from memtools.config import read_variables
from memtools.entrypoints.text import is_terminal, sentence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@contextlib.contextmanager
def progress_later(label: str) -> Iterator[Callable[[int, int], None]]:
    """The same for work that is mostly not there: nothing is loaded before it is told something."""
    with contextlib.ExitStack() as stack:
        bars: list[Callable[[int, int], None] | None] = []

        def tell(done: int, all: int) -> None:
            if not bars:
                bars.append(stack.enter_context(progress(label)))
            if bars[0] is not None:
                bars[0](done, all)

        yield tell


@contextlib.contextmanager
def progress(label: str) -> Iterator[Callable[[int, int], None] | None]:
    """A progress bar on stderr: a function of (done, all) for the block; None off a terminal."""
    if not is_terminal(sys.stderr):
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True, no_color=read_variables().no_color or None)
    with Progress(console=console, transient=True) as bar:
        task = bar.add_task(sentence(label), total=None)
        yield lambda done, all: bar.update(task, completed=done, total=all)
