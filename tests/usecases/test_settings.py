"""Which settings count for a reader, which language a person is spoken to in, who watches."""

import pytest

from memtools.errors import GitError
from memtools.usecases.person import is_unattended, spoken_language
from memtools.usecases.repository import open_repository
from memtools.usecases.settings import settings_in_force


def in_force(repo, flags=None):
    """Settings by name: (value, origin)."""
    found = settings_in_force(open_repository(str(repo.top)), flags)
    return {name: (value, origin) for name, value, origin in found.settings}


@pytest.fixture
def bound(repo):
    """HEAD says 9 days and the work tree, bound to main, says 1."""
    repo.save({".memtools.toml": "[gate]\ndelay_days = 9\n"})
    repo.write(".memtools.toml", "read_ref = 'main'\n[gate]\ndelay_days = 1\n")
    return repo


def test_with_a_read_ref_the_settings_come_from_that_ref(bound):
    found = in_force(bound)
    assert found["gate.delay_days"] == (9, "main:.memtools.toml:2")
    assert found["read_ref"][0] == "main"


def test_git_config_binds_whatever_the_file_says(bound):
    bound.save({".memtools.toml": "read_ref = ''\n"})
    bound.git("config", "memtools.readRef", "main~1")
    found = in_force(bound)
    assert found["read_ref"] == ("main~1", "git config memtools.readRef")
    assert found["gate.delay_days"][0] == 9


def test_a_variable_wins_over_git_config_and_a_flag_over_both(bound, monkeypatch):
    bound.git("config", "memtools.readRef", "nowhere")
    monkeypatch.setenv("MEMTOOLS_READ_REF", "main")
    assert in_force(bound)["read_ref"] == ("main", "variable MEMTOOLS_READ_REF")
    found = in_force(bound, {"read_ref": "", "activation.budget_bytes": 5})
    assert found["read_ref"] == ("", "flag --read-ref")
    assert found["activation.budget_bytes"] == (5, "flag --budget-bytes")
    assert found["gate.delay_days"] == (1, ".memtools.toml:3")


def test_a_read_ref_that_is_gone_is_an_error(repo):
    repo.save({"a.md": "x\n"})
    repo.write(".memtools.toml", "read_ref = 'origin/main'\n")
    with pytest.raises(GitError, match="there is no revision origin/main"):
        in_force(repo)


@pytest.mark.parametrize(
    ("variable", "config", "locale", "spoken"),
    [
        ("ja", "en", "en_US", "ja"),
        ("", "ja", "en_US.UTF-8", "ja"),
        ("", "", "ja_JP.UTF-8", "ja"),
        ("", "", "de_DE.UTF-8", "en"),
        ("en", "ja", "ja_JP", "en"),
        ("fr", "", "ja_JP", "en"),
        ("ja_JP.UTF-8", "", "C", "ja"),
    ],
)
def test_the_first_that_names_a_language_decides(
    repo, monkeypatch, variable, config, locale, spoken
):
    monkeypatch.setenv("MEMTOOLS_LANG", variable)
    monkeypatch.setenv("LC_ALL", locale)
    if config:
        repo.git("config", "memtools.lang", config)
    assert spoken_language(str(repo.top)) == spoken


@pytest.mark.parametrize(
    ("written", "unattended"),
    [
        ("[memtools]\n\tunattended\n", True),
        ("[memtools]\n\tunattended = Yes\n", True),
        ("[memtools]\n\tunattended = 1\n", True),
        ("[memtools]\n\tunattended = -1\n", True),
        ("[memtools]\n\tunattended = 0\n", False),
        ("[memtools]\n\tunattended = off\n", False),
        ("[memtools]\n\tunattended =\n", False),
        ("[memtools]\n\tunattended = true\n\tunattended = no\n", False),
        ("[memtools]\n\tlang = ja\n", False),
        ("", False),
    ],
)
def test_git_config_says_that_nobody_watches_as_git_reads_it(
    repo, monkeypatch, written, unattended
):
    monkeypatch.delenv("MEMTOOLS_UNATTENDED", raising=False)
    monkeypatch.delenv("OBSIDIAN_GIT", raising=False)
    config = repo.top / ".git" / "config"
    config.write_text(config.read_text() + written)
    assert is_unattended(str(repo.top)) is unattended
