"""`memtools new`: an empty memory, opened in the person's editor."""

from __future__ import annotations

from memtools.config import read_variables
from memtools.core.vocabulary import Priority
from memtools.core.wording import say
from memtools.entrypoints import text
from memtools.entrypoints.verb import JSON, Argument, Option, Verb
from memtools.errors import DONE
from memtools.usecases.changing.new import create_memory, edit_memory
from memtools.usecases.repository import open_repository


def run(title: str, priority: str, scope: str, tag: tuple[str, ...], as_json: bool) -> int:
    """Create a memory, open it when a person is at the terminal, print its path."""
    repository = open_repository()
    made = create_memory(repository, title, priority=priority, scope=scope, tags=tag)
    if as_json:
        text.show_json(dict(made._asdict()))
        return DONE
    wants_editor = text.can_ask() and text.is_terminal() and read_variables().editor
    if wants_editor and not edit_memory(repository, made.path):
        text.note(say("the editor did not end well; the file is there: {path}", path=made.path))
    text.result(made.path)
    return DONE


NEW = Verb(
    run,
    summary="Create a memory, open it in $VISUAL or $EDITOR, print its path.",
    example='memtools new "Why the sync failed" --priority high --tag sync',
    parameters=(
        Argument("TITLE"),
        Option(
            ("--priority",),
            "high is put in front of the agent at every turn.",
            choices=tuple(word.value for word in Priority),
        ),
        Option(("--scope",), "The project it belongs to.", metavar="SCOPE"),
        Option(("--tag",), "A tag; may be repeated.", many=True, metavar="TAG"),
        JSON,
    ),
    details="The file goes below the first root; its name keeps the letters of the title. It has "
    "front matter only when an option asks for a field. Commit it when it is written.",
)
