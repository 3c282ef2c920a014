"""What becomes of the memory a marker hits: which files get a tombstone, and of what bytes."""

import os
import stat

import pytest

from tests.e2e.scene import (
    UNSEEN,
    assert_retracted,
    assert_same,
    fix,
    given,
    is_retracted,
    lesson,
    memory,
    put,
    refused,
    retracts,
    tombstone,
)
from tests.helpers import DATE, Sandbox, copied, new_repository, run

BOM = b"\xef\xbb\xbf"
P = "{p}"
EDITED = {
    "r93": ("title: T\npriority: high\n", "\nWe saw {p}.\n"),
    "r93b": ("title: T\nstatus: active\npriority: high # yes\n# a comment\n", "{p}\n\n\n"),
    "plain": ("title: T\nstatus: accepted\ntags: [a, b]\n", "{p}"),
    "e7": ("title: T\nzeta: 1\nalpha: 2\n", "{p}\n\n\n"),
    "e5": ('title: T\nnote: "Tire placard (cold): Front 36"\n', "{p}\n"),
}
WHOLE = {
    "r94": b"# Heading\n\nWe saw {p}.\n",
    "r94crlf": b"# Heading\r\n\r\nWe saw {p}.\r\n",
    "r94bom": BOM + b"# Heading\n\nWe saw {p}.\n",
    "r94end": b"We saw {p}.",
    "e9": b"---\r\ntitle: T\r\nstatus: active\r\n---\r\nWe saw {p}.\r\n",
    "latin": b"---\ntitle: T\n---\nWe saw {p} caf\xe9.\n",
}
# Several `status` keys, or a header no parser accepts: rewritten all the same, and said.
MENDED = {
    "r95b": (
        b"---\nstatus: accepted\ntitle: T\nstatus: current\n---\n{p}\n",
        b"status: current",
        "header-duplicate-key",
    ),
    "r95c": (
        b"---\ntitle: a: b\nstatus: active\n---\n{p}\n",
        b": active",
        "header-yaml-unreadable",
    ),
    "e4": (b"---\ntitle: `code` first\n---\n{p}\n", b"nothing", "header-yaml-unreadable"),
    "e2": (b'---\ntitle: "open quote\n---\n{p}\n', b"nothing", "header-yaml-unreadable"),
    "e5b": (
        b"---\nnote: Tire placard (cold): 36\n---\n{p}\n",
        b"nothing",
        "header-yaml-unreadable",
    ),
    "list": (b"---\nstatus: [active]\n---\n{p}\n", b"[active]", ""),
    "e3": (b"---\nstatus:\ntype: null\n---\n{p}\n", b"nothing", ""),
}


def filled(raw, row):
    return raw.replace(b"{p}", lesson(row).encode())


class Rows:
    """All rows of the three tables in one repository and one commit."""

    def __init__(self, repo):
        self.repo = repo
        self.before = {
            row: filled(f"---\n{header}---\n{body}".encode(), row)
            for row, (header, body) in EDITED.items()
        }
        self.before |= {row: filled(raw, row) for row, raw in WHOLE.items()}
        self.before |= {row: filled(raw, row) for row, (raw, *_) in MENDED.items()}
        given(repo, {f"{row}/target.md": raw for row, raw in self.before.items()})
        put(repo, {f"{row}/fix-{row}.md": retracts(lesson(row)) for row in self.before})
        self.done = repo.commit("All rows")


@pytest.fixture(scope="module")
def rows(_installed_template, tmp_path_factory):
    return Rows(copied(_installed_template, tmp_path_factory.mktemp("targets") / "repo"))


@pytest.mark.parametrize("row", [*EDITED, *WHOLE])
def test_only_the_lines_of_the_tombstone_change(rows, row):
    """Rows 93 and 94.

    E6, E7, E8, E9: https://github.com/eyeseast/python-frontmatter/issues/117 and 87,
    https://github.com/github/copilot-cli/issues/694,
    https://github.com/Yeachan-Heo/oh-my-claudecode/pull/2285.
    """
    assert_retracted(rows.repo, f"{row}/target.md", rows.before[row], by=f"fix-{row}")
    assert rows.repo.status() == ""


@pytest.mark.parametrize("row", MENDED)
def test_a_header_that_is_not_sound_is_edited_all_the_same_and_said(rows, row):
    """Rows 95b and 95c.

    E2, E3, E4, E5: https://github.com/basicmachines-co/basic-memory/pull/1188 and 368,
    https://github.com/vm0-ai/vm0/pull/16045, https://github.com/Oasis-Enterprise/mylo/issues/7.
    """
    raw, gone, rule = MENDED[row]
    after = rows.repo.show("HEAD", f"{row}/target.md")
    assert after == rows.repo.read(f"{row}/target.md") == rows.repo.staged(f"{row}/target.md")
    header, _, body = after[4:].partition(b"\n---\n")
    assert body == filled(raw, row)[4:].partition(b"\n---\n")[2]
    assert header.count(b"status: retracted") == raw.count(b"status:") or raw.count(b"status:") == 0
    assert gone not in header
    assert f'retracted_by: "[[fix-{row}]]"'.encode() in header
    if rule:
        said = [line for line in rows.done.err.split("\n") if line.startswith(f"{row}/target.md:")]
        assert any(f": {rule}" in line for line in said), rows.done.err


@pytest.mark.parametrize(
    ("raw", "where"),
    [
        (b"---\ntitle: T\n\n{p}\n", "1"),
        (b"+++\ntitle = 'T'\n+++\n{p}\n", "1"),
        (b'{\n  "title": "T"\n}\n\n{p}\n', "1"),
        (b"---\rtitle: T\r---\r{p}\r", ""),
        (b"---\nstatus: &s active\nother: *s\n---\n{p}\n", ""),
        (b"---\n- a\n- list\n---\n{p}\n", ""),
    ],
    ids=["unclosed", "toml", "json", "cr-only", "anchored", "list"],
)
def test_a_header_no_edit_can_be_proved_on_stops_the_commit(sandbox, raw, where):
    """Row 95: named with file and line, nothing written."""
    raw = filled(raw, "r95")
    given(sandbox, {"target.md": raw})
    said = refused(sandbox, {"fix.md": retracts(lesson("r95"))}, "retract-not-editable")
    assert said.startswith("memtools: fix.md:4: target.md:")
    assert f"target.md:{where}" in said
    assert_same(sandbox, "target.md", raw)


def test_a_utf_16_target_stops_the_commit_by_its_address(sandbox):
    """Row 95: no phrase can hit what is not read, an address can."""
    raw = "---\ntitle: T\n---\nwrong\n".encode("utf-16")
    given(sandbox, {"target.md": raw})
    refused(sandbox, {"fix.md": retracts("target.md")}, "retract-not-editable")
    assert_same(sandbox, "target.md", raw)


def test_one_bad_target_stops_the_good_one_too(sandbox):
    """Row 95: whole plan or nothing."""
    given(
        sandbox, {"bad.md": filled(b"---\nopen\n{p}\n", "bad"), "good.md": memory(lesson("good"))}
    )
    refused(sandbox, {"fix.md": retracts(lesson("good"), lesson("bad"))}, "retract-not-editable")
    assert_same(sandbox, "good.md", memory(lesson("good")))


def test_a_capital_status_beside_the_field_is_left_alone(sandbox):
    """Row 97."""
    raw = memory(lesson("r97"), "Status: active\nstatus: active\n")
    given(sandbox, {"target.md": raw})
    put(sandbox, {"fix.md": retracts(lesson("r97"))})
    sandbox.commit("Fix")
    assert_retracted(sandbox, "target.md", raw)
    assert b"Status: active\nstatus: retracted\n" in sandbox.read("target.md")


def test_links_and_submodules_are_never_hit(sandbox, tmp_path):
    """Row 98: no write through links, also when a link stands in the work tree only."""
    outside = tmp_path / "outside.md"
    outside.write_text(memory(lesson("r98")))
    sandbox.path("link.md").symlink_to(outside)
    sandbox.stage("link.md")
    inner = new_repository(tmp_path / "inner")
    inner.save({"target.md": memory(lesson("r98"))})
    sandbox.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner.top), "sub")
    sandbox.commit("Links", env=UNSEEN)
    put(sandbox, {"fix.md": retracts(lesson("r98"))})
    done = sandbox.commit("Fix")
    assert "fix.md:4: retract-no-match: " in done.err
    assert outside.read_text() == memory(lesson("r98"))
    assert sandbox.status() == ""


def test_a_read_only_target_keeps_its_mode(sandbox):
    """Row 99."""
    given(sandbox, {"target.md": memory(lesson("r99")), "run.md": memory(lesson("r99x"))})
    sandbox.path("target.md").chmod(0o444)
    sandbox.path("run.md").chmod(0o755)
    sandbox.stage("run.md")
    sandbox.commit("Mode", env=UNSEEN)
    put(sandbox, {"fix.md": retracts(lesson("r99"), lesson("r99x"))})
    sandbox.commit("Fix")
    assert_retracted(sandbox, "target.md", memory(lesson("r99")))
    assert_retracted(sandbox, "run.md", memory(lesson("r99x")))
    assert stat.S_IMODE(sandbox.path("target.md").stat().st_mode) == 0o444
    assert sandbox.git("ls-files", "-s", "run.md").out.startswith("100755")
    assert sandbox.status() == ""


def test_only_memories_below_the_roots_are_hit(sandbox):
    """Row 100."""
    given(
        sandbox,
        {".memtools.toml": 'roots = ["memories"]\n', "docs/page.md": memory(lesson("r100"))},
    )
    given(sandbox, {"README.md": lesson("r100"), "memories/b.md": memory(lesson("r100b"))})
    put(sandbox, {"memories/fix.md": retracts(lesson("r100"), lesson("r100b"))})
    done = sandbox.commit("Fix")
    assert "memories/fix.md:4: retract-no-match: " in done.err
    assert_same(sandbox, "docs/page.md", memory(lesson("r100")))
    assert_retracted(sandbox, "memories/b.md", memory(lesson("r100b")))


def test_a_top_level_readme_is_no_memory(sandbox):
    """Row 100: neither hit nor declaring."""
    given(sandbox, {"README.md": lesson("readme"), "target.md": memory(lesson("readme2"))})
    put(
        sandbox, {"fix.md": retracts(lesson("readme")), "CHANGELOG.md": retracts(lesson("readme2"))}
    )
    assert "retract-no-match" in sandbox.commit("Fix").err
    assert not is_retracted(sandbox, "target.md")


@pytest.mark.parametrize("ignored", [False, True])
def test_an_untracked_file_is_not_hit_and_named(sandbox, ignored):
    """Row 101."""
    if ignored:
        given(sandbox, {".gitignore": "private/\n"})
    sandbox.write("private/target.md", memory(lesson("r101")))
    put(sandbox, {"fix.md": retracts(lesson("r101"))})
    done = sandbox.commit("Fix")
    assert "fix.md:4: retract-untracked: " in done.err
    assert "private/target.md" in done.err
    assert sandbox.read("private/target.md") == memory(lesson("r101")).encode()


def test_a_marker_in_a_candidate_is_pending_until_it_is_approved(sandbox):
    """Rows 74 and 75 (its plain part: the flag set in a commit)."""
    candidate = retracts(lesson("r74"), header="title: Fix\nstatus: candidate\n")
    given(sandbox, {"target.md": memory(lesson("r74"))})
    put(sandbox, {"inbox/fix.md": candidate})
    sandbox.commit("Propose")
    assert_same(sandbox, "target.md", memory(lesson("r74")))
    put(sandbox, {"inbox/fix.md": candidate.replace("candidate", "active")})
    sandbox.commit("Approve")
    assert_retracted(sandbox, "target.md", memory(lesson("r74")))


def test_a_candidate_approved_by_moving_it_acts_in_that_commit(sandbox):
    """Row 75."""
    candidate = retracts(lesson("r75"), header="title: Fix\nstatus: candidate\n")
    given(sandbox, {"target.md": memory(lesson("r75")), "inbox/fix.md": candidate})
    sandbox.git("mv", "inbox/fix.md", "fix.md")
    put(sandbox, {"fix.md": candidate.replace("status: candidate\n", "")})
    sandbox.commit("Approve")
    assert_retracted(sandbox, "target.md", memory(lesson("r75")))


def test_a_rejected_candidate_is_inert_for_ever(sandbox):
    """Row 76."""
    candidate = retracts(lesson("r76"), header="title: Fix\nstatus: candidate\n")
    given(sandbox, {"target.md": memory(lesson("r76")), "inbox/fix.md": candidate})
    sandbox.git("rm", "-q", "inbox/fix.md")
    assert sandbox.commit("Reject").err == ""
    put(sandbox, {"x.md": "x\n"})
    sandbox.commit("Later")
    assert_same(sandbox, "target.md", memory(lesson("r76")))


def test_a_candidate_is_never_hit(sandbox):
    """Rule 6."""
    raw = memory(lesson("cand"), "title: T\nstatus: draft\n")
    given(sandbox, {"inbox/target.md": raw})
    put(sandbox, {"fix.md": retracts(lesson("cand"))})
    assert "retract-no-match" in sandbox.commit("Fix").err
    assert_same(sandbox, "inbox/target.md", raw)


def test_a_new_memory_is_hit_in_the_commit_that_brings_it(sandbox):
    """Row 1: the target is committed as a tombstone from the start."""
    put(sandbox, {"target.md": memory(lesson("new")), "fix.md": retracts(lesson("new"))})
    sandbox.commit("Both")
    assert_retracted(sandbox, "target.md", memory(lesson("new")))


def test_a_partial_commit_leaves_no_reversal_staged(sandbox):
    """Row 88: `MM` would bring the target back with the next commit."""
    given(sandbox, {"target.md": memory(lesson("r88")), "other.md": "other\n"})
    put(sandbox, {"other.md": "other, edited\n", "fix.md": retracts(lesson("r88"))})
    sandbox.commit("Fix", "--", "fix.md")
    assert_retracted(sandbox, "target.md", memory(lesson("r88")))
    assert sandbox.status() == "M  other.md\n"
    sandbox.commit("Next")
    assert_retracted(sandbox, "target.md", memory(lesson("r88")))


def test_a_target_renamed_in_the_same_commit_is_retracted_where_it_is_now(sandbox):
    """Row 89."""
    given(sandbox, {"old.md": memory(lesson("r89"))})
    sandbox.git("mv", "old.md", "folder with blank.md")
    put(sandbox, {"fix.md": retracts(lesson("r89"))})
    sandbox.commit("Fix")
    assert_retracted(sandbox, "folder with blank.md", memory(lesson("r89")))
    assert sandbox.status() == ""


def test_unstaged_edits_of_the_target_stay_unstaged(sandbox):
    """Row 91."""
    before = memory(lesson("r91"))
    given(sandbox, {"target.md": before})
    put(sandbox, {"target.md": before + "Staged.\n", "fix.md": retracts(lesson("r91"))})
    sandbox.write("target.md", before + "Staged.\nUnstaged.\n")
    sandbox.commit("Fix")
    committed = tombstone(before + "Staged.\n", "fix")
    assert sandbox.show("HEAD", "target.md") == sandbox.staged("target.md") == committed
    assert sandbox.read("target.md") == tombstone(before + "Staged.\nUnstaged.\n", "fix")
    assert sandbox.status() == " M target.md\n"


def test_a_target_deleted_on_disk_only_is_not_made_again(sandbox):
    """Row 92."""
    given(sandbox, {"target.md": memory(lesson("r92"))})
    sandbox.path("target.md").unlink()
    put(sandbox, {"fix.md": retracts(lesson("r92"))})
    sandbox.commit("Fix")
    assert sandbox.show("HEAD", "target.md") == tombstone(memory(lesson("r92")), "fix")
    assert sandbox.status() == " D target.md\n"


def test_a_marker_retracts_where_there_is_no_head_to_compare_with(repo):
    """Row 108: unborn branch and first commit, then a detached HEAD."""
    repo.init()
    put(repo, {"target.md": memory(lesson("r108")), "fix.md": retracts(lesson("r108"))})
    repo.commit("First")
    assert_retracted(repo, "target.md", memory(lesson("r108")))
    given(repo, {"b.md": memory(lesson("r108b"))})
    repo.git("checkout", "-q", "--detach")
    put(repo, {"fix-b.md": retracts(lesson("r108b"))})
    repo.commit("Detached")
    assert_retracted(repo, "b.md", memory(lesson("r108b")), by="fix-b")


def test_a_marker_retracts_in_a_shallow_clone(sandbox, tmp_path):
    """Row 108."""
    given(sandbox, {"target.md": memory(lesson("shallow"))})
    given(sandbox, {"x.md": "x\n"})
    run(["git", "clone", "-q", "--depth=1", f"file://{sandbox.top}", "clone"], tmp_path)
    clone = Sandbox(tmp_path / "clone")
    clone.init()
    put(clone, {"fix.md": retracts(lesson("shallow"))})
    clone.commit("Fix")
    assert_retracted(clone, "target.md", memory(lesson("shallow")))


def test_a_standing_marker_heals_in_a_shallow_clone_with_the_date_git_gives(sandbox, tmp_path):
    """Row 108 and rule 11: the boundary commit is the last one that touched it there."""
    put(sandbox, {"target.md": memory(lesson("heal")), "fix.md": retracts(lesson("heal"))})
    sandbox.commit("Unseen", env={**UNSEEN, "GIT_AUTHOR_DATE": "2026-01-02T03:04:05+00:00"})
    run(["git", "clone", "-q", "--depth=1", f"file://{sandbox.top}", "clone"], tmp_path)
    clone = Sandbox(tmp_path / "clone")
    clone.init()
    put(clone, {"x.md": "x\n"})
    clone.commit("Later")
    assert_retracted(clone, "target.md", memory(lesson("heal")), at="2026-01-02T03:04:05+00:00")


def test_each_run_says_what_it_matched_and_how_to_go_back(sandbox):
    """Rows 106 and 107: history holds the state before; the backup ref and the log name it."""
    given(sandbox, {"target.md": memory(lesson("r107"), "id: m-107\ntitle: T\n")})
    before = sandbox.git("rev-parse", "HEAD^{tree}").out.strip()
    put(sandbox, {"fix.md": retracts(lesson("r107"))})
    done = sandbox.commit("Fix")
    assert f'retracted target.md:5 (id m-107) "{lesson("r107")}" (by fix.md:4)' in done.err
    assert "git revert" in done.err
    assert "memtools restore target.md" in done.err
    assert sandbox.git("rev-parse", "refs/memtools/backup").out.strip() == before
    assert "refs/memtools" not in sandbox.git("log", "--all", "--format=%D").out
    assert (
        sandbox.show("HEAD~1", "target.md")
        == memory(lesson("r107"), "id: m-107\ntitle: T\n").encode()
    )
    log = sandbox.path(".git/memtools/log/retractions")
    assert log.exists() and b"target.md" in log.read_bytes()


def test_the_machine_log_is_private_and_grows_by_a_line_a_retraction(sandbox):
    """Row 107."""
    given(sandbox, {f"{n}.md": memory(lesson(f"log{n}")) for n in range(3)})
    for n in range(3):
        put(sandbox, {f"fix{n}.md": retracts(lesson(f"log{n}"))})
        sandbox.commit("Fix")
    lines = sandbox.path(".git/memtools/log/retractions").read_text().splitlines()
    assert [f"{n}.md" in line for n, line in enumerate(lines)] == [True] * 3
    assert stat.S_IMODE(os.stat(sandbox.path(".git/memtools/log/retractions")).st_mode) == 0o600
    assert all(DATE[:4] in line for line in lines)


def test_a_high_priority_memory_goes_like_any_other_in_a_persons_commit(sandbox):
    """Row 104 (the declaring memory may have high priority itself) and seed 1."""
    before = memory(lesson("r104"), "title: T\npriority: high\n")
    given(sandbox, {"target.md": before})
    put(sandbox, {"fix.md": retracts(lesson("r104"), header="title: F\npriority: high\n")})
    sandbox.commit("Fix")
    assert_retracted(sandbox, "target.md", before)


def test_a_file_with_three_facts_loses_none_of_its_bytes(sandbox):
    """A20: https://github.com/vectorize-io/hindsight/issues/1094."""
    before = fix(f"One: {lesson('a20')}.", "", "Two holds.", "", "Three holds.")
    given(sandbox, {"facts.md": before})
    put(sandbox, {"fix.md": retracts(lesson("a20"))})
    sandbox.commit("Fix")
    assert_retracted(sandbox, "facts.md", before)


def test_names_in_either_unicode_form_are_hit_where_they_stand(sandbox):
    """D10: https://github.com/basicmachines-co/basic-memory/issues/1275."""
    path = "か\u3099めん.md"
    given(
        sandbox,
        {path: memory("画面", "title: か\u3099めん\n"), "場面設計.md": memory(lesson("d9"))},
    )
    put(sandbox, {"fix.md": retracts("がめん.md", lesson("d9"))})
    sandbox.commit("Fix")
    assert_retracted(sandbox, path, memory("画面", "title: か\u3099めん\n"))
    assert_retracted(sandbox, "場面設計.md", memory(lesson("d9")))
