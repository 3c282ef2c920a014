"""Which branches are protected (`approval.protected`): what stands on them counts as approved."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_LOCAL, _REMOTE = "refs/heads/", "refs/remotes/"


def is_protected(ref: str, patterns: Iterable[str]) -> bool:
    """Is this full ref a protected branch, or what a remote has as one?

    `*` in a pattern stands for any part of a name.
    """
    if ref.startswith(_LOCAL):
        name = ref.removeprefix(_LOCAL)
    elif ref.startswith(_REMOTE):
        name = ref.removeprefix(_REMOTE).partition("/")[2]
    else:
        return False
    return bool(name) and any(_fits(name, pattern) for pattern in patterns)


def _fits(name: str, pattern: str) -> bool:
    """Each part between stars as far left as it goes, the last one at the end."""
    first, *rest = pattern.split("*")
    if not rest:
        return name == pattern
    if not name.startswith(first) or len(name) < len(first) + len(rest[-1]):
        return False
    last = rest.pop()
    at, end = len(first), len(name) - len(last)
    for part in rest:
        at = name.find(part, at, end)
        if at < 0:
            return False
        at += len(part)
    return at <= end and name.endswith(last)
