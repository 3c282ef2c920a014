"""A problem: something about a file that a person can mend; and the catalogue of rule ids.

Must not know how problems are printed.
"""

from __future__ import annotations

from memtools.values import NamedTuple

ERROR = "error"
WARNING = "warning"


class Problem(NamedTuple):
    """One finding.

    `path` is repo-relative POSIX (may hold surrogates), `line` counts from 1 over the file (0:
    no line), `message` and `hint` are sentences made by `wording.say`.
    """

    path: str
    line: int
    rule: str
    severity: str
    message: str
    hint: str = ""

    @property
    def is_error(self) -> bool:
        """Is it more than a warning?"""
        return self.severity == ERROR


def problem(
    path: str, line: int, rule: str, message: str, hint: str = "", severity: str = ""
) -> Problem:
    """Make a Problem; the severity comes from the catalogue unless given."""
    return Problem(path, line, rule, severity or RULES[rule], message, hint)


# rule id -> severity. Cause and cure of each stand in docs/rules.md (a test compares the two).
RULES: dict[str, str] = {
    # reading a file
    "header-unclosed": ERROR,
    "header-cr-only": ERROR,
    "header-utf16": ERROR,
    "header-not-utf8": ERROR,
    "header-json": ERROR,
    "header-toml": WARNING,
    "header-not-mapping": ERROR,
    "header-anchored-value": ERROR,
    "header-yaml-unreadable": WARNING,
    "header-duplicate-key": WARNING,
    "header-key-case": WARNING,
    "header-too-large": ERROR,
    "header-unprovable": ERROR,
    "body-not-utf8": WARNING,
    "file-too-large": ERROR,
    "status-unknown": ERROR,
    "status-not-text": ERROR,
    "priority-unknown": WARNING,
    "field-invalid": WARNING,
    # markers
    "marker-near-miss": WARNING,
    "marker-lookalike": ERROR,
    "marker-inert": WARNING,
    "marker-unread": ERROR,
    "marker-duplicate": WARNING,
    "phrase-too-short": ERROR,
    "phrase-too-long": ERROR,
    "phrase-empty": ERROR,
    # retraction
    "retract-ambiguous": ERROR,
    "retract-no-match": WARNING,
    "retract-not-editable": ERROR,
    "retract-unapplied": ERROR,
    "retract-mutual": WARNING,
    "retract-too-many": ERROR,
    "retract-by-agent": ERROR,
    "retract-partial-sources": WARNING,
    "derived-from-retracted": WARNING,
    "marker-stands": ERROR,
    "retract-untracked": WARNING,
    "unretracted": ERROR,
    "retraction-dropped": ERROR,
    "tombstone-orphan": WARNING,
    "reintroduction": WARNING,
    # files and configuration
    "conflict-marks": ERROR,
    "secret-found": ERROR,
    "personal-data": WARNING,
    "hidden-character": WARNING,
    "mixed-script": WARNING,
    "hidden-comment": WARNING,
    "instruction-like": WARNING,
    "symlink-memory": WARNING,
    "id-duplicate": WARNING,
    "memtools-outdated": ERROR,
    "render-broken": ERROR,
    "render-stale": ERROR,
    "render-foreign": ERROR,
    "config-invalid": ERROR,
    "config-unknown-key": ERROR,
    "config-changed": WARNING,
    "protected-branch": ERROR,
    "signers-changed": WARNING,
    "approval-unsigned": ERROR,
    "approval-not-allowed": ERROR,
    "agent-settings": ERROR,
}
