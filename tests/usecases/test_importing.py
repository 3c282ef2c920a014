"""`import`: everything enters as candidates, through the gate, in one commit, once."""

import json

import pytest

from memtools.core.memory import read_memory
from memtools.errors import UsageError
from memtools.usecases.proposing.importing import import_memories
from memtools.usecases.reading.recall import recall
from memtools.usecases.reading.search import search
from memtools.usecases.repository import open_repository

SECRET = "ghp_" + "P7v664kVJu3A7FAKE4uVNYgULXmNp4RrFcJr"
FEEDBACK = (
    b"---\nname: Answer style\ndescription: short answers  # theirs\nmetadata:\n  type: feedback\n"
    b"---\n\nKeep answers short. See [[deploys]].\n"
)


def call(sandbox, format, path, **options):
    return import_memories(open_repository(str(sandbox.top)), format, str(path), **options)


def written(folder, files):
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def paths(found):
    return [entry.path for entry in found.entries]


def stored(sandbox, path):
    return read_memory(path, sandbox.show("HEAD", path))


def everything(sandbox):
    return sandbox.head(), sandbox.git("ls-files", "-s").out, sandbox.status()


@pytest.fixture
def claude(tmp_path):
    return written(
        tmp_path / "memory",
        {
            "MEMORY.md": "# Memory\n\n- [Style](feedback_style.md) - short\n- [D](deploys.md)\n",
            "feedback_style.md": FEEDBACK,
            "deploys.md": "Deploys run on Tuesdays.\n",
        },
    )


def test_a_dry_run_changes_nothing(sandbox, claude):
    before = everything(sandbox)
    found = call(sandbox, "claude", claude)
    assert paths(found) == ["inbox/deploys.md", "inbox/feedback_style.md"]
    assert not found.applied
    assert everything(sandbox) == before


def test_the_folder_of_claude_code_enters_as_candidates_in_one_commit(sandbox, claude):
    sandbox.write("mine.md", "staged\n")
    sandbox.stage("mine.md")
    count = int(sandbox.git("rev-list", "--count", "HEAD").out)
    found = call(sandbox, "claude", claude, apply=True)
    assert found.code == 0
    assert int(sandbox.git("rev-list", "--count", "HEAD").out) == count + 1
    assert sandbox.status() == "A  mine.md\n"
    style, deploys = (
        stored(sandbox, path) for path in ("inbox/feedback_style.md", "inbox/deploys.md")
    )
    assert (style.status, style.source, style.title) == ("candidate", "extracted", "Answer style")
    assert deploys.title == "D"
    data = sandbox.show("HEAD", "inbox/feedback_style.md")
    assert b"description: short answers  # theirs\nmetadata:\n  type: feedback\n" in data
    assert data.endswith(b"---\n\nKeep answers short. See [[deploys]].\n")
    assert b"imported_from: " in data
    assert [left.place for left in found.left_out] == ["MEMORY.md"]


def test_an_index_with_notes_of_its_own_enters_too(sandbox, tmp_path):
    folder = written(tmp_path / "memory", {"MEMORY.md": "# Memory\n\nUse tabs in Makefiles.\n"})
    assert paths(call(sandbox, "claude", folder / "MEMORY.md")) == ["inbox/MEMORY.md"]


def test_a_second_import_changes_nothing(sandbox, claude):
    call(sandbox, "claude", claude, apply=True)
    before = everything(sandbox)
    found = call(sandbox, "claude", claude, apply=True)
    assert (found.entries, found.known) == ((), 2)
    assert everything(sandbox) == before


def test_an_entry_that_changed_since_enters_again(sandbox, claude):
    call(sandbox, "claude", claude, apply=True)
    written(claude, {"deploys.md": "Deploys run on Mondays.\n"})
    assert paths(call(sandbox, "claude", claude, apply=True)) == ["inbox/deploys-2.md"]


def test_no_reader_sees_what_was_imported(sandbox, claude):
    call(sandbox, "claude", claude, apply=True)
    repository = open_repository(str(sandbox.top))
    assert search(repository, "Tuesdays").hits == ()
    assert recall(repository, "Tuesdays").memories == ()


def test_a_handbook_enters_block_by_block(sandbox, tmp_path):
    text = (
        "# Task Group: build\nscope: the app\n\n- use make\n\n"
        "# Task Group: docs\nscope: docs\n\n- use mdformat\n"
    )
    folder = written(tmp_path / "memories", {"MEMORY.md": text, "raw_memories.md": "left alone"})
    found = call(sandbox, "codex", folder, apply=True)
    assert paths(found) == ["inbox/2026-11-29-build.md", "inbox/2026-11-29-docs.md"]
    assert [entry.place for entry in found.entries] == ["MEMORY.md:1", "MEMORY.md:6"]
    assert sandbox.show("HEAD", "inbox/2026-11-29-build.md").endswith(
        b"---\n# Task Group: build\nscope: the app\n\n- use make\n\n"
    )
    written(folder, {"MEMORY.md": "A new line above.\n\n" + text})
    assert len(paths(call(sandbox, "codex", folder))) == 1


def test_a_vault_keeps_names_folders_links_and_properties(sandbox, tmp_path):
    vault = written(
        tmp_path / "vault",
        {
            "計画/Lift-off.md": "---\ncssclasses: [wide]\nsource: https://a.example\n---\n[[Crew]]\n",
            "Crew.MD": "The crew of the [[Lift-off|start]].\n",
            ".obsidian/app.json": "{}",
            ".trash/Old.md": "gone\n",
            "img/a.png": b"\x89PNG",
            "Old idea.md": "---\nstatus: archived\n---\nNo longer.\n",
        },
    )
    found = call(sandbox, "obsidian", vault, apply=True)
    assert paths(found) == ["inbox/Crew.md", "inbox/計画/Lift-off.md"]
    assert {left.place for left in found.left_out} == {"", "Old idea.md"}
    assert found.code == 0
    data = sandbox.show("HEAD", "inbox/計画/Lift-off.md").decode()
    assert "cssclasses: [wide]\n" in data
    assert "original_source: https://a.example\n" in data
    assert data.endswith("---\n[[Crew]]\n")
    memory = stored(sandbox, "inbox/計画/Lift-off.md")
    assert (memory.status, memory.source, memory.title) == ("candidate", "external", "Lift-off")


def test_a_status_of_the_wild_is_kept_beside_ours(sandbox, tmp_path):
    vault = written(tmp_path / "vault", {"a.md": "---\nstatus: evergreen\n---\nText.\n"})
    call(sandbox, "obsidian", vault, apply=True)
    data = sandbox.show("HEAD", "inbox/a.md")
    assert b"status: candidate\n" in data
    assert b"original_status: evergreen\n" in data


def test_rows_enter_with_all_their_keys(sandbox, tmp_path):
    rows = [
        {"title": "Lift", "text": "The lift is slow.", "score": 3, "meta": {"a": [1, "二"]}},
        {"body": "No title here.", "status": "active", "confidence": 1},
        {"op": "delete", "path": "x.md"},
    ]
    text = "\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    file = written(tmp_path, {"rows.ndjson": f'{text}\n\nno json\n[1]\n{{"a": 1}}\n'})
    found = call(sandbox, "ndjson", file / "rows.ndjson", apply=True)
    assert paths(found) == ["inbox/2026-11-29-lift.md", "inbox/2026-11-29-no-title-here.md"]
    assert {left.place for left in found.left_out if left.is_fault} == {
        f"rows.ndjson:{line}" for line in (5, 6, 7)
    }
    assert found.code == 1
    data = sandbox.show("HEAD", "inbox/2026-11-29-lift.md").decode()
    assert "score: 3\nmeta:\n  a:\n  - 1\n  - 二\n" in data
    memory = stored(sandbox, "inbox/2026-11-29-no-title-here.md")
    assert (memory.status, memory.confidence) == ("candidate", None)


def test_the_commit_binds_every_candidate_to_its_bytes(sandbox, tmp_path):
    rows = "\n".join(json.dumps({"text": f"Locker {n} is blue."}) for n in range(101))
    found = call(sandbox, "ndjson", written(tmp_path, {"rows": rows}) / "rows", apply=True)
    form = "--format=%(trailers:key=Memtools-Proposed,valueonly)"
    bound = sandbox.git("log", "-1", form).out.split("\n")
    assert [line for line in bound if line] == [f"{one.blob} {one.path}" for one in found.entries]


def test_rejected_entries_are_named_and_never_shown(sandbox, tmp_path):
    vault = written(
        tmp_path / "vault",
        {"key.md": f"Fine.\nUse {SECRET} .\n", f"a/{SECRET}.md": "x\n", "ok.md": "Fine.\n"},
    )
    found = call(sandbox, "obsidian", vault, apply=True)
    assert found.code == 1
    assert paths(found) == ["", "", "inbox/ok.md"]
    assert {entry.place for entry in found.entries} == {"a/…", "key.md", "ok.md"}
    assert found.entries[1].findings[0].line == 2
    assert SECRET[4:] not in repr(found)
    assert sandbox.files().count("inbox/ok.md") == 1


def test_a_retracted_memory_does_not_come_back_by_import(sandbox, claude):
    text = "---\nstatus: retracted\nretracted_by: '[[x]]'\n---\nDeploys run on Tuesdays.\n"
    sandbox.save({"old.md": text})
    found = call(sandbox, "claude", claude, apply=True)
    assert [entry.rule for entry in found.entries if not entry.path] == ["gate-reintroduction"]


def test_nothing_is_read_through_a_link_or_beyond_a_size(sandbox, tmp_path):
    outside = written(tmp_path / "outside", {"secret.md": "Not yours.\n"})
    vault = written(tmp_path / "vault", {"a.md": "Fine.\n", "big.md": "x" * 300_000})
    (vault / "link.md").symlink_to(outside / "secret.md")
    (vault / "folder").symlink_to(outside)
    found = call(sandbox, "obsidian", vault, apply=True)
    assert paths(found) == ["inbox/a.md"]
    assert {left.place for left in found.left_out} == {"big.md", "folder", "link.md"}
    assert found.code == 1


def test_what_can_be_no_memory_is_left_out_and_the_rest_enters(sandbox, tmp_path):
    vault = written(
        tmp_path / "vault",
        {"a.md": b"caf\xe9\n", "b.md": b"---\nnever closed\n", "c.md": b"", "d.md": b"Fine.\n"},
    )
    found = call(sandbox, "obsidian", vault, apply=True)
    assert paths(found) == ["inbox/d.md"]
    assert [left.place for left in found.left_out] == ["a.md", "b.md", "c.md"]


def test_an_import_writes_only_below_the_inbox(sandbox, tmp_path):
    sandbox.save({"inbox/a.md": "here before\n"})
    vault = written(tmp_path / "vault", {"a.md": "Fine.\n", "A.md": "Other.\n"})
    found = call(sandbox, "obsidian", vault, apply=True)
    assert sorted(paths(found)) == ["inbox/A-2.md", "inbox/a-3.md"]
    assert sandbox.read("inbox/a.md") == b"here before\n"


def test_a_repository_is_not_imported_into_itself(sandbox):
    sandbox.save({"notes/a.md": "A memory.\n"})
    sandbox.write("vault/b.md", "Not committed, so no memory yet.\n")
    for folder in (sandbox.top, sandbox.path("notes")):
        with pytest.raises(UsageError):
            call(sandbox, "obsidian", folder)
    assert paths(call(sandbox, "obsidian", sandbox.path("vault"))) == ["inbox/b.md"]


@pytest.mark.parametrize(
    ("format", "path"), [("notion", "."), ("obsidian", "missing"), ("ndjson", "missing")]
)
def test_a_wrong_format_or_path_is_wrong_usage(sandbox, tmp_path, format, path):
    with pytest.raises(UsageError):
        call(sandbox, format, tmp_path / path)


def test_it_tells_how_far_it_is(sandbox, claude):
    told = []
    call(sandbox, "claude", claude, progress=lambda done, all: told.append((done, all)))
    assert told == [(1, 2), (2, 2)]


def test_apply_stops_when_the_folder_changed_since_the_dry_run(sandbox, claude):
    call(sandbox, "claude", claude, now=1.0)
    written(claude, {"new.md": "New since.\n"})
    found = call(sandbox, "claude", claude, apply=True, now=2.0)
    assert (found.is_new_plan, found.applied, found.code) == (True, False, 1)
    assert call(sandbox, "claude", claude, apply=True, now=3.0).applied
