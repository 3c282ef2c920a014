"""`backup`: one file that gives the whole repository back, and was proved to do so."""

import os
import shutil
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from memtools.errors import GitError, UsageError
from memtools.git.bundle import is_whole
from memtools.usecases.bundles import KEPT, own_folder
from memtools.usecases.repository import open_repository
from memtools.usecases.tending.backup import BackupState, backup
from tests.helpers import CHECKOUT, Sandbox, run

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


def backed_up(sandbox, **options):
    repository = open_repository(str(sandbox.top))
    return backup(repository, **{"now": NOW, "apply": True, **options})


def kept(sandbox):
    folder = own_folder(open_repository(str(sandbox.top)))
    return sorted(os.listdir(folder)) if os.path.isdir(folder) else []


def everything(sandbox):
    return sandbox.git("for-each-ref").out, sandbox.status(), sandbox.head()


@pytest.fixture
def notes(repo):
    repo.save({"a.md": b"Caf\xc3\xa9\r\n", "日本/odd name.md": b"\xff\x00\n"})
    return repo


def test_a_clone_of_the_bundle_is_the_repository_byte_for_byte(notes, tmp_path):
    notes.git("branch", "memory/slug\u2028and-more")
    notes.git("tag", "-a", "-m", "one", "v1")
    notes.write("a.md", "dirty\n")
    notes.git("stash", "-q")
    made = backed_up(notes)
    assert made.state is BackupState.WRITTEN
    notes.git("clone", "-q", "--mirror", made.path, str(tmp_path / "mirror"))
    assert notes.git("-C", str(tmp_path / "mirror"), "for-each-ref").out == (
        notes.git("for-each-ref").out
    )
    notes.git("clone", "-q", made.path, str(tmp_path / "clone"))
    clone = Sandbox(tmp_path / "clone")
    assert {path: clone.read(path) for path in clone.files()} == {
        path: notes.read(path) for path in notes.files()
    }
    assert clone.head() == notes.head()
    assert made.refs == 4


def test_older_stashes_and_commits_only_the_reflog_names_are_in_it(notes, tmp_path):
    for text in ("one\n", "two\n"):
        notes.write("a.md", text)
        notes.git("stash", "-q")
    notes.save({"b.md": "given up\n"})
    given_up = notes.head()
    notes.git("reset", "-q", "--hard", "HEAD^")
    wanted = {given_up, notes.git("rev-parse", "stash@{1}").out.strip()}
    made = backed_up(notes)
    assert made.missing == ()
    notes.git("clone", "-q", "--mirror", made.path, str(tmp_path / "mirror"))
    found = notes.git("-C", str(tmp_path / "mirror"), "fsck", "--no-progress").out
    assert wanted <= set(found.split())


def test_a_dry_run_writes_nothing_and_nothing_is_written_twice(notes):
    before = everything(notes)
    assert backed_up(notes, apply=False).state is BackupState.WOULD_WRITE
    assert kept(notes) == []
    first = backed_up(notes)
    assert backed_up(notes) == first._replace(state=BackupState.CURRENT)
    assert backed_up(notes, apply=False).state is BackupState.CURRENT
    assert kept(notes) == [os.path.basename(first.path)]
    assert everything(notes) == before


@pytest.mark.parametrize(
    "change",
    [["branch", "new"], ["branch", "-D", "side"], ["commit", "-q", "--allow-empty", "-m", "x"]],
    ids=" ".join,
)
def test_each_change_of_a_ref_is_something_new(notes, change):
    notes.git("branch", "side")
    backed_up(notes)
    notes.git(*change)
    assert backed_up(notes).state is BackupState.WRITTEN


def test_a_damaged_bundle_is_not_believed(notes):
    made = backed_up(notes)
    data = bytearray(Path(made.path).read_bytes())
    data[-30] ^= 4
    for bad in (bytes(data), bytes(data[:-9]), b"", b"# v2 git bundle\n"):
        Path(made.path).write_bytes(bad)
        assert not is_whole(made.path)
        assert backed_up(notes, apply=False).state is BackupState.WOULD_WRITE
    assert backed_up(notes).path != made.path


def test_the_newest_are_kept_whatever_the_clock_says(notes):
    first = backed_up(notes).path
    for number in range(KEPT):
        shutil.copy(first, first.replace(".bundle", f"-{number}.bundle"))
        os.utime(first.replace(".bundle", f"-{number}.bundle"), (9 + number, 9 + number))
    notes.git("branch", "new")
    made = backed_up(notes, now=NOW - timedelta(days=900))
    # the file of this run is the youngest, although its name is the oldest
    assert [name[-8:-7] for name in map(os.path.basename, made.removed)] == ["1", "0"]
    assert len(kept(notes)) == KEPT
    assert {first, made.path} <= {f"{os.path.dirname(first)}/{name}" for name in kept(notes)}


def test_another_folder_keeps_bundles_of_other_repositories_apart(notes, tmp_path):
    disk = tmp_path / "disk"
    disk.mkdir()
    (disk / "letter.bundle").write_text("mine\n")
    made = backed_up(notes, to=str(disk))
    assert os.path.dirname(made.path) == str(disk)
    assert kept(notes) == []
    assert backed_up(notes, to=str(disk)).state is BackupState.CURRENT
    assert (disk / "letter.bundle").read_text() == "mine\n"


def test_a_folder_inside_of_the_repository_or_none_at_all_is_refused(notes, tmp_path):
    (notes.top / "inner").mkdir()
    for inside in (notes.top, notes.top / "inner", notes.top / ".git"):
        with pytest.raises(UsageError, match="inside"):
            backed_up(notes, to=str(inside))
    with pytest.raises(GitError, match="not a folder"):
        backed_up(notes, to=str(tmp_path / "missing"))


def test_before_the_first_commit_there_is_nothing_to_back_up(repo):
    assert backed_up(repo).state is BackupState.EMPTY
    assert kept(repo) == []


def test_linked_work_trees_share_one_series(notes, tmp_path):
    notes.git("worktree", "add", "-q", "--detach", str(tmp_path / "linked"))
    linked = Sandbox(tmp_path / "linked")
    linked.save({"c.md": "on no branch\n"})
    made = backed_up(notes)
    assert backed_up(linked) == made._replace(state=BackupState.CURRENT)
    assert notes.git("bundle", "list-heads", made.path).out.count(linked.head()) == 1


def test_a_shallow_clone_is_backed_up_and_can_be_restored(notes, tmp_path):
    notes.save({"b.md": "later\n"})
    notes.git("clone", "-q", "--depth=1", f"file://{notes.top}", str(tmp_path / "shallow"))
    shallow = Sandbox(tmp_path / "shallow")
    made = backed_up(shallow)
    assert made.state is BackupState.WRITTEN
    assert "shallow" in made.missing[0]
    assert backed_up(shallow).state is BackupState.CURRENT
    # as docs/daily.md says
    notes.git("init", "-q", "-b", "main", str(tmp_path / "restored"))
    restored = Sandbox(tmp_path / "restored")
    with open(made.path.removesuffix("bundle") + "shallow", "rb") as file:
        restored.write(".git/shallow", file.read())
    restored.git("pull", "-q", made.path, "main")
    assert restored.read("b.md") == b"later\n"
    assert restored.git("fsck", "--connectivity-only").code == 0


def test_a_partial_clone_that_lacks_objects_says_how_to_get_them(notes, tmp_path):
    notes.git("config", "uploadpack.allowFilter", "true")
    clone = Sandbox(tmp_path / "partial")
    notes.git(
        "clone", "-q", "--no-checkout", "--filter=blob:none", f"file://{notes.top}", str(clone.top)
    )
    with pytest.raises(GitError, match="2 objects") as caught:
        backed_up(clone)
    assert kept(clone) == []
    clone.git(*caught.value.hint.removeprefix("type: git ").split())
    assert backed_up(clone).state is BackupState.WRITTEN


def test_a_repository_that_lost_an_object_is_not_called_backed_up(notes):
    blob = notes.git("rev-parse", "HEAD:a.md").out.strip()
    notes.path(f".git/objects/{blob[:2]}/{blob[2:]}").unlink()
    with pytest.raises(GitError):
        backed_up(notes)
    assert kept(notes) == []


def test_what_a_killed_backup_left_goes_with_the_next(notes):
    folder = own_folder(open_repository(str(notes.top)))
    os.makedirs(f"{folder}/.memtools-backup-99999999.restored/refs")
    for name in (".memtools-backup-99999999", ".memtools-backup-99999999.lock"):
        notes.write(f".git/memtools/backups/{name}", "half")
    made = backed_up(notes)
    assert kept(notes) == [os.path.basename(made.path)]


def test_on_a_full_disk_there_is_a_message_and_no_half_bundle(notes):
    """A limit of the size of files stands for the disk."""
    notes.save({"big.md": os.urandom(40_000).hex()})
    code = (
        "import resource, signal, sys\n"
        "sys.dont_write_bytecode = True\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (9000, 9000))\n"
        "from memtools.start import run_and_leave\n"
        "sys.argv = ['memtools', 'backup', '--apply']\n"
        "run_and_leave()\n"
    )
    done = run([sys.executable, "-c", code], notes.top, {"PYTHONPATH": str(CHECKOUT)})
    assert done.code == 3
    assert "Traceback" not in done.err
    assert done.err.startswith("memtools: ")
    assert kept(notes) == []
    assert backed_up(notes).state is BackupState.WRITTEN


def test_two_backups_do_not_write_at_once(notes):
    from memtools.files import take_lock

    notes.write(".git/memtools/backup-lock", "")
    held = take_lock(str(notes.path(".git/memtools/backup-lock")), 0.0)
    try:
        with pytest.raises(GitError, match="backup-lock"):
            backed_up(notes)
    finally:
        os.close(held)
