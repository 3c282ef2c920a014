"""Retracted memories that come back: each way in silence is named, a restoration is not one."""

import pytest

from memtools.entrypoints.main import main
from tests.helpers import copied
from tests.usecases.test_check import CACHE, FIX, judge

SHORT = "The disk cache was the root cause.\n"
FORMATS = ("text", "json", "github", "gitlab", "sarif")


@pytest.fixture(scope="module")
def _old_template(_installed_template, tmp_path_factory):
    made = copied(_installed_template, tmp_path_factory.mktemp("old") / "repo")
    made.save({"a.md": CACHE, "z.md": "Tea is served at four.\n"})
    made.git("branch", "living")
    made.save({"fix.md": FIX})
    made.git("branch", "base")
    return made


@pytest.fixture
def old(_old_template, tmp_path):
    """On `main` (also called `base`): a.md, retracted by fix.md; no hooks from here on."""
    made = copied(_old_template, tmp_path / "repo")
    made.git("config", "core.hooksPath", "/dev/null")
    return made


def ranged(repo):
    return judge(repo, range="base..HEAD")


def back(repo):
    return [(one.path, one.was, one.how) for one in ranged(repo).returned]


def unguarded(repo, files, *gone):
    for path in gone:
        repo.git("rm", "-q", path)
    for path, text in files.items():
        repo.write(path, text)
    repo.stage()
    repo.commit("Quietly", "-n")


def status_edited(repo):
    unguarded(
        repo, {"a.md": repo.read("a.md").decode().replace("status: retracted", "status: active")}
    )


def marker_and_tombstone_taken_out(repo):
    unguarded(repo, {"a.md": CACHE}, "fix.md")


def fields_deleted(repo):
    kept = [line for line in repo.read("a.md").decode().splitlines(keepends=True)
            if not line.startswith(("status", "retracted_"))]  # fmt: skip
    unguarded(repo, {"a.md": "".join(kept)}, "fix.md")


def made_a_candidate(repo):
    unguarded(repo, {"a.md": CACHE.replace("---\n", "---\nstatus: candidate\n", 1)}, "fix.md")


def deleted_and_added_again(repo):
    unguarded(repo, {}, "a.md", "fix.md")
    unguarded(repo, {"a.md": CACHE})


def deleted_and_added_elsewhere(repo):
    unguarded(repo, {}, "a.md", "fix.md")
    unguarded(repo, {"deep/b.md": SHORT.upper()})


def merged_to_the_living_side(repo):
    repo.git("switch", "-q", "living")
    repo.save({"a.md": CACHE + "More.\n"})
    repo.git("merge", "-q", "--no-commit", "-s", "ours", "main")
    repo.commit("Merge", "-n")


def conflict_resolved_to_active(repo):
    repo.git("switch", "-q", "living")
    repo.save({"a.md": CACHE.replace("title: Cache", "title: Disk cache\nstatus: active")})
    repo.git("switch", "-q", "main")
    repo.git("-c", "merge.memtools.driver=false", "merge", "-q", "living", check=False)
    repo.write("a.md", CACHE)
    repo.git("rm", "-q", "--cached", "fix.md")
    repo.path("fix.md").unlink()
    repo.stage()
    repo.commit("Merge", "-n")


def called_by_a_word_that_is_to_mean_active(repo):
    text = repo.read("a.md").decode().replace("status: retracted", "status: withdrawn")
    unguarded(repo, {"a.md": text, ".memtools.toml": '[vocabulary.status]\nwithdrawn = "active"\n'})


def written_over_a_living_one(repo):
    unguarded(repo, {"z.md": CACHE}, "a.md", "fix.md")


def added_again_with_a_word_more(repo):
    unguarded(
        repo, {"b.md": "# Disk\n\nThe disk cache was surely the root cause.\n"}, "a.md", "fix.md"
    )


def added_again_as_a_title(repo):
    unguarded(
        repo, {"b.md": "---\ntitle: The disk cache was the root cause.\n---\n"}, "a.md", "fix.md"
    )


def emptied_and_added_elsewhere(repo):
    empty = repo.read("a.md").decode().replace(SHORT, "Nothing.\n")
    unguarded(repo, {"a.md": empty, "deep/b.md": CACHE}, "fix.md")


def let_in_by_other_settings(repo):
    unguarded(repo, {".memtools.toml": 'exclude = ["shelf/**"]\n', "shelf/a.md": CACHE})
    repo.git("branch", "-f", "base")
    unguarded(repo, {".memtools.toml": "exclude = []\n"}, "a.md", "fix.md")


def fast_forwarded(repo):
    repo.git("switch", "-qc", "side")
    marker_and_tombstone_taken_out(repo)
    repo.git("switch", "-q", "main")
    repo.git("merge", "-q", "--ff-only", "side")


WAYS = [
    (status_edited, "a.md"),
    (marker_and_tombstone_taken_out, "a.md"),
    (fields_deleted, "a.md"),
    (made_a_candidate, "a.md"),
    (deleted_and_added_again, "a.md"),
    (deleted_and_added_elsewhere, "deep/b.md"),
    (written_over_a_living_one, "z.md"),
    (added_again_with_a_word_more, "b.md"),
    (added_again_as_a_title, "b.md"),
    (emptied_and_added_elsewhere, "deep/b.md"),
    (called_by_a_word_that_is_to_mean_active, "a.md"),
    (merged_to_the_living_side, "a.md"),
    (conflict_resolved_to_active, "a.md"),
    (fast_forwarded, "a.md"),
]


@pytest.mark.parametrize(("way", "path"), WAYS, ids=lambda one: getattr(one, "__name__", ""))
def test_each_silent_way_back_is_a_resurrection_and_names_restore(old, way, path):
    way(old)
    checked = ranged(old)
    assert back(old) == [(path, "a.md", "RESURRECTION")]
    (found,) = (p for p in checked.problems if p.rule == "unretracted")
    assert (found.path, found.severity, checked.code) == (path, "error", 1)
    assert found.message.startswith("RESURRECTION: ")
    assert "memtools restore a.md" in found.hint
    (row,) = (one for one in checked.memories if one.path == path)
    assert (row.change, row.before) == ("RESURRECTION", "retracted")
    assert "retracted memories come back" in checked.approval.why


def test_a_file_that_only_other_settings_make_a_memory_is_a_resurrection(old):
    let_in_by_other_settings(old)
    assert back(old) == [("shelf/a.md", "a.md", "RESURRECTION")]


@pytest.mark.parametrize("format", FORMATS)
def test_every_format_says_resurrection(old, format, capsys, monkeypatch):
    deleted_and_added_elsewhere(old)
    monkeypatch.chdir(old.top)
    assert main(["check", "--range", "base..HEAD", "--format", format]) == 1
    said = capsys.readouterr()
    assert "RESURRECTION: " in said.out if format != "text" else said.out + said.err
    assert "deep/b.md" in said.out


def restored(repo):
    repo.memtools("restore", "a.md", "--why", "it was right", "--drop-marker", "--apply")


def reverted(repo):
    repo.git("revert", "--no-edit", "HEAD")


def revert_merged(repo):
    repo.git("switch", "-qc", "side")
    repo.git("revert", "--no-edit", "HEAD")
    repo.git("switch", "-q", "main")
    repo.save({"more.md": "More.\n"})
    repo.git("merge", "-q", "--no-ff", "--no-edit", "side")


def reverted_after_a_rename(repo):
    repo.git("mv", "a.md", "moved.md")
    repo.commit("Move", "-n")
    repo.git("branch", "-f", "base")
    repo.git("revert", "--no-edit", "HEAD~1")


@pytest.mark.parametrize(
    ("way", "told"),
    [
        (restored, ("a.md", "a.md", "restored")),
        (reverted, ("a.md", "a.md", "reverted")),
        (revert_merged, ("a.md", "a.md", "reverted")),
        (reverted_after_a_rename, ("moved.md", "moved.md", "reverted")),
    ],
    ids=lambda one: getattr(one, "__name__", ""),
)
def test_what_somebody_brought_back_is_listed_and_no_error(old, way, told, capsys, monkeypatch):
    way(old)
    assert back(old) == [told]
    assert [p for p in ranged(old).problems if p.is_error] == []
    monkeypatch.chdir(old.top)
    assert main(["check", "--range", "base..HEAD"]) == 0
    out = capsys.readouterr().out
    assert f"restored: {told[0]}, " in out and "RESURRECTION" not in out


def test_a_message_alone_is_no_revert(old):
    """The commit it names has to be the one that retracted the memory."""
    other = old.git("rev-parse", "living").out.strip()
    for named in (other, "0" * 40, "deadbeef"):
        old.git("reset", "-q", "--hard", "base")
        marker_and_tombstone_taken_out(old)
        old.git("commit", "-q", "--amend", "-n", "-m", f"Revert\n\nThis reverts commit {named}.")
        assert back(old) == [("a.md", "a.md", "RESURRECTION")]


def test_a_revert_of_a_merge_that_retracted_is_one(old):
    old.git("switch", "-q", "living")
    old.git("switch", "-qc", "two")
    old.save({"y.md": "Tea.\n"})
    old.git("merge", "-q", "--no-ff", "--no-edit", "base")
    old.git("branch", "-f", "base")
    old.git("revert", "--no-edit", "-m", "1", "HEAD")
    assert back(old) == [("a.md", "a.md", "reverted")]


def test_another_text_under_a_new_name_is_none(old):
    unguarded(old, {"deep/b.md": "The disk cache was not the root cause.\n"}, "a.md", "fix.md")
    assert back(old) == []
    unguarded(old, {"c.md": "Coffee is served at five.\n"})
    assert back(old) == []


def test_the_words_of_a_deleted_tombstone_inside_a_new_memory_are_told(old):
    more = "Tea is served at four in the garden, and at five in the hall.\n"
    unguarded(old, {"b.md": f"{more}\n{SHORT}\n{more}"}, "a.md", "fix.md")
    (found,) = ranged(old).alike
    assert (found.path, found.other, found.is_repeat) == ("b.md", "a.md", True)


def test_a_status_word_that_meant_retracted_and_is_mapped_anew_is_no_resurrection(old):
    unguarded(old, {"w.md": "---\nstatus: withdrawn\n---\nThe hall is closed.\n"})
    old.git("branch", "-f", "base")
    text = "---\nstatus: withdrawn\n---\nThe hall is closed today.\n"
    unguarded(old, {"w.md": text, ".memtools.toml": '[vocabulary.status]\nwithdrawn = "active"\n'})
    assert ranged(old).returned == ()


def test_a_deleted_tombstone_whose_words_a_living_memory_takes_in_is_told(old):
    unguarded(old, {"z.md": f"Tea is served at four.\n\n{SHORT}"}, "a.md", "fix.md")
    (found,) = ranged(old).alike
    assert (found.path, found.other, found.is_repeat) == ("z.md", "a.md", True)


def test_a_tombstone_that_makes_room_for_another_text_is_no_resurrection(old):
    other = "It was the proxy that closed idle connections.\n"
    tombstone = old.read("a.md").decode()
    unguarded(old, {"shelf/a.md": tombstone, "a.md": other})
    assert back(old) == []
    unguarded(old, {"a.md": "Yes, the disk cache was the root cause.\n"})
    assert back(old) == [("a.md", "a.md", "RESURRECTION")]


def test_two_memories_that_change_places_bring_nothing_back(old):
    unguarded(old, {"a.md": old.read("z.md").decode(), "z.md": old.read("a.md").decode()})
    assert back(old) == []


def from_living(repo, change=None):
    """On `living`, which is `base` from now on; main has the retraction."""
    repo.git("switch", "-q", "living")
    if change:
        repo.save(change)
    repo.git("branch", "-f", "base")


def took_nothing_of_the_merged_side(repo):
    from_living(repo, {"y.md": "Tea.\n"})
    repo.git("merge", "-q", "-s", "ours", "--no-edit", "main")


def merged_and_resolved_to_active(repo):
    from_living(repo, {"a.md": CACHE.replace("title: Cache", "title: Disk cache\nstatus: active")})
    repo.git("-c", "merge.memtools.driver=false", "merge", "-q", "main", check=False)
    repo.git("rm", "-qf", "fix.md")
    repo.write("a.md", CACHE)
    repo.stage()
    repo.commit("Merge", "-n")


def octopus(repo):
    from_living(repo)
    tree = repo.git("rev-parse", "living^{tree}").out.strip()
    other = repo.git("commit-tree", tree, "-p", "living", "-m", "Other").out.strip()
    parents = [word for parent in ("living", "main", other) for word in ("-p", parent)]
    repo.git(
        "reset", "-q", "--hard", repo.git("commit-tree", tree, *parents, "-m", "M").out.strip()
    )


def retracted_and_taken_out_again(repo):
    from_living(repo)
    unguarded(repo, {"a.md": repo.show("main", "a.md").decode(), "fix.md": FIX})
    unguarded(repo, {"a.md": CACHE}, "fix.md")


def crosswise(repo, *order, is_known=False):
    """Two branches merged into each other: what main retracted stands in one of them (`base`).

    In HEAD it is alive; `is_known`: in `base`, too.
    """
    commits = {}
    for name in order:
        repo.git("switch", "-qc", name, "living")
        repo.save({f"{name}.md": f"{name}\n"})
        if name == "two":
            repo.git("merge", "-q", "--no-edit", "main")
            if is_known:
                unguarded(repo, {"a.md": CACHE}, "fix.md")
        commits[name] = repo.head()
    repo.git("switch", "-q", "one")
    repo.git("merge", "-q", "--no-edit", commits["two"])
    repo.git("branch", "-f", "base")
    repo.git("switch", "-q", "two")
    repo.git("merge", "-q", "--no-edit", "--no-ff", commits["one"])
    if not is_known:
        unguarded(repo, {"a.md": CACHE}, "fix.md")
    assert len(repo.git("merge-base", "--all", "base", "HEAD").out.split()) == 2


def crosswise_one_first(repo):
    crosswise(repo, "one", "two")


def crosswise_two_first(repo):
    crosswise(repo, "two", "one")


@pytest.mark.parametrize(
    "way",
    [
        *(took_nothing_of_the_merged_side, merged_and_resolved_to_active, octopus),
        *(retracted_and_taken_out_again, crosswise_one_first, crosswise_two_first),
    ],
)
def test_a_retraction_the_range_itself_brings_and_loses_is_a_resurrection(old, way):
    way(old)
    for _ in range(2):  # in full, and from what was kept
        checked = ranged(old)
        assert back(old) == [("a.md", "a.md", "RESURRECTION")]
        assert checked.code == 1
        assert ("a.md", "unretracted") in [(p.path, p.rule) for p in checked.problems]
        assert "retracted memories come back: a.md" in checked.approval.why


def test_a_retraction_seen_before_and_lost_since_is_a_resurrection(old):
    """The commit that made it was passed before; that it is gone counts all the same."""
    from_living(old)
    unguarded(old, {"a.md": old.show("main", "a.md").decode(), "fix.md": FIX})
    assert back(old) == []
    assert back(old) == []
    unguarded(old, {"a.md": CACHE}, "fix.md")
    assert back(old) == [("a.md", "a.md", "RESURRECTION")]


def reverted_on_its_branch(repo):
    from_living(repo)
    repo.git("merge", "-q", "--ff-only", "main")
    repo.git("revert", "--no-edit", "HEAD")


def reverted_on_a_side_branch(repo):
    from_living(repo, {"y.md": "Tea.\n"})
    repo.git("switch", "-q", "main")
    repo.git("revert", "--no-edit", "HEAD")
    repo.git("switch", "-q", "living")
    repo.git("merge", "-q", "--no-edit", "main")


def reverted_and_rebased(repo):
    """The message of the revert names a commit that is in nobody's clone."""
    reverted_on_its_branch(repo)
    gone = "1" * 40
    repo.git("commit", "-q", "--amend", "-n", "-m", f"Revert\n\nThis reverts commit {gone}.")


def restored_on_its_branch(repo):
    from_living(repo)
    repo.git("merge", "-q", "--ff-only", "main")
    restored(repo)


@pytest.mark.parametrize(
    ("way", "how"),
    [
        (reverted_on_its_branch, "reverted"),
        (reverted_on_a_side_branch, "reverted"),
        (reverted_and_rebased, "reverted"),
        (restored_on_its_branch, "restored"),
    ],
)
def test_a_retraction_the_range_brings_and_takes_back_is_listed_and_no_error(old, way, how):
    way(old)
    assert back(old) == [("a.md", "a.md", how)]
    assert [p for p in ranged(old).problems if p.is_error] == []


def test_what_a_history_that_is_new_as_a_whole_once_retracted_is_no_resurrection(old):
    retracted_and_taken_out_again(old)
    assert judge(old, range="0" * 40 + "..HEAD").returned == ()


@pytest.mark.parametrize("order", [("one", "two"), ("two", "one")])
def test_what_the_other_side_has_alive_too_is_told_no_second_time(old, order):
    crosswise(old, *order, is_known=True)
    assert back(old) == []


def test_a_memory_the_range_retracts_and_then_writes_anew_is_no_resurrection(old):
    from_living(old)
    unguarded(old, {"a.md": old.show("main", "a.md").decode(), "fix.md": FIX})
    unguarded(old, {"a.md": "It was the proxy that closed idle connections.\n"})
    assert back(old) == []


def reverted_before(repo):
    repo.git("revert", "--no-edit", "HEAD")


def restored_before(repo):
    restored(repo)
    if repo.path("fix.md").exists():
        repo.git("rm", "-q", "fix.md")
        repo.commit("Take the rest out", "-n")


@pytest.mark.parametrize("way", [reverted_before, restored_before])
def test_a_memory_brought_back_retracted_again_and_lost_in_silence_is_a_resurrection(old, way):
    """What somebody once said of it does not cover what came later."""
    way(old)
    alive = old.read("a.md").decode()
    text = alive.replace("title: Cache\n", "title: Cache\nstatus: retracted\n")
    unguarded(old, {"a.md": text, "fix2.md": FIX})
    unguarded(old, {"a.md": alive}, "fix2.md")
    assert back(old) == [("a.md", "a.md", "RESURRECTION")]
