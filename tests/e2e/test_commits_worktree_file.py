"""The work-tree file of a target: links, modes, line ends, filters; only header lines differ."""

import os
import shutil
import stat

import pytest

from tests.e2e.story import (
    FIELDS,
    FIX,
    OTHER,
    PHRASE,
    TARGET,
    all_three,
    buried,
    changed_lines,
    hook,
    leftovers,
    mark,
    settled,
    states,
)

CRLF = TARGET.replace("\n", "\r\n")
CRLF_BURIED = buried().replace("\n", "\r\n")


def test_a_memory_that_is_a_symlink_is_neither_read_nor_written(notes, tmp_path):
    """C35."""
    outside = tmp_path / "outside.md"
    outside.write_text(f"The outside {PHRASE}, too.\n")
    before = outside.stat()
    notes.path("link.md").symlink_to(outside)
    notes.stage("link.md")
    notes.commit("Link")
    mark(notes)
    notes.commit("Fix")
    assert states(notes) == all_three(buried())
    assert outside.read_text() == f"The outside {PHRASE}, too.\n"
    assert outside.stat() == before or outside.stat().st_mtime_ns == before.st_mtime_ns
    assert notes.path("link.md").is_symlink()
    assert notes.status() == ""
    settled(notes)


def test_only_a_symlink_holds_the_phrase_so_nothing_is_hit(notes, tmp_path):
    """C35, the other way round."""
    outside = tmp_path / "outside.md"
    outside.write_text("The fan was broken all along.\n")
    notes.path("link.md").symlink_to(outside)
    notes.stage("link.md")
    notes.commit("Link")
    mark(notes, text="RETRACTS: fan was broken all along\n")
    assert "retract-no-match" in notes.commit("Fix").err
    assert outside.read_text() == "The fan was broken all along.\n"
    settled(notes)


def test_a_file_replaced_by_a_symlink_is_not_followed(notes, tmp_path):
    """C36."""
    outside = tmp_path / "outside.md"
    outside.write_text(TARGET)
    notes.path("target.md").unlink()
    notes.path("target.md").symlink_to(outside)
    mark(notes)
    done = notes.commit("Fix")
    assert notes.show("HEAD", "target.md").decode() == notes.staged("target.md").decode()
    assert notes.show("HEAD", "target.md").decode() == buried()
    assert outside.read_text() == TARGET
    assert os.readlink(notes.path("target.md")) == str(outside)
    assert notes.status() == " T target.md\n"
    assert "the file target.md was left as it is" in done.err
    settled(notes)


def test_a_folder_replaced_by_a_symlink_is_not_followed(sandbox, tmp_path):
    """C36, one level up."""
    sandbox.save({"deep/target.md": TARGET})
    outside = tmp_path / "outside"
    shutil.move(sandbox.path("deep"), outside)
    sandbox.path("deep").symlink_to(outside)
    mark(sandbox)
    sandbox.commit("Fix")
    assert sandbox.show("HEAD", "deep/target.md").decode() == buried()
    assert (outside / "target.md").read_text() == TARGET
    assert [path.name for path in outside.iterdir()] == ["target.md"]
    assert sandbox.path("deep").is_symlink()


def test_a_file_replaced_by_a_folder_is_left_alone(notes):
    notes.path("target.md").unlink()
    notes.write("target.md/inside.txt", "x\n")
    mark(notes)
    notes.commit("Fix")
    assert notes.show("HEAD", "target.md").decode() == buried()
    assert notes.read("target.md/inside.txt") == b"x\n"


@pytest.mark.parametrize(("index_mode", "disk_mode"), [("+x", 0o700), ("-x", 0o444), ("+x", 0o555)])
@pytest.mark.parametrize("how", [[], ["-a"]])
def test_modes_are_kept(notes, index_mode, disk_mode, how):
    """C38."""
    notes.git("update-index", f"--chmod={index_mode}", "target.md")
    notes.path("target.md").chmod(disk_mode)
    notes.git("commit", "-q", "-m", "Mode", "--allow-empty")
    mode = notes.git("ls-files", "-s", "target.md").out.split()[0]
    mark(notes)
    notes.commit("Fix", *how)
    assert states(notes) == all_three(buried())
    assert notes.git("ls-files", "-s", "target.md").out.split()[0] == mode
    assert notes.git("ls-tree", "HEAD", "target.md").out.split()[0] == mode
    assert stat.S_IMODE(notes.path("target.md").stat().st_mode) == disk_mode
    assert notes.status() == ""
    settled(notes)


def test_autocrlf_gives_the_file_crlf_and_the_blob_lf(notes):
    """C39: core.autocrlf=true."""
    notes.git("config", "core.autocrlf", "true")
    notes.path("target.md").unlink()
    notes.git("checkout", "-q", "--", "target.md")
    assert notes.read("target.md").decode() == CRLF
    mark(notes)
    notes.commit("Fix")
    assert states(notes) == (buried(), buried(), CRLF_BURIED)
    assert notes.status() == ""
    settled(notes)


@pytest.mark.parametrize("how", [[], ["--", "fix.md"]])
def test_eol_crlf_with_an_unstaged_edit_keeps_every_line_end(notes, how):
    """C39: eol=crlf with an unstaged edit."""
    notes.save({".gitattributes": "*.md text eol=crlf\n"})
    edited = CRLF.replace("End line", "End line, edited")
    notes.write("target.md", edited)
    mark(notes)
    notes.commit("Fix", *how)
    wanted = buried().replace("\n", "\r\n").replace("End line", "End line, edited")
    assert states(notes) == (buried(), buried(), wanted)
    assert changed_lines(notes) == ["-End line.", "+End line, edited."]
    assert notes.status() == " M target.md\n"
    settled(notes)


@pytest.mark.parametrize("attributes", ["", "*.md text=auto\n"])
def test_a_blob_with_crlf_keeps_it(sandbox, attributes):
    """C39: CRLF blob; text=auto on a CRLF blob."""
    sandbox.save({"target.md": CRLF, "other.md": OTHER})
    if attributes:
        sandbox.write(".gitattributes", attributes)
        sandbox.git("add", ".gitattributes")
        sandbox.commit("Attributes")
    mark(sandbox)
    sandbox.commit("Fix")
    assert states(sandbox) == all_three(CRLF_BURIED)
    assert changed_lines(sandbox, "HEAD^", "HEAD", "--", "target.md") == [
        "-status: active\r",
        "+status: retracted\r",
        "+retracted_at: 2026-11-29T12:00:00+09:00\r",
        '+retracted_by: "[[fix]]"\r',
    ]
    settled(sandbox)


def test_a_crlf_file_beside_an_lf_blob_gets_the_tombstone_with_its_own_line_ends(notes):
    """C39: an editor changed every line end and nothing is staged."""
    notes.write("target.md", CRLF)
    mark(notes)
    notes.commit("Fix")
    assert states(notes) == (buried(), buried(), CRLF_BURIED)
    settled(notes)


def test_ident_is_expanded_again_and_the_blob_stays_canonical(notes):
    """C40: ident."""
    notes.save({".gitattributes": "*.md ident\n"})
    text = TARGET.replace("End line.", "$Id$")
    notes.save({"target.md": text})
    notes.path("target.md").unlink()
    notes.git("checkout", "-q", "--", "target.md")
    assert b"$Id: " in notes.read("target.md")
    mark(notes)
    notes.commit("Fix")
    blob = notes.git("rev-parse", "HEAD:target.md").out.strip()
    assert states(notes) == (
        buried(text),
        buried(text),
        buried(text).replace("$Id$", f"$Id: {blob} $"),
    )
    assert notes.status() == ""
    settled(notes)


@pytest.mark.parametrize("is_edited", [False, True])
def test_clean_and_smudge_filters_run_and_the_blob_stays_canonical(notes, is_edited):
    """C40: clean and smudge filter."""
    notes.git("config", "filter.loud.clean", "sed 's/DISK CACHE/disk cache/'")
    notes.git("config", "filter.loud.smudge", "sed 's/disk cache/DISK CACHE/'")
    notes.save({".gitattributes": "target.md filter=loud\n"})
    notes.path("target.md").unlink()
    notes.git("checkout", "-q", "--", "target.md")
    loud = notes.read("target.md").decode()
    assert "DISK CACHE" in loud
    if is_edited:
        loud = loud.replace("End line", "End line, edited")
        notes.write("target.md", loud)
    mark(notes)
    notes.commit("Fix")
    assert states(notes) == (buried(), buried(), buried(loud))
    assert notes.status() == (" M target.md\n" if is_edited else "")
    settled(notes)


def test_a_file_in_utf16_on_disk_is_written_as_such(notes):
    """C40: working-tree-encoding=UTF-16."""
    notes.save({".gitattributes": "target.md text working-tree-encoding=UTF-16LE-BOM\n"})
    notes.path("target.md").unlink()
    notes.git("checkout", "-q", "--", "target.md")
    assert notes.read("target.md").decode("utf-16") == TARGET
    mark(notes)
    notes.commit("Fix")
    assert notes.show("HEAD", "target.md").decode() == buried()
    assert notes.read("target.md").decode("utf-16") == buried()
    assert notes.status() == ""
    settled(notes)


def test_an_edited_file_in_utf16_on_disk_is_left_alone_and_named(notes):
    """C40: a textual edit cannot be made on bytes of another encoding."""
    notes.save({".gitattributes": "target.md text working-tree-encoding=UTF-16LE-BOM\n"})
    text = TARGET.replace("End line", "End line, edited")
    raw = b"\xff\xfe" + text.encode("utf-16-le")
    notes.write("target.md", raw)
    mark(notes)
    done = notes.commit("Fix")
    assert notes.show("HEAD", "target.md").decode() == buried()
    assert notes.read("target.md") == raw
    assert "target.md" in done.err and "left as it is" in done.err
    settled(notes)


def test_a_bom_stays_and_is_no_text(sandbox):
    """C40: BOM."""
    bom = b"\xef\xbb\xbf"
    sandbox.save({"target.md": bom + TARGET.encode(), "other.md": OTHER})
    mark(sandbox)
    sandbox.commit("Fix")
    assert sandbox.show("HEAD", "target.md") == bom + buried().encode()
    assert sandbox.read("target.md") == bom + buried().encode()
    assert sandbox.status() == ""
    settled(sandbox)


def test_a_marker_on_the_first_line_after_a_bom_retracts(notes):
    """C40: BOM before the marker."""
    mark(notes, text="\ufeffRETRACTS: disk cache was the root cause\n")
    notes.commit("Fix")
    assert states(notes) == all_three(buried())
    settled(notes)


def test_a_header_that_was_broken_on_disk_is_left_alone_and_named(notes):
    """The commit is right all the same, and the next one does not lose the tombstone."""
    broken = TARGET.replace("---\ntitle: Cache\nstatus: active", "--\ntitle: Cache\nstatus: [oops")
    notes.write("target.md", broken)
    mark(notes)
    done = notes.commit("Fix")
    assert notes.show("HEAD", "target.md").decode() == buried()
    assert notes.read("target.md").decode() == broken
    assert "the file target.md was left as it is" in done.err
    notes.write("other.md", OTHER + "More.\n")
    notes.stage("other.md")
    notes.commit("Other")
    assert notes.show("HEAD", "target.md").decode() == buried()
    assert notes.read("target.md").decode() == broken
    settled(notes)


def test_hard_links_are_broken_and_the_other_name_keeps_its_bytes(notes, tmp_path):
    """Documented: the write is a rename, so a second name of the file stays as it was."""
    os.link(notes.path("target.md"), tmp_path / "second")
    mark(notes)
    notes.commit("Fix")
    assert states(notes) == all_three(buried())
    assert (tmp_path / "second").read_text() == TARGET


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_costs_the_file_not_the_commit(notes):
    notes.save({"deep/far.md": "---\nstatus: active\n---\nThe fan was broken all along.\n"})
    notes.path("deep").chmod(0o555)
    mark(notes, text="RETRACTS: fan was broken all along\n")
    done = notes.commit("Fix")
    notes.path("deep").chmod(0o755)
    assert "status: retracted" in notes.show("HEAD", "deep/far.md").decode()
    assert "deep/far.md" in done.err


def test_a_write_that_fails_costs_the_file_not_the_commit(notes):
    """A work-tree file that cannot be replaced is named; HEAD and staging are right."""
    if shutil.which("chattr") is None:
        pytest.skip("chattr is not installed")
    notes.save({"deep/far.md": "---\nstatus: active\n---\nThe fan was broken all along.\n"})
    done = os.system(f"chattr +i {notes.path('deep')} 2>/dev/null")
    if done:
        pytest.skip("this file system knows no immutable folder")
    try:
        mark(notes, text="RETRACTS: fan was broken all along\n")
        said = notes.commit("Fix")
    finally:
        os.system(f"chattr -i {notes.path('deep')}")
    assert "status: retracted" in notes.show("HEAD", "deep/far.md").decode()
    assert "the file deep/far.md was left as it is" in said.err
    assert leftovers(notes) == []


def test_a_filter_that_fails_costs_the_file_not_the_commit(notes):
    """A required smudge filter may be missing on this machine."""
    notes.save({".gitattributes": "target.md filter=odd\n"})
    notes.git("config", "filter.odd.clean", "cat")
    notes.git("config", "filter.odd.smudge", "false")
    notes.git("config", "filter.odd.required", "true")
    notes.write("target.md", TARGET.replace("\n", "\r\n"))
    notes.git("config", "filter.odd.clean", "tr -d '\\r'")
    mark(notes)
    done = notes.commit("Fix")
    assert states(notes) == (buried(), buried(), CRLF)
    assert "the file target.md was left as it is" in done.err
    settled(notes)


def test_a_target_whose_object_is_missing_is_refused_and_not_taken_for_empty(notes):
    """A damaged repository, or a partial clone without its remote."""
    blob = notes.git("rev-parse", "HEAD:target.md").out.strip()
    mark(notes, text="RETRACTS: target.md\n")
    before = notes.git("ls-files", "-s").out
    notes.path(f".git/objects/{blob[:2]}/{blob[2:]}").unlink()
    done = notes.commit("Fix", code=1)
    assert "target.md" in done.err
    assert notes.git("ls-files", "-s").out == before
    assert notes.read("target.md").decode() == TARGET


def test_a_journal_row_whose_blob_is_gone_is_not_put_back(notes):
    """A gc between a commit given up and the next one: the tombstone stays, nothing is emptied."""
    refuse = hook(notes, "commit-msg", "exit 1")
    staged = TARGET.replace("Top line", "Top line, staged")
    notes.write("target.md", staged)
    notes.stage("target.md")
    blob = notes.git("rev-parse", ":target.md").out.strip()
    mark(notes)
    notes.commit("Fix", code=1)
    refuse.unlink()
    notes.path(f".git/objects/{blob[:2]}/{blob[2:]}").unlink()
    notes.git("update-ref", "-d", "refs/memtools/backup")
    notes.git("rm", "-q", "--cached", "fix.md")
    notes.commit("Edit")
    assert states(notes) == all_three(buried(staged))
    settled(notes)


def test_a_target_without_any_header_gets_a_block_in_all_three_places(notes):
    plain = "The fan was broken all along.\n\nEnd.\n"
    notes.save({"fan.md": plain})
    notes.write("fan.md", plain.replace("End.", "End, edited."))
    mark(notes, text=FIX.replace(PHRASE, "fan was broken all along"))
    notes.commit("Fix")
    block = f"---\nstatus: retracted\n{FIELDS}---\n"
    assert states(notes, "fan.md") == (
        block + plain,
        block + plain,
        block + plain.replace("End.", "End, edited."),
    )
    assert leftovers(notes) == []
    assert changed_lines(notes) == ["-End.", "+End, edited."]
    settled(notes)


@pytest.mark.parametrize(("autocrlf", "text"), [("true", TARGET), ("input", CRLF)])
def test_a_file_git_refuses_to_stage_again_costs_no_commit(notes, autocrlf, text):
    """What is set after the file was committed: git would not take these very bytes again."""
    is_lf = text == TARGET
    notes.write("target.md", text)
    notes.stage()
    notes.commit("Given", "--allow-empty")
    mark(notes)
    notes.git("config", "core.autocrlf", autocrlf)
    notes.git("config", "core.safecrlf", "true")
    notes.write(".git/info/attributes", "" if is_lf else "target.md text\n")
    notes.commit("Fix")
    expected = buried() if is_lf else CRLF_BURIED
    assert notes.show("HEAD", "target.md").decode() == expected
    assert notes.read("target.md").decode() == expected
    settled(notes)


def test_of_two_files_alike_git_converts_one_and_both_are_committed_as_they_stood(sandbox):
    """Attributes set later: staging the file would give it other line ends than it was read with.

    Both get the same blob, so that one of them shows nothing of the other.
    """
    stores = '[stores]\nnotes = ["notes"]\nwisdom = ["wisdom"]\n'
    paths = ["notes/target.md", "wisdom/target.md"]
    sandbox.save({".memtools.toml": stores, **dict.fromkeys(paths, CRLF)})
    sandbox.write(".git/info/attributes", "notes/** text\n")
    mark(sandbox)
    sandbox.commit("Fix")
    assert {sandbox.show("HEAD", path).decode() for path in paths} == {CRLF_BURIED}
    settled(sandbox)
