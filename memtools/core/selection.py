"""Which paths are memories, and which store each belongs to; one compiled pattern decides.

Knows no settings file: it is given roots, globs and folders that are already checked.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

SUFFIX = ".md"
# Files at the top of a repository that speak of the repository; a translation, a local twin too.
_TOP_LEVEL = (
    r"(?i:README(?:[._-][a-z]{2}(?:[_-][a-z]{2,4})?)?|CHANGELOG|CONTRIBUTING|LICENSE"
    r"|AGENTS|CLAUDE(?:\.local)?|GEMINI)\.[mM][dD]\Z"
)
_STEP_END = r"(?:/|\Z)"
# Where agents look for a file that is put before them, and that may hold a block of memories; the
# last one is a folder of such files.
PLACES = (
    "AGENTS.md",
    "CLAUDE.md",
    "CLAUDE.local.md",
    "GEMINI.md",
    ".claude/CLAUDE.md",
    ".github/copilot-instructions.md",
    ".cursor/rules/",
)


class Selection:
    """The memories among the paths of a repository.

    `roots` are folders (or single files) from the top, "." for the whole repository; `exclude` are
    globs over whole paths: `*` and `?` stay in one folder, `**` crosses folders, and a glob that
    names a folder takes out all below it. Folders and files whose name begins with a dot are out,
    unless a root names them; so are README, CHANGELOG and their like at the top.
    """

    __slots__ = ("_is_all", "_pattern", "exclude", "roots")

    def __init__(self, roots: Iterable[str] = (".",), exclude: Iterable[str] = ()) -> None:
        self.roots = tuple(roots)
        self.exclude = tuple(exclude)
        self._is_all = self.roots == (".",) and not self.exclude
        self._pattern: re.Pattern[str] | None = None

    def holds(self, path: str) -> bool:
        """Is the file at `path` (repo-relative, POSIX) a memory, by its name alone?"""
        if path[-3:].lower() != SUFFIX:
            return False
        if self._is_all and "/" in path and path[0] != "." and "/." not in path:
            return True  # the quick yes for most
        pattern = self._pattern
        if pattern is None:
            pattern = self._pattern = re.compile(_pattern(self.roots, self.exclude), re.DOTALL)
        return pattern.match(path) is not None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Selection):
            return NotImplemented
        return (self.roots, self.exclude) == (other.roots, other.exclude)

    def __hash__(self) -> int:
        return hash((self.roots, self.exclude))

    def __repr__(self) -> str:
        return f"Selection({self.roots!r}, {self.exclude!r})"


def is_place(path: str) -> bool:
    """Is this one of the files that may hold a block of memories?"""
    folder, _, name = path.rpartition("/")
    return path in PLACES or (f"{folder}/" == PLACES[-1] and name.endswith(".mdc"))


def find_store(path: str, stores: Iterable[tuple[str, tuple[str, ...]]]) -> str:
    """The name of the store whose folder holds `path`; "" for the store of all the rest.

    Of two folders that hold it the deeper one counts.
    """
    found, depth = "", -1
    for name, folders in stores:
        for folder in folders:
            size = 0 if folder == "." else len(folder)
            if size > depth and (not size or path == folder or path.startswith(f"{folder}/")):
                found, depth = name, size
    return found


def stores_between(paths: Sequence[str]) -> dict[str, str]:
    """Folder -> store name when these paths lie one each in different top-level folders."""
    folders = [path.split("/")[0] for path in paths if "/" in path]
    if len(folders) < len(paths) or len(set(folders)) < len(folders):
        return {}
    return {folder: folder for folder in folders}


def glob_fault(glob: str) -> str:
    """Why `glob` cannot be used: "empty", "negated", "stars", "outside", or "" when it can."""
    if glob.startswith("!"):
        return "negated"
    steps = _steps(glob)
    if not steps:
        return "empty"
    if ".." in steps:
        return "outside"
    return "stars" if any("**" in step and step != "**" for step in steps) else ""


def _pattern(roots: tuple[str, ...], exclude: tuple[str, ...]) -> str:
    out = "|".join(_glob_pattern(glob) for glob in exclude)
    files = "|".join(re.escape(root) for root in roots if root not in (".", "")) or "(?!)"
    folders = "|".join("" if root in (".", "") else re.escape(f"{root}/") for root in roots)
    below = rf"(?!{_TOP_LEVEL})(?:{folders})(?!\.)(?!.*/\.)" if roots else "(?!)"
    return f"{f'(?!{out})' if out else ''}(?:(?:{files})\\Z|{below})"


def _steps(glob: str) -> list[str]:
    return [step for step in glob.split("/") if step not in ("", ".")]


def _glob_pattern(glob: str) -> str:
    """A pattern that matches from the start of a path, in time linear in its length but for one.

    Between two `**` the leftmost match is as good as any, so it is never taken back (`(?>`).
    """
    runs: list[list[str]] = [[]]
    for step in _steps(glob):
        if step == "**":
            runs.append([])
        else:
            runs[-1].append(_step_pattern(step))
    parts = []
    for number, run in enumerate(runs):
        if not run:
            continue
        text = "/".join(run)
        if number:
            text = f"(?:[^/]+/)*?{text}"
        parts.append(f"(?>{text}{_STEP_END if number == len(runs) - 1 else '/'})")
    return "".join(parts) or ("(?=.)" if len(runs) > 1 else "(?!)")


def _step_pattern(step: str) -> str:
    """One step of a glob; its last star alone may give back, as in the standard fnmatch."""
    literals = [re.escape(part).replace(r"\?", "[^/]") for part in step.split("*")]
    if len(literals) == 1:
        return literals[0]
    inner = "".join(f"(?>[^/]*?{part})" for part in literals[1:-1] if part)
    return rf"{literals[0]}{inner}[^/]*{literals[-1]}(?=/|\Z)"
