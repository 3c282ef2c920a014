"""The merge driver under real git: merge, rebase, cherry-pick, stash, am, merge-tree, revert."""

import os
import sys

import pytest

from tests.helpers import CHECKOUT

PATH = "notes/target.md"
BASE = """---
title: Cache
status: active
priority: high
---
The cache was cold.

It was the root cause.
"""
RETRACTED = BASE.replace(
    "status: active\npriority: high\n",
    "status: retracted\npriority: high\n"
    'retracted_at: 2026-11-29T12:00:00+09:00\nretracted_by: "[[fix]]"\n',
)
FIX = "---\ntitle: Fix\n---\nRETRACTS: It was the root cause.\n"
EDITED = BASE.replace(
    "status: active\npriority: high\n", "status: draft\npriority: low\ntags: [dns]\n"
)
MERGED = (
    RETRACTED.replace("priority: high\n", "priority: low\ntags: [dns]\n"),
    RETRACTED.replace("priority: high\n", "priority: low\n").replace(
        '"[[fix]]"\n', '"[[fix]]"\ntags: [dns]\n'
    ),
)


def driven(repo):
    """Configure the driver the way `memtools init` does."""
    call = f'PYTHONPATH="{CHECKOUT}" "{sys.executable}" -m memtools merge-driver %O %A %B %L %P'
    repo.git("config", "merge.memtools.driver", call)
    repo.write(".git/info/attributes", "*.md merge=memtools\n")
    return repo


def save(repo, files, message="Change"):
    """Commit without hooks, so that only the driver is at work."""
    for path, content in files.items():
        repo.write(path, content)
    repo.stage(*files)
    repo.commit(message, "--no-verify")


def branched(repo, ours, theirs, base=BASE):
    """HEAD (main) has `ours`, branch `other` has `theirs`; both come from `base`."""
    save(repo, {PATH: base, "else.txt": "1\n"})
    repo.git("switch", "-q", "-c", "other")
    save(repo, theirs, "Theirs")
    repo.git("switch", "-q", "main")
    save(repo, ours, "Ours")
    return repo


@pytest.fixture
def retracted_here(repo):
    return branched(driven(repo), {PATH: RETRACTED, "fix.md": FIX}, {PATH: EDITED})


@pytest.fixture
def retracted_there(repo):
    return branched(driven(repo), {PATH: EDITED}, {PATH: RETRACTED, "fix.md": FIX})


def is_merged(repo):
    assert repo.show("HEAD", PATH).decode() in MERGED
    assert repo.status() == ""


@pytest.mark.parametrize("how", [[], ["-X", "theirs"], ["-X", "ours"]])
def test_merge_keeps_the_retraction_and_the_other_keys_of_the_other_side(retracted_here, how):
    retracted_here.git("merge", "-q", "--no-edit", *how, "other")
    is_merged(retracted_here)


@pytest.mark.parametrize("how", [[], ["-X", "theirs"], ["-X", "ours"]])
def test_merge_brings_a_retraction_into_an_edited_memory(retracted_there, how):
    retracted_there.git("merge", "-q", "--no-edit", *how, "other")
    is_merged(retracted_there)


def test_both_directions_give_the_same_bytes(retracted_here):
    repo = retracted_here
    repo.git("merge", "-q", "--no-edit", "other")
    here = repo.show("HEAD", PATH)
    repo.git("switch", "-q", "other")
    repo.git("merge", "-q", "--no-edit", "main~1")
    assert repo.show("HEAD", PATH) == here


def test_without_the_driver_the_same_merge_conflicts(repo):
    branched(repo, {PATH: RETRACTED}, {PATH: EDITED})
    assert repo.git("merge", "-q", "--no-edit", "other", check=False).code == 1


def test_rebase_keeps_the_retraction(retracted_there):
    retracted_there.git("rebase", "-q", "other")
    is_merged(retracted_there)


def test_rebase_of_the_retraction_onto_an_edit_keeps_both(retracted_here):
    retracted_here.git("rebase", "-q", "other")
    is_merged(retracted_here)


def test_cherry_pick_of_a_retraction_keeps_the_edit(retracted_there):
    retracted_there.git("cherry-pick", "other")
    is_merged(retracted_there)


def test_am_with_three_way_fallback_keeps_both(retracted_there):
    repo = retracted_there
    patch = repo.git("format-patch", "-1", "--stdout", "other").out
    repo.git("am", "-q", "-3", input=patch)
    is_merged(repo)


def test_stash_pop_keeps_the_retraction(repo):
    save(driven(repo), {PATH: BASE})
    repo.write(PATH, EDITED)
    repo.git("stash", "-q")
    save(repo, {PATH: RETRACTED, "fix.md": FIX})
    repo.git("stash", "pop", "-q")
    assert repo.read(PATH).decode() in MERGED


def test_merge_tree_gives_what_merge_would(retracted_here):
    tree = retracted_here.git("merge-tree", "--write-tree", "main", "other").out.strip()
    assert retracted_here.show(tree, PATH).decode() in MERGED


WITHDRAWN = BASE.replace("status: active", "status: zurückgezogen")


@pytest.mark.parametrize("sides", [(WITHDRAWN, EDITED), (EDITED, WITHDRAWN)])
def test_a_status_word_of_the_settings_wins_like_our_own(repo, sides):
    """A person's own word for a retraction beats another word of the other side."""
    save(repo, {".memtools.toml": '[vocabulary.status]\n"zurückgezogen" = "retracted"\n'})
    branched(driven(repo), *({PATH: side} for side in sides))
    repo.git("merge", "-q", "--no-edit", "other")
    merged = repo.read(PATH).decode()
    assert "status: zurückgezogen\n" in merged
    assert "priority: low\n" in merged


def test_a_word_that_the_settings_give_another_meaning_retracts_nothing(repo):
    save(repo, {".memtools.toml": '[vocabulary.status]\n"archived" = "active"\n'})
    archived = BASE.replace("status: active", "status: archived")
    branched(driven(repo), {PATH: archived}, {PATH: EDITED})
    assert repo.git("merge", "-q", "--no-edit", "other", check=False).code == 1


def test_second_retraction_by_another_memory_keeps_the_first_by_path(repo):
    second = RETRACTED.replace("[[fix]]", "[[a-later-fix]]").replace("11-29", "11-30")
    branched(driven(repo), {PATH: RETRACTED}, {PATH: second})
    repo.git("merge", "-q", "--no-edit", "other")
    assert repo.show("HEAD", PATH).decode() == second


def test_undone_retraction_goes_through_beside_an_edit(repo):
    edited = RETRACTED.replace("priority: high", "priority: low")
    branched(driven(repo), {PATH: edited}, {PATH: BASE}, base=RETRACTED)
    repo.git("merge", "-q", "--no-edit", "other")
    assert repo.show("HEAD", PATH).decode() == BASE.replace("priority: high", "priority: low")


def test_revert_of_a_retraction_goes_through_after_a_later_edit(repo):
    save(driven(repo), {PATH: BASE})
    save(repo, {PATH: RETRACTED, "fix.md": FIX}, "Retract")
    save(repo, {PATH: RETRACTED.replace("priority: high", "priority: low")}, "Edit")
    repo.git("revert", "--no-edit", "HEAD~1")
    assert repo.show("HEAD", PATH).decode() == BASE.replace("priority: high", "priority: low")
    assert not repo.path("fix.md").exists()


def test_conflict_in_the_body_is_marked_and_the_header_is_still_retracted(repo):
    ours = RETRACTED.replace("was cold", "was warm")
    branched(driven(repo), {PATH: ours}, {PATH: EDITED.replace("was cold", "was hot")})
    assert repo.git("merge", "-q", "--no-edit", "other", check=False).code == 1
    text = repo.read(PATH).decode()
    assert "status: retracted" in text and "priority: low" in text
    assert "<<<<<<< ours\nThe cache was warm.\n=======\nThe cache was hot.\n>>>>>>> theirs" in text
    assert "base" not in text
    assert repo.git("ls-files", "-u", "--", PATH).out


def test_conflict_markers_follow_the_size_and_style_that_git_asks_for(repo):
    branched(
        driven(repo), {PATH: BASE.replace("cold", "warm")}, {PATH: BASE.replace("cold", "hot")}
    )
    repo.write(".git/info/attributes", "*.md merge=memtools conflict-marker-size=12\n")
    repo.git("-c", "merge.conflictStyle=diff3", "merge", "-q", "other", check=False)
    text = repo.read(PATH).decode()
    assert "<" * 12 + " ours\n" in text and "|" * 12 + " base\n" in text


def test_header_that_nobody_can_read_is_merged_as_git_does(repo):
    broken = BASE.replace("title: Cache", "title: [Cache")
    ours, theirs = broken.replace("cold", "warm"), broken.replace("It was", "It is")
    branched(driven(repo), {PATH: ours}, {PATH: theirs}, base=broken)
    repo.git("merge", "-q", "--no-edit", "other")
    assert repo.show("HEAD", PATH).decode() == ours.replace("It was", "It is")


def test_binary_content_stays_ours_and_is_a_conflict(repo):
    branched(driven(repo), {PATH: b"\0ours\n"}, {PATH: b"\0theirs\n"}, base=b"\0base\n")
    assert repo.git("merge", "-q", "--no-edit", "other", check=False).code == 1
    assert repo.read(PATH) == b"\0ours\n"


def test_names_with_spaces_quotes_and_odd_bytes_are_merged(repo):
    driven(repo)
    name = os.fsdecode(b"a 'b\" $(c) \xe9.md")
    save(repo, {name: BASE})
    repo.git("switch", "-q", "-c", "other")
    save(repo, {name: EDITED})
    repo.git("switch", "-q", "main")
    save(repo, {name: RETRACTED})
    repo.git("merge", "-q", "--no-edit", "other")
    assert repo.show("HEAD", name).decode() in MERGED


def test_installed_driver_falls_back_to_git_when_memtools_is_gone(sandbox):
    """C67: a missing driver program would fail the whole merge in new git."""
    command = sandbox.git("config", "merge.memtools.driver").out.strip()
    sandbox.git("config", "merge.memtools.driver", command.replace(sys.executable, "/gone/python"))
    one, two = BASE.replace("cold", "warm"), BASE.replace("It was", "It is")
    branched(sandbox, {PATH: one}, {PATH: two})
    bare = os.pathsep.join(
        folder
        for folder in os.environ["PATH"].split(os.pathsep)
        if not os.path.exists(os.path.join(folder, "memtools"))
    )
    sandbox.git("merge", "-q", "--no-edit", "--no-verify", "other", env={"PATH": bare})
    assert sandbox.show("HEAD", PATH).decode() == one.replace("It was", "It is")


def test_installed_driver_keeps_the_retraction(sandbox):
    """C59 with the driver as `memtools init` sets it up."""
    branched(sandbox, {PATH: RETRACTED, "fix.md": FIX}, {PATH: EDITED})
    sandbox.git("merge", "-q", "--no-edit", "other")
    is_merged(sandbox)


def test_driver_merges_too_when_a_hook_of_ours_started_git(repo):
    """The guard of hooks against themselves must not answer "clean" for a merge it did not make."""
    call = f'"{sys.executable}" -I -S "{CHECKOUT}/memtools/start.py" merge-driver %O %A %B %L %P'
    driven(repo).git("config", "merge.memtools.driver", call)
    branched(repo, {PATH: RETRACTED}, {PATH: EDITED})
    repo.git("merge", "-q", "--no-edit", "other", env={"MEMTOOLS_IN_HOOK": "1"})
    is_merged(repo)
