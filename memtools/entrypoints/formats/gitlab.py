"""GitLab's code quality report: a list of findings with fingerprints that stay when lines move.

Must not know any other form.
"""

from __future__ import annotations

from memtools.core.invisible import bytes_of, escape_for_terminal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from memtools.core.problem import Problem


def code_quality(problems: Iterable[Problem]) -> list[dict[str, object]]:
    """The report as plain values; messages stay English, as in all JSON."""
    return [
        {
            "description": escape_for_terminal(problem.message),
            "check_name": problem.rule,
            "fingerprint": fingerprint,
            "severity": "major" if problem.is_error else "minor",
            "location": {
                "path": escape_for_terminal(problem.path),
                "lines": {"begin": max(problem.line, 1)},
            },
        }
        for problem, fingerprint in fingerprinted(problems)
    ]


def fingerprinted(problems: Iterable[Problem]) -> Iterable[tuple[Problem, str]]:
    """Each problem with what names it from one run to the next: path, rule, message, number."""
    from hashlib import sha256

    counts: dict[tuple[str, str, str], int] = {}
    for problem in problems:
        key = (problem.path, problem.rule, str(problem.message))
        counts[key] = counts.get(key, 0) + 1
        named = "\0".join((*key, str(counts[key])))
        yield problem, sha256(bytes_of(named)).hexdigest()
