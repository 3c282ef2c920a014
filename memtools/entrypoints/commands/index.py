"""`memtools index`: the state of the search index, and making it anew."""

from __future__ import annotations

from memtools.core.wording import say
from memtools.entrypoints import text
from memtools.entrypoints.progress import progress
from memtools.entrypoints.verb import FLAG, JSON, Option, Verb
from memtools.errors import DONE
from memtools.usecases.reading.index import READY, follow_head, rebuild_index
from memtools.usecases.repository import open_repository


def run(rebuild: bool, as_json: bool) -> int:
    """Bring the search index to HEAD, or make it anew with `rebuild`, and print what it is like."""
    repository = open_repository()
    if rebuild:
        with progress(say("search index")) as tell:
            found = rebuild_index(repository, tell)
    else:
        with progress(say("search index")) as tell:
            found = follow_head(repository, tell)
    if as_json:
        values = found._asdict()
        values["count"] = values.pop("memories")
        text.show_json({**values, "message": str(found.message)})
        return DONE
    if found.state != READY:
        text.result(found.message or found.state, "yellow")
        text.note(say("search makes it anew by itself; now: memtools index --rebuild"))
        return DONE
    text.result(
        say(
            "{count} memories, {segments} segments, {size} bytes",
            count=found.memories,
            segments=found.segments,
            size=found.size,
        )
    )
    if found.is_behind:
        text.result(
            say(
                "behind: it reflects tree {tree}, HEAD has {head}",
                tree=found.tree,
                head=found.head_tree,
            ),
            "yellow",
        )
        text.note(say("search brings it up by itself; now: memtools index --rebuild"))
    else:
        text.result(say("up to date with HEAD (tree {tree})", tree=found.tree), "green")
    text.result(say("in {folder}", folder=found.folder))
    return DONE


INDEX = Verb(
    run,
    summary="Show the state of the search index.",
    example="memtools index --rebuild",
    parameters=(Option(("--rebuild",), "Make it anew from the tree of HEAD.", FLAG), JSON),
    details="The index is derived: a commit notes what changes in it, the next search (or this "
    "command) takes that in, and it can always be made anew.",
)
