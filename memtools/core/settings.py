"""The settings of a repository as values: what each key may hold, its default, how it is checked.

Knows no file format: it is given plain values by name and returns faults as sentences.
"""

from __future__ import annotations

import re

from memtools.core.requirement import requirement
from memtools.core.selection import glob_fault
from memtools.core.vocabulary import Priority, Status, folded
from memtools.core.wording import Said, say
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    # (the value to use, what is wrong with the given one: none, or several)
    Checked = tuple[object, tuple[Said, ...]]
    Check = Callable[[object], Checked]


class Retraction(NamedTuple):
    """[retraction]."""

    min_columns: int = 10
    unmatched: str = "warn"
    max_new_markers: int = 500
    merge_mode: str = "stop"


class Activation(NamedTuple):
    """[activation]; sizes in bytes of UTF-8. `worktrees`: do those of one project share a scope?"""

    budget_bytes: int = 8000
    per_memory_bytes: int = 2000
    worktrees: str = "share"


class Gate(NamedTuple):
    """[gate]."""

    input_trust: str = "low"
    failure_cost: str = "low"
    min_confidence: float = 0.3
    auto_confidence: float = 0.8
    delay_days: int = 3
    store_inferred: bool = False


class Approval(NamedTuple):
    """[approval]."""

    allowed_signers: str = ""
    protected: tuple[str, ...] = ("main",)


SECTIONS: dict[str, type[Retraction | Activation | Gate | Approval]] = {
    "retraction": Retraction,
    "activation": Activation,
    "gate": Gate,
    "approval": Approval,
}
# Our own words: what the words of a vocabulary may mean; no file gives these another meaning.
OWN_WORDS: dict[str, tuple[str, ...]] = {
    "status": tuple(status.value for status in Status if status is not Status.UNKNOWN),
    "priority": tuple(priority.value for priority in Priority),
}
# A pattern as text: compiled when a settings file is read, not when a hook starts.
_NO_REF = r"[\x00-\x20\x7f~^:?*\[\\]|\.\.|@\{|^-|^/|/$|\.lock$|//"


def whole(low: int, high: int) -> Check:
    """A check for a whole number in a range."""

    def check(value: object) -> Checked:
        if isinstance(value, int) and not isinstance(value, bool) and low <= value <= high:
            return value, ()
        return None, (say("must be a whole number from {low} to {high}", low=low, high=high),)

    return check


def one_of(*words: str) -> Check:
    """A check for one of a few words."""

    def check(value: object) -> Checked:
        if isinstance(value, str) and value in words:
            return value, ()
        return None, (say("must be one of: {words}", words=", ".join(f'"{w}"' for w in words)),)

    return check


def share(value: object) -> Checked:
    """A number from 0 to 1."""
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if number and 0 <= float(value) <= 1:  # type: ignore[arg-type]  # a number, as just seen
        return float(value), ()  # type: ignore[arg-type]  # a number, as just seen
    return None, (say("must be a number from 0 to 1"),)


def flag(value: object) -> Checked:
    """True or false."""
    return (value, ()) if isinstance(value, bool) else (None, (say("must be true or false"),))


def folder(value: object) -> Checked:
    """A path inside the repository, made plain: "a/b", or "." for the top."""
    if not isinstance(value, str) or not value or "\0" in value:
        return None, (say('must be a path in the repository, "." for its top'),)
    steps = [step for step in value.split("/") if step not in ("", ".")]
    drive = "\\" in value or value[1:2] == ":"
    if value.startswith(("/", "~")) or drive or ".." in steps or ".git" in steps:
        return None, (say('"{value}" leads out of the repository', value=value),)
    return "/".join(steps) or ".", ()


def glob(value: object) -> Checked:
    """A glob over repo paths."""
    fault = glob_fault(value) if isinstance(value, str) and "\0" not in value else "empty"
    if not fault:
        return value, ()
    if fault == "negated":
        return None, (say('"{value}": a glob cannot be negated here', value=value),)
    if fault == "stars":
        return None, (say('"{value}": ** must stand alone between slashes', value=value),)
    if fault == "outside":
        return None, (say('"{value}" leads out of the repository', value=value),)
    return None, (say("must be a glob over repo paths"),)


def ref(value: object) -> Checked:
    """A branch or other revision name, or "" for none."""
    if isinstance(value, str) and not re.search(_NO_REF, value):
        return value, ()
    return None, (say('must be the name of a branch, as in "origin/main"'),)


def branch(value: object) -> Checked:
    """The name of a branch; `*` stands for any part of it."""
    if isinstance(value, str) and value and not re.search(_NO_REF, value.replace("*", "x")):
        return value, ()
    return None, (say('must be the name of a branch, as in "main"'),)


def signers(value: object) -> Checked:
    """A path inside the repository, or "" for none."""
    return ("", ()) if value == "" else folder(value)


def place(value: object) -> Checked:
    """A folder or the URL of a remote, by which a project is known."""
    if isinstance(value, str) and value.strip() and value.isprintable():
        return value.strip(), ()
    return None, (say('must be a folder or a remote, as in "github.com/acme/alpha"'),)


def several(check: Check) -> Check:
    """A check for a list; entries that fail are left out, a lone text is read as a list of one."""

    def check_all(value: object) -> Checked:
        faults = (
            []
            if isinstance(value, list)
            else [say("must be a list, as in [{value}]", value=repr(value))]
        )
        given = value if isinstance(value, list) else [value]
        kept: list[object] = []
        for entry in given:
            clean, wrong = check(entry)
            faults += wrong
            if not wrong and clean not in kept:
                kept.append(clean)
        return tuple(kept), tuple(faults)

    return check_all


# Every key with a fixed name, and what it may hold.
CHECKS: dict[str, Check] = {
    "roots": several(folder),
    "exclude": several(glob),
    "requires": requirement,
    "read_ref": ref,
    "retraction.min_columns": whole(6, 300),
    "retraction.unmatched": one_of("warn", "refuse"),
    "retraction.max_new_markers": whole(1, 1_000_000),
    "retraction.merge_mode": one_of("stop", "follow-up"),
    "activation.budget_bytes": whole(0, 10_000_000),
    "activation.per_memory_bytes": whole(1, 10_000_000),
    "activation.worktrees": one_of("share", "separate"),
    "gate.input_trust": one_of("low", "high"),
    "gate.failure_cost": one_of("low", "high"),
    "gate.min_confidence": share,
    "gate.auto_confidence": share,
    "gate.delay_days": whole(0, 3650),
    "gate.store_inferred": flag,
    "approval.allowed_signers": signers,
    "approval.protected": several(branch),
}


def meaning(table: str, word: str) -> Check:
    """A check for what a word of `[vocabulary.TABLE]` means."""
    own = OWN_WORDS.get(table, ())
    plain = folded(word)

    def check(value: object) -> Checked:
        if value not in own:
            return None, (say("must be one of: {words}", words=", ".join(f'"{w}"' for w in own)),)
        if not plain or (plain in own and plain != value):
            return None, (say('gives "{word}" another meaning, which no file may', word=plain),)
        return value, ()

    return check


def suggestion(name: str, known: Sequence[str]) -> Said:
    """What somebody who wrote `name` may have meant among the `known` names."""
    import difflib

    last = {entry.rpartition(".")[2]: entry for entry in known}
    near = difflib.get_close_matches(name, known, 1, 0.75)
    near = near or [
        last[key] for key in difflib.get_close_matches(name.rpartition(".")[2], last, 1)
    ]
    if not near:
        return say("`memtools config` lists the settings there are")
    return say("did you mean {name}?", name=near[0])
