"""`memtools demo`: the story of one wrong lesson, told by running it."""

from __future__ import annotations

import sys

from memtools.core.wording import say
from memtools.entrypoints import text
from memtools.entrypoints.streams import flush
from memtools.entrypoints.verb import Option, Verb
from memtools.errors import DONE
from memtools.usecases.demo import make_folder, remove_folder, tell_story


def run(keep: str) -> int:
    """Tell the story in a temporary folder, or in `keep`, which stays."""
    folder = make_folder(keep)
    try:
        for line in tell_story(folder, sys.executable):
            if line.kind == "remark":
                text.result()
                text.result(say("# {remark}", remark=line.text), "bold")
            elif line.kind == "command":
                text.result(f"$ {line.text}", "cyan")
            else:
                text.result(line.text)
            flush()
    finally:
        if not keep:
            remove_folder(folder)
    text.result()
    if keep:
        text.result(say("# The repository is in {path}", path=folder), "bold")
    else:
        text.result(say("# That was a temporary folder. In your own notes: memtools init"), "bold")
    return DONE


DEMO = Verb(
    run,
    summary="Tell the whole story on real git in a temporary folder.",
    example="memtools demo",
    parameters=(
        Option(("--keep",), "Use this new or empty folder and leave it there.", metavar="DIR"),
    ),
    details="A wrong lesson is injected, a RETRACTS line is committed, the tombstone lands in the "
    "same commit, the lesson is gone from search and recall, and comes back by restore. Your own "
    "git settings are neither read nor changed.",
)
