"""`memtools check`: the pull-request gate and the read-only hook of the pre-commit framework."""

from __future__ import annotations

from memtools.config import environ, read_variables
from memtools.core.refusals import shorten
from memtools.core.wording import Said, say
from memtools.entrypoints import text
from memtools.entrypoints.formats.sentences import return_lines, verdict
from memtools.entrypoints.verb import FLAG, JSON, Argument, Option, Verb
from memtools.errors import UsageError
from memtools.usecases.checking.check import Checked, check
from memtools.usecases.repository import open_repository

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memtools.usecases.checking.alike import Alike
    from memtools.usecases.checking.memories import Touched
    from memtools.usecases.checking.retractions import Retraction
    from memtools.usecases.repository import Repository

_MEMORIES = 50  # lines of them
_FORMATS = ("text", "json", "github", "gitlab", "sarif")


def run(
    treeish: str,
    staged: bool,
    range: str,
    all: bool,
    format: str,
    strict: bool,
    as_json: bool,
) -> int:
    """Judge a tree, the staging area or a range, and print what was found."""
    if format not in _FORMATS:
        raise UsageError(
            say("there is no format {name}", name=format),
            say("type one of: {names}", names=", ".join(_FORMATS)),
        )
    if staged:
        treeish, staged, range = _as_framework_asks()
    repository = open_repository()
    checked = check(repository, treeish, staged=staged, range=range, everything=all, strict=strict)
    _show(repository, checked, "json" if as_json else format)
    return checked.code


def _show(repository: Repository, checked: Checked, format: str) -> None:
    if format == "json":
        text.show_json(_values(checked))
    elif format == "github":
        _show_github(repository, checked)
    elif format == "gitlab":
        from memtools.entrypoints.formats.gitlab import code_quality

        text.block(text.to_json(code_quality(checked.problems)))
    elif format == "sarif":
        from memtools.entrypoints.formats.sarif import sarif

        text.block(text.to_json(sarif(checked.problems)))
    else:
        text.show_problems(checked.problems)
        text.results(_lines(checked))


def _show_github(repository: Repository, checked: Checked) -> None:
    """Annotations; the summary goes where the step is told to put it, else it is printed."""
    from memtools.entrypoints.formats.github import annotation_lines
    from memtools.entrypoints.formats.summary import summary
    from memtools.usecases.checking.diff import differences_of

    text.results(annotation_lines(checked.problems))
    told = summary(checked, differences_of(repository, checked))
    target = read_variables().step_summary
    if target:
        _append(target, told)
    else:
        text.block(told)


def _append(path: str, told: str) -> None:
    from pathlib import Path  # most checks need none of it

    try:
        with Path(path).open("a", encoding="utf-8") as file:
            file.write(told)
    except OSError as error:
        raise UsageError(say("cannot write to {path}: {reason}", path=path, reason=error)) from None


def _as_framework_asks() -> tuple[str, bool, str]:
    """Treeish, staged and range for `--staged`: the framework hands over what is pushed."""
    env = environ()
    start, end = env.get("PRE_COMMIT_FROM_REF", ""), env.get("PRE_COMMIT_TO_REF", "")
    if start and end:
        return "", False, f"{start}..{end}"
    if env.get("PRE_COMMIT_REMOTE_BRANCH"):  # all of a new branch
        return env.get("PRE_COMMIT_LOCAL_BRANCH") or "HEAD", False, ""
    return "", True, ""


def _values(checked: Checked) -> dict[str, object]:
    return {
        "problems": [text.problem_values(problem) for problem in checked.problems],
        "older": checked.older,
        "enters": [speaker._asdict() for speaker in checked.enters],
        "leaves": [speaker._asdict() for speaker in checked.leaves],
        "changes": [speaker._asdict() for speaker in checked.changes],
        "retractions": [retraction._asdict() for retraction in checked.retractions],
        "returned": [one._asdict() for one in checked.returned],
        "memories": [_memory_values(memory) for memory in checked.memories],
        "lookalikes": [alike._asdict() for alike in checked.alike],
        "approval": {
            "needed": checked.approval.needed,
            "why": checked.approval.why,
            "who": str(checked.approval.who),
            "signers": checked.approval.signers,
        },
    }


def _memory_values(memory: Touched) -> dict[str, object]:
    return {**memory._asdict(), "reasons": [str(reason) for reason in memory.reasons]}


def _lines(checked: Checked) -> Iterator[Said]:
    for speaker in checked.enters:
        yield say(
            "enters the activation layer: {path} ({count} bytes)",
            path=speaker.path,
            count=speaker.bytes,
        )
    for speaker in checked.changes:
        yield say(
            "speaks otherwise in the activation layer: {path} (now {count} bytes)",
            path=speaker.path,
            count=speaker.bytes,
        )
    for speaker in checked.leaves:
        yield say(
            "leaves the activation layer: {path} ({count} bytes)",
            path=speaker.path,
            count=speaker.bytes,
        )
    yield from _memories(checked.memories)
    for retraction in checked.retractions:
        yield _retraction(retraction)
        if retraction.linked_from:
            yield say("  linked from: {paths}", paths=", ".join(retraction.linked_from))
    yield from return_lines(checked.returned)
    for alike in checked.alike:
        yield say("look-alike: {path} reads like {other} ({status})", **_pair(alike))
    if checked.approval.needed:
        yield say("needs approval by {who}", who=checked.approval.who)
        for reason in checked.approval.reasons:
            yield say("  because {reason}", reason=reason)
    if checked.older:
        yield say(
            "older problems, not counted here: {count} (memtools check --all lists them)",
            count=checked.older,
        )
    yield verdict(checked.problems)


def _memories(memories: Sequence[Touched]) -> Iterator[Said]:
    yield from map(_memory, memories[:_MEMORIES])
    if len(memories) > _MEMORIES:
        yield say("and {count} more", count=len(memories) - _MEMORIES)


def _memory(one: Touched) -> Said:
    return say(
        "memory {path}: {change}, {before} → {after}; source {source}, confidence {confidence}, "
        "cost {cost}; write gate {gate}",
        path=one.path,
        change=one.change,
        before=one.before or "–",
        after=one.after or "–",
        source=one.source or "–",
        confidence="–" if one.confidence is None else one.confidence,
        cost=one.failure_cost or "–",
        gate=f"{one.decision} ({one.rule})" if one.rule else "–",
    )


def _pair(alike: Alike) -> dict[str, str]:
    return {"path": alike.path, "other": alike.other, "status": alike.status}


def _retraction(retraction: Retraction) -> Said:
    values = {
        "path": retraction.path,
        "line": retraction.line,
        "phrase": shorten(retraction.phrase, 60),
        "by": retraction.declared_in,
        "at": retraction.declared_line,
    }
    if not retraction.declared_in:
        return say("retracted: {path}, by no marker", path=retraction.path)
    if retraction.state == "pending":
        return say('pending: {path}:{line} "{phrase}" (by {by}:{at}, a candidate)', **values)
    if retraction.state == "retracted":
        return say('retracted: {path}:{line} "{phrase}" (by {by}:{at})', **values)
    return say('would be retracted: {path}:{line} "{phrase}" (by {by}:{at})', **values)


CHECK = Verb(
    run,
    summary="Prove that every RETRACTS line has its tombstone; tell what a change does.",
    example="memtools check --range origin/main..HEAD",
    parameters=(
        Argument("TREEISH", required=False),
        Option(("--staged",), "Judge what is staged (for the pre-commit framework).", FLAG),
        Option(("--range",), "Judge what the commits of A..B bring.", metavar="A..B"),
        Option(("--all",), "Judge HEAD, old secrets too.", FLAG),
        Option(("--format",), "text, json, github, gitlab or sarif.", default="text", metavar="F"),
        Option(("--strict",), "Fail for warnings too.", FLAG),
        JSON,
    ),
    details="Reads only, every memory of the tree, and needs neither network nor search index. "
    "Ends with 1 when there is an error. A range fails only for what it brings in or touches, and "
    "is judged by the settings of its base.",
)
