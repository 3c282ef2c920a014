"""What a hook of git or of an agent does first, before anything big is loaded.

Imports nothing big when it can. Step 1 (this module, `git/run.py`, one git process) settles the
commit that touches no memory. Only past it are other modules and installed packages reached.
"""

from __future__ import annotations

import os
import sys

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# The first words of a ledger this version can read (`usecases/state.py` writes them).
LEDGER_HEAD = b"memtools-ledger 1"
_FOLD_FORWARD = 500  # more paths than this since the ledger's tree: bring the ledger along again
# New objects between two looks for garbage: what is imported stays, and looking costs 8 CPU ms.
_SELDOM = 100_000
_PACKAGES = ("tantivy", "yaml", "markdown_it")  # what a hook may need of others
_REGULAR = 0o10  # the type in a file's mode


def run(argv: list[str]) -> int:
    """Run one command line; raises only when this installation is damaged."""
    # Who receives a push (pre-receive) is not told by who pushes that it need not be judged.
    is_own = argv[:1] == ["hook"] and argv[1:2] != ["pre-receive"]
    if is_own and os.environ.get("MEMTOOLS_IN_HOOK"):
        return 0
    if sys.getfilesystemencoding() != "utf-8":
        from memtools.entrypoints.streams import restart_in_utf8

        restart_in_utf8()
    if _is_turn(argv):
        from memtools.entrypoints.turn import run as answer

        return answer(argv, os.environ, _prepare)
    if argv[:2] == ["hook", "pre-commit"] and _is_nothing_to_do():
        return 0
    _prepare()
    from memtools.entrypoints.main import main

    return main(argv)


def _is_turn(argv: list[str]) -> bool:
    """Does an agent call, as in `-C DIR turn`? It must never see an exit code other than 0."""
    at = 0
    while argv[at : at + 1] == ["-C"]:
        at += 2
    return argv[at : at + 1] == ["turn"] and not {"-h", "--help"} & set(argv)


def _prepare() -> None:
    """Make ready for more than the standard library."""
    import gc

    gc.set_threshold(_SELDOM)
    if sys.flags.no_site:
        _add_packages()


def _add_packages() -> None:
    """Make installed packages known: they lie beside memtools, or elsewhere when it is editable."""
    prefix = os.path.dirname(os.path.dirname(sys.executable))
    version = f"python{sys.version_info[0]}.{sys.version_info[1]}"
    for folder in (HERE, os.path.join(prefix, "lib", version, "site-packages")):
        if all(os.path.isdir(os.path.join(folder, name)) for name in _PACKAGES):
            if folder not in sys.path:
                sys.path.append(folder)
            return
    import site  # the long way over all `.pth` files

    site.main()


def _is_nothing_to_do() -> bool:
    """Does this commit touch no memory, and has no marker work left? Leaves the flag `quiet` then.

    The flag names the git process that commits (the shim tells it when no hook comes after ours),
    so that it dies with a commit that is given up.
    """
    git_dir = os.environ.get("GIT_DIR") or ".git"
    state = os.path.join(git_dir, "memtools")
    try:
        ledger = _open_plain(os.path.join(state, "ledger"))
    except OSError:
        return False
    words = os.read(ledger, 300).partition(b"\n")[0].split()
    os.close(ledger)
    if b" ".join(words[:2]) != LEDGER_HEAD or len(words) != 6 or words[4] != b"quiet":
        return False
    if any(_size(os.path.join(state, name)) for name in ("journal", "unattended")):
        return False
    if _size(os.path.join(git_dir, "MERGE_HEAD")):  # what the other side did may be lost here
        return False
    if not _touches_no_memory(words[2].decode()):
        return False
    commit = os.environ.get("MEMTOOLS_COMMIT", "")
    if commit.isdigit() and commit != "1":  # 1: nobody's, where git is no POSIX program
        _write_flag(os.path.join(state, "quiet"), b"=%s\n" % commit.encode())
    return True


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size
    except OSError:
        return 0


def _write_flag(path: str, data: bytes) -> None:
    try:
        flag = _open_plain(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    except OSError:
        return  # post-commit then looks for itself
    os.write(flag, data)
    os.close(flag)


def _open_plain(path: str, flags: int = os.O_RDONLY) -> int:
    """A regular file and nothing else, as `files.open_plain` (which would be one import more)."""
    safe = sum(getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_BINARY"))
    descriptor = os.open(path, flags | safe, 0o600)
    if os.fstat(descriptor).st_mode >> 12 != _REGULAR:
        os.close(descriptor)
        raise OSError(path)
    return descriptor


def _touches_no_memory(tree: str) -> bool:
    from memtools.git.run import FIRST_DIFF, STAGED, Git, environment

    git = Git(".", environment(os.environ))
    asked = (*STAGED, "--raw", "-z", "--no-abbrev", "--no-renames", tree, "--")
    code, out, _ = git.call(*asked)
    if code:
        return False
    FIRST_DIFF[tree] = out
    paths = out.split(b"\0")[1::2]
    return len(paths) <= _FOLD_FORWARD and not any(
        path.lower().endswith((b".md", b".mdc")) or path == b".memtools.toml" for path in paths
    )
