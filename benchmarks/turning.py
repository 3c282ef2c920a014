"""Row P3: `memtools turn` while nothing changed, against bare Python, whole processes.

Run by `run.py`. Both events: the prompt of a session that knows its layer (silent), and a session
that starts (told in full). The way in is that of `connect`; the console script is shown beside it.
"""

from __future__ import annotations

import json

from sides import Row, median

_SESSION = {"session_id": "7d1f0a52-2f0b-4a55-9a0e-5d1f3b0c9e11"}
_PROMPT = {**_SESSION, "hook_event_name": "UserPromptSubmit", "prompt": "why does it hang? " * 50}
_START = {**_SESSION, "hook_event_name": "SessionStart", "source": "resume"}
_GOAL = 2.0
_LEAST = 31  # rounds: processes of this size differ much from one to the next


def rows(side, installed, count, rounds):
    """The rows of one size."""
    python, start = installed.python, installed.start
    side.run("git", "config", "memtools.scope", "alpha")
    prompt, begin = (
        json.dumps({**event, "cwd": str(side.place)}).encode() for event in (_PROMPT, _START)
    )
    hook, script = (python, "-I", "-S", start, "turn"), (installed.memtools, "turn")
    _check(side, hook, begin, prompt)
    ways = {
        "bare": ((python, "-I", "-S", "-c", "pass"), b""),
        "known": (hook, prompt),
        "in full": (hook, begin),
        "script": (script, prompt),
    }
    spent = {name: [] for name in ways}
    for _ in range(max(rounds, _LEAST)):
        for name, (argv, event) in ways.items():
            spent[name].append(side.cpu(*argv, stdin=event))
    bare, *told = (median(values) for values in spent.values())
    whats = (
        "`turn`, the session knows its layer / `python -I -S -c pass`",
        "`turn`, the layer in full / the same",
        "`turn` by the console script, the session knows its layer / the same",
    )
    return [
        Row("P3", f"{count:,}", what, f"{ours:.1f} ms", f"{bare:.1f} ms", f"{ours / bare:.2f}",
            f"≤ {_GOAL:.0f}" if asked else "(shown)", ours / bare <= _GOAL if asked else None)
        for what, ours, asked in zip(whats, told, (True, True, False), strict=True)
    ]  # fmt: skip


def _check(side, hook, begin, prompt):
    """No figure without an answer: the first is told in full, what follows is silent."""
    for _ in range(2):
        answer = json.loads(side.run(*hook, stdin=begin))["hookSpecificOutput"]
        if "</memory-" not in answer["additionalContext"]:
            raise SystemExit("memtools turn told no memory")
    if side.run(*hook, stdin=prompt):
        raise SystemExit("memtools turn told the same session twice")
