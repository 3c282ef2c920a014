"""Stale exposure zero: however a retraction arrives, no reader shows the text any more.

A table of ways times readers (rules 15 and 16). A new reader is one line of READERS: a function
that gives all a reader shows in a repository. What `other.md` says must be in it all the while.
All repositories stand at one place, one after the other; the MCP server there is started once.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.e2e.story import FIX, PHRASE, TARGET, mark
from tests.entrypoints.mcp_client import Agent, connected, moved_in
from tests.helpers import Sandbox, copied, part_of

STILL = "The blue pool serves the parser."
OTHER = f"---\npriority: high\n---\n{STILL}\n"
RETRACTED = TARGET.replace("status: active", "status: retracted")
ASKED = "root cause disk cache blue pool"
EMPTY = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"  # the tree without files
START = '{"hook_event_name": "SessionStart", "session_id": "s", "source": "resume"}'
UNSEEN = {"MEMTOOLS_IN_HOOK": "1"}  # no hook of ours looks at this commit


class Served(Sandbox):
    """A repository at a place where an MCP server runs."""

    def __init__(self, top: Path, agent: Agent) -> None:
        super().__init__(top)
        self.agent = agent


def _over_mcp(repo: Served) -> str:
    """All that an agent gets which knows where the memory stands."""
    results = repo.agent.at_once(
        [
            ("search", {"query": ASKED}),
            ("recall", {"query": ASKED}),
            ("read", {"address": "target.md"}),
            ("history", {"address": "target.md"}),
        ]
    )
    return f"{results} {repo.agent.resource('memory://activation-layer')}"


READERS = {
    "search": lambda repo: repo.memtools("search", ASKED).out,
    "search json": lambda repo: repo.memtools("search", ASKED, "--json").out,
    "layer": lambda repo: repo.memtools("recall").out,
    "recall": lambda repo: repo.memtools("recall", "--query", ASKED).out,
    "turn": lambda repo: repo.memtools("turn", input=START).out,
    "recall json": lambda repo: repo.memtools("recall", "--query", ASKED, "--json").out,
    "mcp": _over_mcp,
    "render": lambda repo: _rendered(repo),
    "render folder": lambda repo: _rendered_folder(repo),
    "export": lambda repo: repo.memtools("export", "--to", "ndjson").out,
    "export since": lambda repo: repo.memtools("export", "--to", "ndjson", "--since", EMPTY).out,
}


def _rendered(repo: Sandbox) -> str:
    repo.memtools("render", "--to", "AGENTS.md")
    return repo.read("AGENTS.md").decode()


def _rendered_folder(repo: Sandbox) -> str:
    repo.memtools("render", "--to", ".memories/")
    texts = [path.read_text() for path in repo.path(".memories").rglob("*.md")]
    return "".join(texts)


def _side(repo: Sandbox, *, on_main: str = "", **unseen: bool) -> None:
    """A branch `side` with the retraction in one commit; main may have gone on meanwhile."""
    repo.git("checkout", "-q", "-b", "side")
    mark(repo)
    repo.commit("Fix", env=UNSEEN if unseen.get("unseen", True) else None)
    repo.git("checkout", "-q", "main")
    if on_main:
        repo.save({on_main: "Main went on.\n"})


def _hooked(repo: Sandbox) -> None:
    mark(repo)
    repo.commit("Fix")


def _no_verify(repo: Sandbox) -> None:
    mark(repo)
    repo.commit("Fix", "--no-verify")


def _no_hooks(repo: Sandbox) -> None:
    mark(repo)
    repo.git("-c", "core.hooksPath=/dev/null", "commit", "-q", "-m", "Fix")


def _staged(repo: Sandbox) -> None:
    mark(repo)


def _edited(repo: Sandbox) -> None:
    repo.write("target.md", RETRACTED)


def _deleted(repo: Sandbox) -> None:
    repo.path("target.md").unlink()


def _merged(repo: Sandbox) -> None:
    _side(repo, on_main="more.md")
    repo.git("merge", "-q", "--no-verify", "side")


def _merged_with_tombstone(repo: Sandbox) -> None:
    _side(repo, on_main="more.md", unseen=False)
    repo.git("merge", "-q", "side")


def _fast_forwarded(repo: Sandbox) -> None:
    _side(repo)
    repo.git("merge", "-q", "--ff-only", "side")


def _picked(repo: Sandbox) -> None:
    _side(repo, on_main="more.md")
    repo.git("cherry-pick", "side")


def _rebased(repo: Sandbox) -> None:
    _side(repo, on_main="more.md")
    repo.git("checkout", "-q", "side")
    repo.git("rebase", "-q", "main")


def _pulled(repo: Sandbox) -> None:
    _other_clone(repo)
    repo.git("pull", "-q", "--ff-only", "origin", "main")


def _pulled_by_rebase(repo: Sandbox) -> None:
    _other_clone(repo)
    repo.save({"more.md": "Main went on.\n"})
    repo.git("pull", "-q", "--rebase", "origin", "main")


def _other_clone(repo: Sandbox) -> None:
    """A clone without memtools retracts, and is the remote from now on."""
    other = Sandbox(repo.top.parent / "clone")
    repo.git("clone", "-q", ".", str(other.top))
    mark(other)
    other.commit("Fix")
    repo.git("remote", "add", "origin", str(other.top))


def _mailed(repo: Sandbox) -> None:
    _side(repo, on_main="more.md")
    patch = repo.git("format-patch", "--stdout", "main..side").out
    repo.git("am", "-q", input=patch)


def _checked_out(repo: Sandbox) -> None:
    _side(repo)
    repo.git("checkout", "-q", "side")


def _reset(repo: Sandbox) -> None:
    _side(repo)
    repo.git("reset", "-q", "--hard", "side")


def _ref_moved(repo: Sandbox) -> None:
    _side(repo)
    repo.git("symbolic-ref", "HEAD", "refs/heads/side")


def _index_deleted(repo: Sandbox) -> None:
    _no_verify(repo)
    shutil.rmtree(repo.path(".git/memtools/search"))


def _index_damaged(repo: Sandbox) -> None:
    _no_verify(repo)
    for path in repo.path(".git/memtools/search").rglob("*"):
        if path.is_file():
            path.write_bytes(path.read_bytes()[: path.stat().st_size // 2] + b"x")


def _state_behind(repo: Sandbox) -> None:
    """Search index, ledger and all else we keep are those of before."""
    shutil.copytree(repo.path(".git/memtools"), repo.path(".git/before"))
    _no_verify(repo)
    shutil.rmtree(repo.path(".git/memtools"))
    repo.path(".git/before").rename(repo.path(".git/memtools"))


def _state_deleted(repo: Sandbox) -> None:
    _hooked(repo)
    shutil.rmtree(repo.path(".git/memtools"))


def _became_candidate(repo: Sandbox) -> None:
    repo.write("target.md", TARGET.replace("active", "candidate"))
    repo.stage()
    repo.commit("Not approved any more", "--no-verify")


WAYS = {
    "hooked": _hooked,
    "no verify": _no_verify,
    "no hooks": _no_hooks,
    "staged": _staged,
    "edited": _edited,
    "deleted": _deleted,
    "merged": _merged,
    "merged with tombstone": _merged_with_tombstone,
    "fast forwarded": _fast_forwarded,
    "picked": _picked,
    "rebased": _rebased,
    "pulled": _pulled,
    "pulled by rebase": _pulled_by_rebase,
    "mailed": _mailed,
    "checked out": _checked_out,
    "reset": _reset,
    "ref moved": _ref_moved,
    "index deleted": _index_deleted,
    "index damaged": _index_damaged,
    "state behind": _state_behind,
    "state deleted": _state_deleted,
    "became candidate": _became_candidate,
}


@pytest.fixture(scope="module")
def served(_story_template: Sandbox, tmp_path_factory: pytest.TempPathFactory):
    """The place, and the server that is started there."""
    top = copied(_story_template, tmp_path_factory.mktemp("served") / "place" / "repo").top
    with connected(Sandbox(top), top.parent.parent / "mcp-log") as agent:
        yield Served(top, agent)


@pytest.fixture(scope="module")
def _told_template(served: Served, tmp_path_factory: pytest.TempPathFactory):
    """The wrong memory stands there, and every reader has shown it once."""
    served.save({"other.md": OTHER}, "Another one")
    for name, reader in READERS.items():
        told = reader(served)
        assert PHRASE in told and STILL in told, name
    return copied(served, tmp_path_factory.mktemp("told") / "repo")


@pytest.fixture
def told(_told_template: Sandbox, served: Served):
    moved_in(_told_template, served.top)
    return served


@pytest.mark.parametrize("way", WAYS)
def test_no_reader_shows_what_was_retracted(told, tried, way):
    tried("R5", len(READERS))
    WAYS[way](told)
    shown = {name: reader(told) for name, reader in READERS.items()}
    assert [name for name, text in shown.items() if PHRASE in text] == []
    assert [name for name, text in shown.items() if STILL not in text] == []


# Ways after which the person's next commit itself decides: nothing of it is in git, or (when HEAD
# was moved alone) staging takes the marker out again.
_LEFT_OPEN = {"edited", "deleted", "ref moved"}


def _goes_on(repo: Sandbox) -> None:
    """Three ordinary commits, a merge, an amend."""
    for at in range(3):
        repo.save({f"later{at}.md": f"Later number {at}.\n"})
    repo.git("switch", "-q", "-c", "beside", "HEAD~1")
    repo.save({"beside.md": "Beside.\n"})
    repo.git("switch", "-q", "-")
    merged = repo.git("merge", "-q", "--no-edit", "beside", check=False)
    if merged.code:  # stopped for a tombstone, which is staged
        repo.git("commit", "-q", "--no-edit")
    repo.write("later0.md", "Later, amended.\n")
    repo.stage("later0.md")
    repo.commit("Amended", "--amend")


@pytest.mark.parametrize("way", part_of([way for way in WAYS if way not in _LEFT_OPEN], 7))
def test_nothing_retracted_comes_back_with_later_commits(told, tried, way):
    tried("R5", len(READERS))
    WAYS[way](told)
    _goes_on(told)
    shown = {name: reader(told) for name, reader in READERS.items()}
    assert [name for name, text in shown.items() if PHRASE in text] == []
    assert [name for name, text in shown.items() if STILL not in text] == []
    if way != "became candidate":
        assert b"status: retracted" in told.show("HEAD", "target.md")


@pytest.mark.parametrize("way", ["hooked", "no verify", "merged", "pulled"])
def test_bound_to_a_ref_the_same_holds_when_it_gets_there(told, tried, way):
    """The branch is not main: what the readers go by is."""
    tried("R5", len(READERS))
    told.git("config", "memtools.readRef", "main")
    WAYS[way](told)
    told.git("checkout", "-q", "-b", "elsewhere", "HEAD~1")
    shown = {name: reader(told) for name, reader in READERS.items()}
    assert [name for name, text in shown.items() if PHRASE in text] == []
    assert [name for name, text in shown.items() if STILL not in text] == []


def test_the_marker_quotes_the_wrong_words_and_is_not_shown_either(told):
    """Rule 15b; the memory that holds it is shown, its other words at least."""
    told.save({"fix.md": FIX.replace("It was the network.", "The blue pool was the network.")})
    shown = READERS["recall"](told)
    assert "The blue pool was the network." in shown and PHRASE not in shown
