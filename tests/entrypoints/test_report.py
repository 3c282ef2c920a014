"""`report`: the state of the memory as text, JSON and one page that needs nothing else."""

import json
import shlex
import sys
from html.parser import HTMLParser

import pytest

from memtools.entrypoints.commands.daily import moment
from memtools.entrypoints.main import main
from tests.helpers import copied

HOSTILE = "<script>alert(1)</script> \"' onload=x {{ 7*7 }} </td>"
NOW = ["--now", "2026-12-01T00:00:00+00:00"]


class Page(HTMLParser):
    """Every tag with its attributes, and the text."""

    def __init__(self):
        super().__init__()
        self.tags, self.text, self.open = [], "", []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


@pytest.fixture
def here(sandbox, monkeypatch):
    monkeypatch.chdir(sandbox.top)
    return sandbox


@pytest.fixture(scope="module")
def _hostile(_installed_template, tmp_path_factory):
    here = copied(_installed_template, tmp_path_factory.mktemp("hostile") / "repo")
    title = json.dumps(HOSTILE)
    here.save(
        {
            "loud.md": f"---\ntitle: {title}\npriority: high\nscope: {title}\n---\nAll is well.\n",
            "wrong.md": "The small oven of the bakery burns everything.\n",
            "waits.md": f"---\ntitle: {title}\nstatus: candidate\n---\nHm.\n",
        }
    )
    here.save({"fix.md": "RETRACTS: The small oven of the bakery burns everything\n"})
    here.write("open.md", "RETRACTS: <img src=x onerror=alert(1)> is nowhere\n")
    here.stage()
    here.git("commit", "-q", "-n", "-m", "x")
    return here


@pytest.fixture
def hostile(_hostile, tmp_path, monkeypatch):
    made = copied(_hostile, tmp_path / "repo")
    monkeypatch.chdir(made.top)
    return made


def test_the_page_is_whole_and_nothing_of_a_memory_acts_in_it(hostile, tmp_path, capsys):
    place = tmp_path / "r.html"
    assert main(["report", "--html", str(place), *NOW]) == 0
    page = Page()
    page.feed(place.read_text("utf-8"))
    assert page.open == []
    names = {tag for tag, _ in page.tags}
    assert not names & {"script", "img", "link", "iframe", "object", "form", "a"}
    attributes = {name for _, attrs in page.tags for name in attrs}
    assert attributes <= {"lang", "charset", "http-equiv", "content", "name", "class", "style"}
    assert HOSTILE in page.text  # as text
    assert "<img src=x onerror=alert(1)> is nowhere" in page.text
    assert "loud.md" in page.text and "waits.md" in page.text and "wrong.md" in page.text
    assert "http:" not in place.read_text("utf-8") and "url(" not in place.read_text("utf-8")
    assert hostile.status() == ""


def test_a_second_report_replaces_the_first_and_a_note_is_never_replaced(here, tmp_path, capsys):
    place = tmp_path / "r.html"
    for _ in range(2):
        assert main(["report", "--html", str(place)]) == 0
    here.save({"a.md": "Mine.\n"})
    assert main(["report", "--html", "a.md"]) == 2
    assert here.read("a.md") == b"Mine.\n"
    (tmp_path / "link.html").symlink_to(here.path("a.md"))
    assert main(["report", "--html", str(tmp_path / "link.html")]) == 2
    assert main(["report", "--html", str(tmp_path / "missing" / "r.html")]) == 2


def test_the_text_names_what_the_page_has(hostile, capsys):
    assert main(["report", *NOW]) == 0
    out = capsys.readouterr().out
    assert "2 active" not in out  # loud, fix, open
    assert "3 active (1 of high priority, 12 bytes), 1 retracted; candidates that wait: 1\n" in out
    for told in ("waits.md", "wrong.md", "open.md:1", "unmatched", "approved-unread"):
        assert told in out


def test_json_has_its_keys(hostile, capsys):
    assert main(["report", "--json", *NOW]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["schema_version"] == 1
    assert found["statuses"] == {"active": 3, "candidate": 1, "retracted": 1}
    assert found["queue"] == [{"candidate": "waits.md", "days": 0}]
    assert [one["path"] for one in found["retractions"]] == ["wrong.md"]
    assert found["markers"][0]["state"] == "unmatched"
    assert found["symptoms"]["queue"]["waiting"] == 1
    assert found["symptoms"]["proposed_again"] == []
    assert found["symptoms"].keys() >= {"findings", "reintroduced", "classes", "decisions"}
    assert found["layer"]["memories"][0]["path"] == "loud.md"


def test_a_page_into_a_folder_that_is_not_there_says_how_to_make_it(here, tmp_path, capsys):
    assert main(["report", "--html", str(tmp_path / "no dir" / "r.html")]) == 2
    assert f"type: mkdir -p '{tmp_path}/no dir'" in capsys.readouterr().err


def test_without_the_extra_the_page_names_what_to_install(here, monkeypatch, tmp_path, capsys):
    monkeypatch.setitem(sys.modules, "jinja2", None)
    assert main(["report", "--html", str(tmp_path / "r.html")]) == 3
    line = f"type: {shlex.quote(sys.executable)} -m pip install 'memtools[report]'"
    assert line in capsys.readouterr().err
    assert not (tmp_path / "r.html").exists()
    assert main(["report"]) == 0


def test_the_page_speaks_japanese(hostile, monkeypatch, tmp_path):
    from memtools.entrypoints import text

    monkeypatch.setattr(text, "language", lambda: "ja")
    assert main(["report", "--html", str(tmp_path / "r.html")]) == 0
    page = (tmp_path / "r.html").read_text("utf-8")
    assert '<html lang="ja">' in page
    assert "待っている候補" in page


def test_daily_prints_a_line_a_step_and_wants_a_real_clock(here, capsys):
    assert main(["daily", "--now", "tomorrow"]) == 2
    capsys.readouterr()
    assert main(["daily", *NOW]) == 0
    lines = capsys.readouterr().out.splitlines()
    steps = [line.partition(":")[0] for line in lines if not line.startswith(("  ", "("))]
    assert steps == ["backup", "sweep", "approvals", "index", "report"]
    assert main(["daily", "--apply", "--json", *NOW]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["applied"] is True
    assert found["now"] == "2026-12-01T00:00:00+00:00"


def test_backup_prints_where_it_is_and_json_has_its_keys(here, capsys):
    assert main(["backup"]) == 0
    assert "would back up" in capsys.readouterr().out
    assert main(["backup", "--apply", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["state"], found["applied"], found["refs"]) == ("written", True, 1)
    assert main(["backup", "--apply", "--dry-run", "--to", "."]) == 2


def test_a_time_with_an_offset_keeps_its_day():
    assert moment("2026-12-04T00:00:00+09:00").isoformat() == "2026-12-04T00:00:00+09:00"
