"""`memtools search`: ranked memories of HEAD, as their files have them."""

from __future__ import annotations

from memtools.core.wording import say
from memtools.entrypoints import text
from memtools.entrypoints.progress import progress_later
from memtools.entrypoints.verb import FLAG, JSON, WHOLE, Argument, Option, Verb
from memtools.errors import DONE
from memtools.usecases.reading.search import search
from memtools.usecases.repository import open_repository

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memtools.usecases.reading.hit import Hit


def run(
    query: str,
    limit: int,
    scope: str | None,
    tag: str | None,
    include_retracted: bool,
    include_candidates: bool,
    as_json: bool,
) -> int:
    """Search, and print the hits; none is no failure."""
    repository = open_repository()
    with progress_later(say("search index")) as tell:
        found = search(
            repository,
            query,
            limit=limit,
            scope=scope,
            tag=tag,
            include_retracted=include_retracted,
            include_candidates=include_candidates,
            progress=tell,
        )
    if as_json:
        text.show_json(
            {
                "query": query,
                "total": found.total,
                "stale": found.stale,
                "hits": [hit_values(hit) for hit in found.hits],
                "uncommitted": found.uncommitted,
                "uncommitted_at_least": found.at_least,
            }
        )
    else:
        for hit in found.hits:
            _show(hit)
        if not found.hits:
            text.note(say('no memory answers "{query}"', query=query))
        if not repository.head_tree:
            text.note(say("nothing is committed here yet: git add your notes, then git commit"))
    for notice in found.notices:
        text.note(notice)
    return DONE


def hit_values(hit: Hit) -> dict[str, object]:
    """A hit as the JSON contract names it."""
    values: dict[str, object] = {
        "path": hit.path,
        "id": hit.id,
        "title": hit.title,
        "status": hit.status,
        "priority": hit.priority,
        "scope": hit.scope,
        "score": hit.score,
        "line": hit.line,
        "snippet": hit.snippet,
    }
    if hit.status == "retracted":
        values |= {"retracted_by": hit.by, "retracted_at": hit.at}
    if hit.problems:
        values["problems"] = [text.problem_values(problem) for problem in hit.problems]
    return values


def _show(hit: Hit) -> None:
    marks = [mark for mark in (hit.priority, hit.scope) if mark not in ("", "normal")]
    about = f"  [{', '.join(marks)}]" if marks else ""
    text.result(f"{hit.path}:{hit.line}  {hit.title}{about}", "bold")
    if hit.status != "active":
        text.result(_banner(hit), "yellow")
    if hit.snippet:
        text.result(f"    {hit.snippet}")
    text.show_problems(hit.problems)


def _banner(hit: Hit) -> str:
    if hit.is_withheld:
        return say("    CANDIDATE: withheld, it holds what looks like a secret or personal data")
    if hit.status == "candidate":
        return say("    CANDIDATE: nobody has approved this yet")
    by, at = hit.by or "?", hit.at[:10]
    if at:
        return say("    RETRACTED {at} by {by}: do not rely on this", at=at, by=by)
    return say("    RETRACTED by {by}, without a tombstone yet: do not rely on this", by=by)


SEARCH = Verb(
    run,
    summary="Find memories by words.",
    example="memtools search 'root cause' -n 5",
    parameters=(
        Argument("QUERY"),
        Option(("-n", "--limit"), "At most so many.", WHOLE, default=10, low=1, metavar="N"),
        Option(
            ("--scope",),
            "Only memories of this scope; by default all scopes are searched.",
            default=None,
            metavar="S",
        ),
        Option(("--tag",), "Only memories with this tag.", default=None, metavar="T"),
        Option(("--include-retracted",), "Show tombstones too, marked as such.", FLAG),
        Option(("--include-candidates",), "Show memories nobody has approved yet, too.", FLAG),
        JSON,
    ),
    details="Searches what is committed, in English and Japanese; each hit is shown as its file is "
    "now, and left out when the file says that it is retracted or no longer holds a word.",
)
