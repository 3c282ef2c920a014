"""What must not be committed at all: secrets and leftover conflict marks, found by their shape.

A finding names kind and line and never holds the secret. Only structured shapes (fixed prefixes,
key blocks): no entropy guess, which flags ordinary lines.
"""

from __future__ import annotations

import re

from memtools.core.memory import Memory, numbered_lines
from memtools.core.pattern import lazy
from memtools.core.problem import Problem, problem
from memtools.core.wording import say

# (kind, words one of which must stand in the text before the shape is compiled at all, shape).
# Prefixes as their issuers publish them.
_SECRETS = (
    (
        say("private key"),
        ("PRIVATE KEY",),
        r"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----",
    ),
    (
        say("AWS access key"),
        ("AKIA", "ASIA"),
        r"(?<![A-Z0-9])(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Z0-9])",
    ),
    (
        say("GitHub token"),
        ("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"),
        r"(?<!\w)(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_\w{50,})",
    ),
    (say("GitLab token"), ("glpat-",), r"(?<!\w)glpat-[A-Za-z0-9_-]{20,}"),
    (say("Slack token"), ("xox",), r"(?<!\w)xox[abeoprs]-[A-Za-z0-9-]{10,}"),
    (say("Stripe key"), ("k_live_",), r"(?<!\w)[rs]k_live_[A-Za-z0-9]{20,}"),
    (say("Google API key"), ("AIza",), r"(?<!\w)AIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])"),
    (
        say("OpenAI or Anthropic key"),
        ("sk-",),
        r"(?<!\w)sk-(?:ant-|proj-|svcacct-)[A-Za-z0-9_-]{20,}|(?<![\w-])sk-[A-Za-z0-9]{40,}",
    ),
    (say("npm token"), ("npm_",), r"(?<!\w)npm_[A-Za-z0-9]{36}(?!\w)"),
    (say("PyPI token"), ("pypi-",), r"(?<!\w)pypi-[A-Za-z0-9_-]{50,}"),
    (
        say("password in a URL"),
        ("://",),
        r"\b[a-z][a-z0-9+.-]{0,30}://[^\s/:@]{1,80}:[^\s/@<>{}$*]{3,200}@[^\s/]+",
    ),
)
# Values that the issuers' own documents use as examples.
_PUBLISHED = ("EXAMPLE", "example.com", "example.org", "xxxx", "XXXX")
_FENCE = lazy(r" {0,3}(?:```|~~~)")


def find_secrets(memory: Memory) -> list[Problem]:
    """Secrets in header and body, by kind and line; the first kind of a line only."""
    found: dict[int, Problem] = {}
    for kind, words, pattern in _SECRETS:
        if not any(word in memory.body or word in memory.header_text for word in words):
            continue
        shape = re.compile(pattern)
        for number, line in numbered_lines(memory):
            match = shape.search(line)
            if match and not any(word in match.group() for word in _PUBLISHED):
                found.setdefault(number, _secret(memory.path, number, kind))
    return [found[number] for number in sorted(found)]


def _secret(path: str, line: int, kind: str) -> Problem:
    return problem(
        path,
        line,
        "secret-found",
        say(
            "this line holds what looks like a secret ({kind}); take it out, then commit", kind=kind
        ),
        say("when it is none: git commit -n"),
    )


def find_conflict_marks(memory: Memory) -> list[Problem]:
    """The first leftover conflict mark outside fenced code: `<<<<<<< ` with its `>>>>>>> `."""
    if "<<<<<<< " not in memory.body and "<<<<<<< " not in memory.header_text:
        return []
    opened = 0
    fenced = False
    for number, line in numbered_lines(memory):
        if _FENCE.match(line):
            fenced = not fenced
        if fenced:
            continue
        if line.startswith("<<<<<<< "):
            opened = opened or number
        elif opened and line.startswith(">>>>>>> "):
            what = say("a conflict was left unresolved here; resolve it, git add, commit")
            return [problem(memory.path, opened, "conflict-marks", what)]
    return []
