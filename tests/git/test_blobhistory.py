"""When files last changed: one walk says what `git log -1` says of each file."""

import itertools

import pytest

from memtools.config import environ
from memtools.git.blobhistory import last_dates
from memtools.git.run import Git, environment


@pytest.fixture
def history(sandbox):
    """Merges, the same change on two branches, a change taken back, a conflict, a mode."""
    days = itertools.count(1)

    def save(**files):
        for name, text in files.items():
            sandbox.write(f"{name}.md", text)
        sandbox.stage()
        date = f"2026-01-{next(days):02}T00:00:00Z"
        sandbox.commit("Change", "-n", "--allow-empty", env={"GIT_AUTHOR_DATE": date})

    save(plain="1", twice="1", back="1", both="1", mode="1", メモ="1", gone="1")
    save(plain="2", twice="2")
    save(back="2")
    save(back="1")
    sandbox.git("switch", "-q", "-c", "side")
    save(twice="3", both="side")
    save(plain="3")
    sandbox.git("switch", "-q", "-")
    save(twice="3")
    save(both="main")
    sandbox.git("merge", "-q", "--no-verify", "side", check=False)
    sandbox.path("gone.md").unlink()
    save(both="resolved")
    sandbox.path("mode.md").chmod(0o755)
    save()
    return sandbox


def test_one_walk_says_what_git_says_of_each_file(history):
    git = Git(str(history.top), environment(environ()))
    names = [name for name in history.files("HEAD") if name.endswith(".md")] + ["never.md"]
    asked = ("log", "-1", "--format=%ad", "--date=raw", "HEAD", "--")
    each = {name: history.git(*asked, name).out.strip() for name in names}
    assert last_dates(git, names) == each
    assert len(set(each.values())) > 4
    assert {name: last_dates(git, [name])[name] for name in names} == each
