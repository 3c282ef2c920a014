"""`memtools init` and `memtools uninstall`: into a repository and out of it again."""

from __future__ import annotations

from memtools.config import environ
from memtools.core.wording import Said, say
from memtools.entrypoints import text
from memtools.entrypoints.progress import progress
from memtools.entrypoints.verb import DRY_RUN, FLAG, JSON, Argument, Option, Verb
from memtools.errors import DONE
from memtools.usecases.installing.init import apply_init, plan_init, this_machine
from memtools.usecases.installing.record import Report
from memtools.usecases.installing.uninstall import apply_uninstall
from memtools.usecases.reading.index import build_index
from memtools.usecases.repository import open_repository


def run_init(dir: str, dry_run: bool, into_hooks_path: bool, as_json: bool) -> int:
    """Make or adopt the repository at `dir`."""
    machine = this_machine(environ())
    if dry_run:
        report = plan_init(dir, machine, into_hooks_path=into_hooks_path)
    else:
        report = apply_init(
            dir,
            machine,
            into_hooks_path=into_hooks_path,
            ask=_ask if text.can_ask() else None,
            build_index=_build_index,
        )
    _show(report, as_json)
    repository = None if dry_run else open_repository(report.top)
    if repository is not None and not (repository.is_bare or repository.head_tree):
        text.note(say("nothing is committed here yet: git add your notes, then git commit"))
    return DONE


def run_uninstall(as_json: bool) -> int:
    """Take memtools out of the repository here."""
    _show(apply_uninstall(".", environ()), as_json)
    return DONE


def _ask(question: Said) -> bool:
    return text.ask_yes_no(question)


def _build_index(top: str) -> None:
    with progress(say("search index")) as tell:
        build_index(top, tell)


def _show(report: Report, as_json: bool) -> None:
    if as_json:
        text.show_json(
            {
                "top": report.top,
                "dry_run": report.is_dry_run,
                "wrote": list(report.wrote),
                "kept": list(report.kept),
                "removed": list(report.removed),
                "put_back": list(report.put_back),
                "edited": list(report.edited),
                "notices": [str(line) for line in report.notices],
            }
        )
        return
    if report.is_dry_run:
        text.results(say("would write {path}", path=path) for path in report.wrote)
    else:
        text.results(say("wrote {path}", path=path) for path in report.wrote)
    text.results(say("kept {path}", path=path) for path in report.kept)
    text.results(say("took our entries out of {path}", path=path) for path in report.edited)
    text.results(say("put back {path}", path=path) for path in report.put_back)
    text.results(say("removed {path}", path=path) for path in report.removed)
    for line in report.notices:
        text.note(line)
    if not (report.wrote or report.removed or report.put_back or report.edited):
        text.result(say("nothing to change in {top}", top=report.top))


INIT = Verb(
    run_init,
    summary="Make or adopt a repository of memories; changes no note.",
    example="memtools init ~/notes",
    parameters=(
        Argument("DIR", required=False, default="."),
        DRY_RUN._replace(help="Only print what would be written."),
        Option(
            ("--into-hooks-path",),
            "Write into the folder core.hooksPath names, although it belongs to the work tree.",
            FLAG,
        ),
        JSON,
    ),
    details="Writes .memtools.toml when there is none, git hooks (existing ones are called after "
    "ours), the merge driver and the search index; into a bare repository the hook that "
    "judges pushes. A second run changes nothing.",
)
UNINSTALL = Verb(
    run_uninstall,
    summary="Put hooks, merge driver and settings back as they were; notes stay.",
    example="memtools uninstall",
    parameters=(JSON,),
)
