"""Which refs are protected branches."""

import pytest

from memtools.core.protected import is_protected


@pytest.mark.parametrize(
    ("ref", "patterns", "answer"),
    [
        ("refs/heads/main", ["main"], True),
        ("refs/remotes/origin/main", ["main"], True),
        ("refs/heads/maine", ["main"], False),
        ("refs/tags/main", ["main"], False),
        ("refs/heads/release/1.2", ["main", "release/*"], True),
        ("refs/heads/release", ["release/*"], False),
        ("refs/heads/aXbYc", ["a*b*c"], True),
        ("refs/heads/abc", ["a*b*c"], True),
        ("refs/heads/ab", ["a*b*c", "ab*b"], False),
        ("refs/heads/aa", ["a*a"], True),
        ("refs/heads/a", ["a*a"], False),
        ("refs/heads/anything", ["*"], True),
        ("refs/heads/main", [], False),
        ("main", ["main"], False),
    ],
)
def test_a_star_stands_for_any_part_of_a_branch_name(ref, patterns, answer):
    assert is_protected(ref, patterns) is answer
