"""Hostile notes: made up from a seed, and bombs; each is put through all that reads one.

As a program (`python -m tests.reliability.notes FIRST COUNT EACH`) it does so under limits,
and prints what came of it as JSON: 2 s of CPU a note (1 s for pathological Markdown), 200 MB.
"""

from __future__ import annotations

import json
import random
import resource
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.fuzz.promises import event, front_matter, marker, screens

FIXTURES = Path(__file__).parent.parent / "fixtures"
MEGABYTES = 200
SECONDS, SECONDS_OF_MARKDOWN = 2, 1

KEYS = [
    "title",
    "status",
    "priority",
    "scope",
    "tags",
    "aliases",
    "id",
    "source",
    "confidence",
    "failure_cost",
    "derived_from",
    "reason",
    "created",
    "retracted_at",
    "retracted_by",
    "Status",
    "STATUS",
    "x",
    "メモ",
    "<<",
]
VALUES = (
    "active",
    "retracted",
    "draft",
    "superseded",
    "進行中",
    "'it''s'",
    '"a \\u001b[31m b"',
    '"never ends',
    "[a, b, [c]]",
    "{a: b, c: {d: e}}",
    "&a active",
    "*a",
    "!!str active",
    "!!python/object/apply:os.system [x]",
    "!!binary aGk=",
    "|\n  two\n  lines",
    ">-\n  folded\n  text",
    "~",
    "",
    "007",
    "0.5",
    "1e400",
    ".nan",
    "2026-11-29T10:00:00+09:00",
    "2024-13-45",
    "yes",
    "a: b: c",
    "# only a comment",
    "active # why",
    "\tactive",
    "\u00a0active",
    "active\u200b",
    "ａｃｔｉｖｅ",
    "[" * 70,
    "- a\n- b",
    "x" * 3000,
    "@at",
    "`tick",
    "%percent",
)
LINES = (
    "RETRACTS: the disk cache was the root cause",
    "RETRACTS:\u3000原因は解決器の設定である",
    "RETRACTS：全角の記号である",
    "RETRACTS\u200b: hidden joiner in here",
    "Retracts: other capitals here",
    " RETRACTS: indented by one",
    "> RETRACTS: quoted words here",
    "- RETRACTS: in a list item",
    "RETRACTS: [[target|T]]",
    "RETRACTS: ../../../etc/passwd",
    "RETRACTS: --output=x",
    "RETRACTS: " + "x" * 400,
    "RETRACTS:",
    "```",
    "~~~~ text",
    "<!--",
    "-->",
    "<script>",
    "<details><summary>x",
    "[x]: /u 'title",
    '[x](<y z> "t")',
    "![alt *x*](u)",
    "| a | b |",
    "    indented code",
    "\tcode by a tab",
    "# Heading **bold",
    "Setext\n---",
    "***",
    "* * *",
    "1. one\n   2. two",
    "> > > deep",
    "a\\\\*b*c_d_e**f`g``h",
    "[" * 40,
    "&amp;&#x202e;&#0;",
    "\u202eright to left\u202c",
    "\x1b[31mred\x1b[0m",
    "zero\u200bwidth\u2060joiner",
    "日本語の文章で、原因は解決器の設定である。",
    "e\u0301 ﬁ ﷺ ａ",
    "\ud83d\ude00".encode("utf-16", "surrogatepass").decode("utf-16"),
    "---",
    "...",
    "+++",
    "ghp_0123456789abcdefghijklmnopqrstuvwxyzAB",
    "+81 90-1234-5678",
    "",
    "Plain words of a plain note.",
)
ENDS = ("\n", "\n", "\n", "\r\n", "\r", "\n\r", "\x0b", "\x85", "\u2028")
ENCODINGS = ("utf-8",) * 6 + ("utf-8-sig", "utf-16", "utf-16-le", "utf-32", "latin-1", "shift_jis")
ENCODINGS += ("euc_jp", "iso2022_jp", "cp1252")


def note(seed: int) -> bytes:
    """One note: header, body, encoding and line ends by the dice."""
    dice = random.Random(seed)
    mark = dice.choice(("---", "---", "---", "---", "+++", "--- ", "----", "---\t"))
    header = "".join(
        f"{dice.choice(KEYS)}{dice.choice((': ', ': ', ': ', ':', ' : ', ' = ', '：'))}"
        f"{dice.choice(VALUES)}\n"
        for _ in range(dice.randrange(8))
    )
    closing = dice.choice((mark, mark, mark, "...", "", f" {mark}"))
    head = f"{mark}\n{header}{closing}\n" if dice.random() < 0.8 else ""
    body = "\n".join(dice.choice(LINES) for _ in range(dice.randrange(20)))
    text = head + body + dice.choice(("\n", ""))
    if dice.random() < 0.4:
        ends = [dice.choice(ENDS)] if dice.random() < 0.6 else ENDS
        text = "".join(dice.choice(ends) if c == "\n" else c for c in text)
    raw = text.encode(dice.choice(ENCODINGS), "replace")
    for _ in range(dice.choice((0, 0, 0, 0, 1, 3, 20))):
        at = dice.randrange(len(raw) + 1)
        raw = raw[:at] + dice.randbytes(dice.randrange(4)) + raw[at + dice.randrange(3) :]
    return raw


def bombs() -> Iterator[tuple[str, bytes]]:
    """What grows: aliases, keys, nesting, Markdown that is no longer linear for some parsers."""
    laughs = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n" + "".join(
        f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 12)
    )
    headers = {
        "laughs": laughs,
        "merged laughs": "a: &a {x: y}\n" + "b: &b {<<: [" + "*a, " * 2000 + "*a]}\n",
        "100k keys": "".join(f"k{n}: {n}\n" for n in range(100_000)),
        "many keys below the limit": "".join(f"k{n}: {n}\n" for n in range(1700)),
        "flow": "x: " + "[" * 8000 + "]" * 8000 + "\n",
        "blocks": "".join("  " * n + "x:\n" for n in range(120)),
        "dashes": "x:\n" + "- " * 7000 + "x\n",
        "quotes": "x: " + "'" * 16_000 + "\n",
        "escapes": 'x: "' + "\\U0001F600" * 1500 + '"\n',
        "anchors": "".join(f"x{n}: &a{n} v\n" for n in range(1200)),
        "colons": ": " * 8000 + "\n",
        "tabs": "x:" + "\t" * 16_000 + "y\n",
        "one key twice": "status: active\n" * 1000,
        "long line": "x: " + "y" * 16_000 + "\n",
        "almost 16 KiB": "x: " + "y" * (16 * 1024 - 40) + "\n",
        "16 KiB and one": "x: " + "y" * (16 * 1024 - 3) + "\n",
    }
    for name, header in headers.items():
        yield f"yaml {name}", f"---\n{header}status: active\n---\nText.\n".encode()
    yield "toml arrays", b"+++\nx = " + b"[" * 8000 + b"]" * 8000 + b"\n+++\nText.\n"
    size = 60_000
    bodies = {
        "open brackets": "[" * size,
        "links": "[a](" * (size // 4),
        "nested links": "[" * (size // 8) + "a" + "](b)" * (size // 8),
        "images": "![" * (size // 2),
        "emphasis": "*a **b " * (size // 7),
        "closers": "a**b" + "c* " * (size // 3),
        "underscores": "_a__" * (size // 4),
        "backticks": "".join("`" * n + " " for n in range(1, 340)),
        "quotes": ">" * size,
        "lists": "- " * (size // 2),
        "deep lists": "\n".join("  " * n + "- x" for n in range(240)),
        "deep quotes": "\n".join("> " * n + "x" for n in range(240)),
        "entities": "&" * size,
        "html": "<a " * (size // 3),
        "comments": "<!-- " * (size // 5),
        "declarations": "<!A " * (size // 4),
        "processing": "<?" * (size // 2),
        "definitions": "[x]: y\n" * (size // 7),
        "many definitions": "".join(f"[x{n}]: y\n" for n in range(size // 10)),
        "references": "[x]: y\n\n" + "[x][x]" * (size // 6),
        "autolinks": "<http://" * (size // 8),
        "escapes": "\\*" * (size // 2),
        "strikes": "~~a" * (size // 3),
        "hard breaks": "a  \n" * (size // 4),
        "blanks": " " * size + "x",
        "tabs": "\t" * size + "x",
        "empty lines": "\n" * size,
        "fences": "```\n" * (size // 4),
        "setext": "a\n---\n" * (size // 6),
        "table": "|" * size,
        "wikilinks": "[[" * (size // 2),
        "open wikilink": "[[" + "a|" * (size // 2),
        "digits": "1" * size,
        "words": "password: " * (size // 10),
        "at signs": "a@" * (size // 2),
        "dots": "a." * (size // 2),
        "hex": "0x" * (size // 2),
        "dashes": "--" * (size // 2),
        "combining": "e" + "\u0301" * (size // 2),
        "joiners": "a\u200d" * (size // 4),
        "kana": "ｶﾞ" * (size // 6),
        "cjk": "原因" * (size // 6),
        "surrogates": "\U0001f469\u200d" * (size // 7),
        "bidi": "\u202e\u2066" * (size // 6),
    }
    for name, body in bodies.items():
        yield f"markdown {name}", f"Text.\n\n{body}\n\nRETRACTS: {PHRASE}\n".encode()
    yield "markdown mark after mark", b"RETRACTS: words that are new here\n" * 7000
    many = "".join(f"RETRACTS: words number {n} are new here\n" for n in range(5000))
    yield "markers and markers", many.encode()
    yield "256 KiB and one", b"x" * (256 * 1024 + 1)
    yield "256 KiB in one line", b"word " * (256 * 1024 // 5)
    yield "zeros", b"\0" * 100_000
    yield "noise", random.Random(1).randbytes(200_000)


PHRASE = "the disk cache was the root cause"


def cases() -> Iterator[tuple[str, bytes]]:
    """The notes that stand in the fixtures of other tests."""
    for path in sorted(FIXTURES.rglob("*")):
        if path.is_file():
            yield str(path.relative_to(FIXTURES)), path.read_bytes()


def everything(first: int, count: int, each: int) -> Iterator[tuple[str, bytes]]:
    """The notes of seeds `first` and on; before the first one cases and bombs, one in `each`."""
    if first == 0:
        yield from [*cases(), *bombs()][::each]
    for seed in range(first, first + count):
        yield f"seed {seed}", note(seed)


class TooLongError(Exception):
    """A note takes more CPU time than it may."""


def _peak_kb() -> int:
    """The most memory this program had; `ru_maxrss` also counts who started it."""
    for line in Path("/proc/self/status").read_text("ascii").splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1])
    return 0


def try_all(notes: Iterator[tuple[str, bytes]]) -> dict[str, Any]:
    """Put each note through everything under limits; what failed, and the dearest ones."""
    _limit_memory()
    signal.signal(signal.SIGPROF, _too_long)
    tried, failed, costs = 0, [], []
    for name, raw in notes:
        allowed = SECONDS_OF_MARKDOWN if name.startswith("markdown") else SECONDS
        before = _cpu()
        signal.setitimer(signal.ITIMER_PROF, allowed)
        tried += 1
        try:
            for promise in (front_matter, marker, screens, event):
                promise(raw)
        except Exception as error:
            failed.append(f"{name}: {type(error).__name__}: {str(error)[:200]}")
        signal.setitimer(signal.ITIMER_PROF, 0)
        spent = _cpu() - before
        costs.append((round(spent, 3), name))
    peak = _peak_kb() // 1024
    return {"tried": tried, "failed": failed, "dearest": sorted(costs)[-5:], "peak_mb": peak}


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def _too_long(*_: object) -> None:
    raise TooLongError


def _limit_memory() -> None:
    """What is mapped now, and so much more."""
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    limit = pages * resource.getpagesize() + (MEGABYTES << 20)
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


if __name__ == "__main__":
    # The packages a note may need are no cost of the note.
    screens(b"token ghp_0123456789abcdefghijklmnopqrstuvwxyzAB +81 90-1234-5678 4111111111111111\n")
    front_matter(b"---\nx: [a, {b: c}]\n---\n")
    marker(b"<!-- -->\n\nRETRACTS: words that are new\n")
    print(json.dumps(try_all(everything(*map(int, sys.argv[1:])))))
