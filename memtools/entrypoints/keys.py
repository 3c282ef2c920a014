"""One key from a person at a terminal, without Enter.

Must not know what a key means. What was typed before the question is thrown away: nobody decides
about what they have not seen.
"""

from __future__ import annotations

import os
import signal
import sys
import unicodedata

from memtools.entrypoints import text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType
    from typing import NoReturn

END = ""  # no more keys: the terminal is gone, or Ctrl-D


def ask_key(question: str) -> str:
    """Show a question on stderr and wait for one key, in lower case and half width."""
    try:
        import termios
        import tty
    except ImportError:  # no such terminals here: a line it is
        text.ask(question)
        return sys.stdin.readline()[:1].lower()
    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    kept = {end: signal.signal(end, _leave) for end in (signal.SIGTERM, signal.SIGHUP)}
    try:
        tty.setcbreak(terminal, termios.TCSAFLUSH)
        text.ask(question)
        typed = _read(terminal)
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)
        for end, handler in kept.items():
            signal.signal(end, handler)
    key = unicodedata.normalize("NFKC", typed.decode("utf-8", "replace"))[:1].lower()
    text.note(key if key.isprintable() else "")
    return END if key == "\x04" else key


def _leave(number: int, frame: FrameType | None) -> NoReturn:
    """End as the signal would, but put the terminal back first."""
    raise SystemExit(128 + number)


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 64)
    except OSError:  # the terminal is gone
        return b""


def ask_line(question: str) -> str:
    """Show a question on stderr and wait for a line."""
    text.ask(question)
    return sys.stdin.readline().strip()
