"""The memory tool: it sees what a reader sees; what it writes waits for a person."""

import pytest

import memtools
from memtools.usecases.proposing.memorytool import run_command
from memtools.usecases.repository import open_repository

DNS = "# DNS\n\nThe sync is slow.\nThe cause is DNS.\n"
NOTES = {
    "notes/dns.md": f"---\ntags: [net]\n---\n{DNS}",
    "notes/loud.md": "---\npriority: high\n---\n# Loud\n\nAlways drain the pool.\n",
    "beta.md": "---\nscope: beta\n---\n# Beta\n\nTurnips are in the attic.\n",
    "alpha.md": "---\nscope: alpha\n---\n# Alpha\n\nTurnips are in the cellar.\n",
    "waiting.md": "---\nstatus: candidate\n---\n# Waiting\n\nPears are blue.\n",
    "gone.md": "# Gone\n\nParsnips grow on trees in the north.\n",
    "README.md": "No memory.\n",
    "plain.txt": "No memory either.\n",
}
PATH = "/memories/notes/dns.md"


@pytest.fixture
def notes(begun, monkeypatch):
    monkeypatch.setenv("MEMTOOLS_AGENT", "memory-tool")
    return begun(NOTES, {"fix.md": "RETRACTS: Parsnips grow on trees in the north.\n"})


@pytest.fixture
def run(notes):
    tool = memtools.memory_tool(str(notes.top), scope="alpha")
    return lambda command, **rest: tool({"command": command, **rest})


def candidates(repo):
    return [path for path in repo.files() if path.startswith("inbox/")]


def test_view_lists_what_may_be_seen_two_levels_deep(run):
    shown = run("view", path="/memories").split("\n")
    assert shown[0] == (
        "Here're the files and directories up to 2 levels deep in /memories, "
        "excluding hidden items and node_modules:"
    )
    paths = [row.split("\t")[1] for row in shown[1:]]
    assert paths == [
        "/memories",
        "/memories/alpha.md",
        "/memories/fix.md",
        "/memories/notes",
        "/memories/notes/dns.md",
        "/memories/notes/loud.md",
    ]


def test_view_numbers_the_lines_of_a_file(run):
    assert run("view", path=PATH) == (
        f"Here's the content of {PATH} with line numbers:\n"
        "     1\t# DNS\n     2\t\n     3\tThe sync is slow.\n     4\tThe cause is DNS."
    )
    assert run("view", path=PATH, view_range=[3, 3]).endswith(":\n     3\tThe sync is slow.")


@pytest.mark.parametrize(
    "path",
    ["gone.md", "waiting.md", "beta.md", "README.md", "plain.txt", "no.md", "notes/no", "gone"],
)
def test_what_is_hidden_does_not_exist(run, path):
    told = f"The path /memories/{path} does not exist"
    assert told in run("view", path=f"/memories/{path}")
    assert told in run("str_replace", path=f"/memories/{path}", old_str="a", new_str="b")
    assert told in run("insert", path=f"/memories/{path}", insert_line=0, insert_text="b")
    assert told in run("delete", path=f"/memories/{path}")
    assert told in run("rename", old_path=f"/memories/{path}", new_path="/memories/new.md")


def test_what_is_created_is_a_candidate_that_its_session_alone_sees(notes, run):
    said = run("create", path="/memories/lid.md", file_text="# Lid\n\nIt is green.\n")
    assert said.startswith("File created successfully at: /memories/lid.md\n")
    assert "waits for a person's approval" in said
    (stored,) = candidates(notes)
    text = notes.show("HEAD", stored).decode()
    assert "status: candidate" in text
    assert "wanted_path: lid.md" in text
    assert "proposed_by: memory-tool" in text
    assert "scope: alpha" in text
    assert "lid.md" not in notes.files()
    assert "waits for a person's approval" in run("view", path="/memories/lid.md").split("\n")[0]
    assert "/memories/lid.md" in run("view", path="/memories")
    other = memtools.memory_tool(str(notes.top), scope="alpha")
    assert "does not exist" in other({"command": "view", "path": "/memories/lid.md"})
    assert run("create", path="/memories/lid.md", file_text="x") == (
        "Error: File /memories/lid.md already exists"
    )
    assert "lid" not in notes.memtools("search", "green lid").out


def test_an_own_candidate_is_edited_in_place_until_a_person_decides(notes, run):
    run("create", path="/memories/lid.md", file_text="# Lid\n\nIt is green.\n")
    said = run("str_replace", path="/memories/lid.md", old_str="green", new_str="red")
    assert said.startswith("The memory file has been edited.\n     1\t# Lid")
    run("insert", path="/memories/lid.md", insert_line=3, insert_text="It is round.\n")
    (stored,) = candidates(notes)
    assert "It is red.\nIt is round." in notes.show("HEAD", stored).decode()
    approved = notes.show("HEAD", stored).decode().replace("candidate", "active")
    notes.save({stored: approved}, "A person approves")
    run("create", path="/memories/lid.md", file_text="# Lid\n\nAnother one.\n")
    assert notes.show("HEAD", stored).decode() == approved
    assert len(candidates(notes)) == 2


def test_an_edit_of_an_approved_file_is_a_copy_that_would_take_its_place(notes, run):
    said = run("str_replace", path=PATH, old_str="is DNS", new_str="is the cache")
    assert "     4\tThe cause is the cache." in said
    assert "notes/dns.md stays as it is until then" in said
    assert notes.show("HEAD", "notes/dns.md").decode() == NOTES["notes/dns.md"]
    assert notes.read("notes/dns.md").decode() == NOTES["notes/dns.md"]
    assert "The cause is the cache." in run("view", path=PATH)
    (stored,) = candidates(notes)
    copy = notes.show("HEAD", stored).decode()
    assert "RETRACTS: notes/dns.md" in copy and "- net" in copy
    assert "The cause is DNS" in notes.memtools("search", "cause").out
    notes.save({stored: copy.replace("status: candidate", "status: active")}, "Approve")
    assert "status: retracted" in notes.show("HEAD", "notes/dns.md").decode()
    shown = notes.memtools("search", "cause").out
    assert "the cache" in shown and "is DNS" not in shown


def test_a_deletion_is_a_proposed_retraction(notes, run):
    said = run("delete", path=PATH)
    assert said.startswith(f"Successfully deleted {PATH}\n")
    assert "stays for everybody else until a person approves" in said
    assert notes.show("HEAD", "notes/dns.md").decode() == NOTES["notes/dns.md"]
    (stored,) = candidates(notes)
    text = notes.show("HEAD", stored).decode()
    assert "RETRACTS: notes/dns.md" in text and "status: candidate" in text
    assert "does not exist" in run("view", path=PATH)
    assert "does not exist" in run("delete", path=PATH)


@pytest.mark.parametrize("is_renamed", [False, True])
def test_a_deletion_of_what_was_edited_before_proposes_the_retraction_instead(
    notes, run, is_renamed
):
    path = PATH
    run("str_replace", path=PATH, old_str="is DNS", new_str="is the cache")
    if is_renamed:
        path = "/memories/net/cause.md"
        run("rename", old_path=PATH, new_path=path)
    said = run("delete", path=path)
    assert said.startswith(f"Successfully deleted {path}\n")
    assert "retraction of notes/dns.md is proposed" in said
    (stored,) = candidates(notes)
    text = notes.show("HEAD", stored).decode()
    assert "RETRACTS: notes/dns.md" in text and "the cache" not in text
    assert notes.show("HEAD", "notes/dns.md").decode() == NOTES["notes/dns.md"]
    assert "does not exist" in run("view", path=path)
    assert "does not exist" in run("view", path=PATH)
    assert "dns.md" not in run("view", path="/memories")
    notes.save({stored: text.replace("status: candidate", "status: active")}, "Approve")
    assert "status: retracted" in notes.show("HEAD", "notes/dns.md").decode()


def test_a_rename_is_a_copy_under_the_new_name(notes, run):
    said = run("rename", old_path=PATH, new_path="/memories/net/cause.md")
    assert said.startswith(f"Successfully renamed {PATH} to /memories/net/cause.md\n")
    assert "The cause is DNS." in run("view", path="/memories/net/cause.md")
    assert "does not exist" in run("view", path=PATH)
    (stored,) = candidates(notes)
    text = notes.show("HEAD", stored).decode()
    assert "wanted_path: net/cause.md" in text and "RETRACTS: notes/dns.md" in text
    run("rename", old_path="/memories/net/cause.md", new_path="/memories/net/why.md")
    assert candidates(notes) == [stored]
    assert "RETRACTS: notes/dns.md" in notes.show("HEAD", stored).decode()
    taken = run("rename", old_path="/memories/net/why.md", new_path="/memories/alpha.md")
    assert taken == "Error: The destination /memories/alpha.md already exists"


def test_a_directory_is_not_moved_or_deleted_as_a_whole(notes, run):
    for path in ("/memories", "/memories/notes"):
        assert "is a directory" in run("delete", path=path)
        assert "is a directory" in run("rename", old_path=path, new_path="/memories/x.md")
    assert candidates(notes) == []


@pytest.mark.parametrize(
    "path",
    ["/memories/../x.md", "/etc/x.md", "/memories/%2e%2e/x.md", "/memories/a\\b.md", "/memories",
     "/memories/.git/x.md", "/memories/x\n.md", None, 7, "/memories/x.txt", "/memories/README.md"],
)  # fmt: skip
def test_nothing_is_written_outside_or_as_something_else(notes, run, path):
    before = notes.head()
    assert run("create", path=path, file_text="text").startswith("Error: ")
    assert run("rename", old_path=PATH, new_path=path).startswith("Error: ")
    assert notes.head() == before


def test_a_link_is_no_file(notes, run):
    notes.path("link.md").symlink_to("/etc/passwd")
    notes.path("out").symlink_to("/etc")
    notes.stage("link.md", "out")
    notes.commit("Links")
    for path in ("/memories/link.md", "/memories/out/hosts.md"):
        assert "does not exist" in run("view", path=path)
    assert "link" not in run("view", path="/memories")


def test_what_the_gate_rejects_is_stored_nowhere(notes, run):
    before = notes.head()
    key = "AKIA" + "IOSFODNN7" + "ABCDEFG"
    said = run("create", path="/memories/key.md", file_text=f"The key is {key}.")
    assert said.startswith("Error: key.md was not stored:") and key not in said
    said = run("create", path="/memories/big.md", file_text="x" * 100_001)
    assert "longer than 100000 characters" in said
    assert notes.head() == before


@pytest.mark.parametrize(
    "command",
    [{}, {"command": "clear"}, {"command": ["view"]}, {"command": "create", "path": PATH + "x.md"},
     {"command": "insert", "path": PATH, "insert_text": "x"},
     {"command": "str_replace", "path": PATH},
     {"command": "insert", "path": PATH, "insert_line": 99, "insert_text": "x"}],
)  # fmt: skip
def test_a_command_that_is_none_is_answered_with_what_is_wrong(notes, command):
    assert run_command(open_repository(str(notes.top)), command).startswith("Error: ")


def test_a_repository_that_is_gone_is_an_answer(tmp_path):
    tool = memtools.memory_tool(str(tmp_path / "nowhere"))
    assert tool({"command": "view", "path": "/memories"}).startswith("Error: ")


def test_the_folder_this_process_is_in_does_not_matter(notes, monkeypatch):
    notes.save({"dns.md": "# Top\n\nAnother DNS note.\n"})
    monkeypatch.chdir(notes.path("notes"))
    tool = memtools.memory_tool(str(notes.top))
    tool({"command": "delete", "path": "/memories/dns.md"})
    (stored,) = candidates(notes)
    assert "RETRACTS: dns.md" in notes.show("HEAD", stored).decode()
