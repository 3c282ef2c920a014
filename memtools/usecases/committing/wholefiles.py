"""Files of the work tree that a commit of our own brings or takes out as a whole.

Must not know why; what is not as git held it is the person's, and stays.
"""

from __future__ import annotations

from memtools.git.worktree import FOLLOWED, LEFT, NOT_REGULAR, read_plain_file, remove, write_new

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memtools.usecases.repository import Repository
    from memtools.usecases.state import JournalRow


def create(repository: Repository, row: JournalRow) -> str:
    """Write a new file; returns a word of `git.worktree`."""
    data = repository.git.run("cat-file", "--filters", f"--path={row.path}", row.new)
    try:
        write_new(repository.top, row.path, data)
    except FileExistsError:
        return FOLLOWED
    except OSError:
        return NOT_REGULAR
    return FOLLOWED


def take_away(repository: Repository, row: JournalRow) -> str:
    """Delete a file that is still as git held it; returns a word of `git.worktree`."""
    raw = read_plain_file(repository.top, row.path)
    if raw is None:
        return FOLLOWED
    git = repository.git.run
    if git("hash-object", "--stdin", "--path", row.path, stdin=raw).decode().strip() != row.old:
        return LEFT
    try:
        return remove(repository.top, row.path, raw, "")
    except OSError:
        return LEFT
