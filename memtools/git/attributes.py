"""The merge driver's registration: its command, and our lines in the common info/attributes.

Must not know how the driver merges. A pattern for which the person's own attributes set `merge`
stays theirs: info/attributes would win over them, so their lines are said again after ours.
"""

from __future__ import annotations

import os
import re
import shlex

from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memtools.git.run import Git
    from memtools.git.shims import Program

DRIVER = "memtools"
UNSPECIFIED = "unspecified"  # git's word where nothing sets `merge`
_BEGIN = b"# memtools begin: written by `memtools init`, taken out by `memtools uninstall`\n"
_END = b"# memtools end\n"
_BLOCK = re.compile(rb"(?ms)^# memtools begin:.*?^# memtools end\n")
_PROBE = "memtools-probe.md"
_ATTRIBUTE_LINE = re.compile(
    r'[ \t]*(?P<pattern>"(?:[^"\\]|\\.)*"|[^\s"#][^\s]*)[ \t]+(?P<rest>.+)'
)


class Wanted(NamedTuple):
    """What info/attributes should hold of ours, and the value the person set in its stead."""

    block: bytes
    theirs: str


def driver_command(program: Program) -> str:
    """The value of `merge.memtools.driver`.

    The interpreter of init first, then `memtools` on PATH; when neither comes to an answer (0 is
    merged, 1 conflicts), `git merge-file`: a missing driver fails the whole merge in new git.
    """
    python, start = shlex.quote(program.python), shlex.quote(program.start)
    script = (
        f'if [ -x {python} ] && [ -f {start} ]; then {python} -I -S {start} merge-driver "$@"; '
        "elif command -v memtools >/dev/null 2>&1; then "
        'memtools merge-driver "$@"; else (exit 127); fi; code=$?; '
        "[ $code -gt 1 ] || exit $code; exec git merge-file -L ours -L base -L theirs "
        '--marker-size="$4" "$2" "$1" "$3"'
    )
    return f"sh -c {shlex.quote(script).replace('%', '%%')} memtools %O %A %B %L %P"


def wanted_block(git: Git, top: str, data: bytes) -> Wanted:
    """The lines for info/attributes; none where the person's attributes decide about every *.md.

    `data` is the whole file as it is now.
    """
    value = merge_value(git)
    is_by_us = value == DRIVER and _BLOCK.search(data) is not None
    if value != UNSPECIFIED and not is_by_us:
        return Wanted(b"", value)
    lines = [line for path in _attribute_files(git, top) for line in _said_again(top, path)]
    body = b"".join(os.fsencode(f"{line}\n") for line in [f"*.md merge={DRIVER}", *lines])
    return Wanted(_BEGIN + body + _END, "")


def merge_value(git: Git) -> str:
    """What the attributes in force set `merge` to for a *.md at the top; UNSPECIFIED: nothing."""
    answer = git.run("check-attr", "-z", "merge", "--", _PROBE).split(b"\0")
    return os.fsdecode(answer[2]) if len(answer) > 2 else UNSPECIFIED


def with_block(data: bytes, block: bytes) -> bytes:
    """The whole file with our lines first, so that every line of the person's wins over them."""
    return block + without_block(data)


def without_block(data: bytes) -> bytes:
    """The whole file as it was before our lines."""
    return _BLOCK.sub(b"", data, count=1)


def _attribute_files(git: Git, top: str) -> list[str]:
    """Repo-relative paths of the .gitattributes in the work tree, the outer ones first."""
    names = git.run("ls-files", "-z", "--cached").split(b"\0")
    found = {os.fsdecode(n) for n in names if n.rpartition(b"/")[2] == b".gitattributes"}
    found.add(".gitattributes")
    is_there = (path for path in found if os.path.isfile(os.path.join(top, path)))
    return sorted(is_there, key=lambda path: (path.count("/"), path))


def _said_again(top: str, path: str) -> list[str]:
    """The lines of one .gitattributes that set `merge`, made relative to the top."""
    with open(os.path.join(top, path), "rb") as file:
        text = os.fsdecode(file.read())
    folder = path.rpartition("/")[0]
    lines = []
    for line in text.splitlines():
        found = _ATTRIBUTE_LINE.match(line)
        if found is None or found["pattern"].startswith("[attr]"):
            continue
        values = [word for word in found["rest"].split() if _names_merge(word)]
        if values and values != [f"merge={DRIVER}"]:
            lines.append(" ".join([_from_top(found["pattern"], folder), *values]))
    return lines


def _names_merge(word: str) -> bool:
    return word.lstrip("-!").partition("=")[0] == "merge"


def _from_top(pattern: str, folder: str) -> str:
    """The pattern of a .gitattributes in `folder` as a pattern of the top."""
    if not folder:
        return pattern
    is_quoted = pattern.startswith('"')
    bare = re.sub(r'\\(["\\])', r"\1", pattern[1:-1]) if is_quoted else pattern
    inner = bare.lstrip("/") if "/" in bare.rstrip("/") else f"**/{bare}"
    outer = re.sub(r"([*?[\\])", r"\\\1", folder)
    made = f"/{outer}/{inner}"
    if not re.search(r'[\s"]', made):
        return made
    return '"' + re.sub(r'(["\\])', r"\\\1", made) + '"'
