"""Which lines retract when they are committed: the rows on the marker itself (rules 1 to 3)."""

from typing import NamedTuple

import pytest

from tests.e2e.scene import (
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
    said_of,
    tombstone,
)
from tests.helpers import Result, Sandbox, copied


class Case(NamedTuple):
    """One row: its declaring memory (`{p}` is the phrase) and the target that stands beside it."""

    body: str
    header: str = "title: Fix\n"
    target: str = ""

    def declaring(self, row: str) -> str:
        return fix(header=self.header) + self.body.replace("{p}", lesson(row))

    def lesson(self, row: str) -> str:
        return self.target.replace("{p}", lesson(row)) or memory(lesson(row))


EFFECTIVE = {
    "r1": Case("Wrong, see there.\n\nRETRACTS: {p}\n"),
    "r10": Case("RETRACTS:{p}\n"),
    "r11": Case("RETRACTS:\t{p} \t  \n"),
    "r12": Case(
        "RETRACTS: {p}\r\n",
        target="---\r\ntitle: Target\r\n---\r\nWe saw that\r\n{p}.\r\n",
    ),
    "r14": Case("RETRACTS: {p}"),
    "r29": Case("<div>\n\nRETRACTS: {p}\n\n</div>\n"),
    "r32": Case("Text\n\n---\nstatus: retracted\n---\n\nRETRACTS: {p}\n"),
    "r34": Case("RETRACTS: {p}\n===\n"),
    "r36": Case("RETRACTS: {p}\n\nRETRACTS: {p}\n"),
    "list": Case("- an item\nRETRACTS: {p}\n"),
    "quote": Case("> a quote\nRETRACTS: {p}\n"),
    "wide": Case("RETRACTS:\u00a0\u3000{p}\u3000\n"),
}
SILENT = {
    "r15": Case("We use RETRACTS: {p} as a line to undo.\n"),
    "r18": Case("Example:\n\n    RETRACTS: {p}\n"),
    "r19": Case("```\nRETRACTS: {p}\n```\n"),
    "r25": Case("<!-- RETRACTS: {p} -->\n"),
}
WARNED = {
    "r16": (Case("RETRACTS: lines are how we undo things\n"), "retract-no-match"),
    "r17": (Case("   RETRACTS: {p}\n"), "marker-near-miss"),
    "r22": (Case("> RETRACTS: {p}\n"), "marker-near-miss"),
    "r23": (Case("- RETRACTS: {p}\n"), "marker-near-miss"),
    "r26": (Case("<!--\nRETRACTS: {p}\n-->\n"), "marker-inert"),
    "r30": (Case("Text\n", header="title: Fix\nRETRACTS: {p}\n"), "marker-inert"),
    "r33": (Case("Text `a\nRETRACTS: {p}\nb` text\n"), "marker-inert"),
    "r45": (Case("Retracts: {p}\n\nretracts: {p}\n"), "marker-near-miss"),
    "r46": (Case("RETRACTS : {p}\n"), "marker-near-miss"),
    "html": (Case("<div>\nRETRACTS: {p}\n</div>\n"), "marker-inert"),
    "alt": (Case("![a\nRETRACTS: {p}\nb](c.png)\n"), "marker-inert"),
    "title": (Case('[a](b "c\nRETRACTS: {p}\nd")\n'), "marker-inert"),
    "twin": (Case("RETRАCTS: {p}\n"), "marker-near-miss"),
    "open": (Case("```\nRETRACTS: {p}\n"), "marker-inert"),
}


class Together(NamedTuple):
    """All rows of this table in one repository and one commit: each in a folder of its own."""

    repo: Sandbox
    done: Result


@pytest.fixture(scope="module")
def together(_installed_template, tmp_path_factory):
    repo = copied(_installed_template, tmp_path_factory.mktemp("markers") / "repo")
    cases = {**EFFECTIVE, **SILENT, **{row: case for row, (case, _) in WARNED.items()}}
    given(repo, {f"{row}/target.md": case.lesson(row) for row, case in cases.items()})
    wanted = {}
    for row, case in cases.items():
        header = case.header.replace("{p}", lesson(row))
        wanted[f"{row}/fix-{row}.md"] = case._replace(header=header).declaring(row)
    put(repo, wanted)
    return Together(repo, repo.commit("All rows"))


@pytest.mark.parametrize("row", EFFECTIVE)
def test_a_marker_a_reader_sees_as_text_retracts_in_its_own_commit(together, row):
    """Rows 1, 10, 11, 12, 14, 29, 32, 34 and 36; each commit names what it did (row 107)."""
    case = EFFECTIVE[row]
    assert_retracted(together.repo, f"{row}/target.md", case.lesson(row), by=f"fix-{row}")
    assert_same(together.repo, f"{row}/fix-{row}.md", case.declaring(row))
    assert said_of(together.done, f"retracted {row}/target.md:")
    assert together.repo.status() == ""


@pytest.mark.parametrize("row", SILENT)
def test_a_mention_code_or_a_comment_in_one_line_is_inert_and_nothing_is_said(together, row):
    """Rows 15, 18, 19 and 25."""
    assert_same(together.repo, f"{row}/target.md", SILENT[row].lesson(row))
    assert f"{row}/" not in together.done.err


@pytest.mark.parametrize("row", WARNED)
def test_what_is_nearly_a_marker_is_inert_and_said(together, row):
    """Rows 16, 17, 22, 23, 26, 30, 33, 45 and 46."""
    case, rule = WARNED[row]
    assert_same(together.repo, f"{row}/target.md", case.lesson(row))
    said = said_of(together.done, f"{row}/fix-{row}.md:")
    assert f": {rule}: " in said
    if rule == "marker-near-miss":
        assert f"RETRACTS: {lesson(row)}" in said


def test_a_marker_twice_in_one_memory_counts_once_and_is_said(together):
    """Row 36."""
    assert "r36/fix-r36.md:6: marker-duplicate: " in together.done.err
    assert together.done.err.count("retracted r36/") == 1


def test_a_front_matter_key_is_told_to_go_into_the_body(together):
    """Row 30."""
    said = said_of(together.done, "r30/fix-r30.md:3: marker-inert")
    assert "put it in the body" in said


def test_a_second_block_of_dashes_changes_no_status(together):
    """Row 32: the declaring memory stays active, and its marker acts."""
    shown = together.repo.show("HEAD", "r32/fix-r32.md")
    assert shown.count(b"status: retracted") == 1
    assert is_retracted(together.repo, "r32/target.md")


def test_the_same_commit_again_and_the_hook_run_twice_change_no_byte(sandbox):
    """Row 2."""
    given(sandbox, {"target.md": memory(lesson("r2"))})
    put(sandbox, {"fix.md": retracts(lesson("r2"))})
    for _ in range(2):
        sandbox.memtools("hook", "pre-commit")
        assert sandbox.staged("target.md") == tombstone(memory(lesson("r2")), "fix")
        assert sandbox.read("target.md") == tombstone(memory(lesson("r2")), "fix")
    sandbox.commit("Fix")
    head = sandbox.head()
    again = sandbox.commit("Again", code=1)
    assert again.err == ""
    assert sandbox.head() == head
    assert sandbox.status() == ""
    assert sandbox.commit("Empty", "--allow-empty").err == ""
    assert_retracted(sandbox, "target.md", memory(lesson("r2")))


LOOKALIKES = {
    "r38": ("RETRACTS：{p}", "U+FF1A"),
    "r39": ("ＲＥＴＲＡＣＴＳ: {p}", "U+FF32"),
    "r40": ("RETRACTS﹕ {p}", "U+FE55"),
    "r40-tall": ("RETRACTS︓ {p}", "U+FE13"),
    "r43": ("RE\u200bTRACTS: {p}", "U+200B"),
    "r43-soft": ("RETR\u00adACTS: {p}", "U+00AD"),
    "r43-joined": ("RETRACTS\u2060: {p}", "U+2060"),
    "r43-before": ("\u200dRETRACTS: {p}", "U+200D"),
}


def test_what_looks_like_a_marker_to_the_eye_is_refused_with_what_to_type(sandbox):
    """Rows 38, 39, 40 and 43. D14: https://github.com/block/berd/pull/289."""
    given(sandbox, {f"{row}/target.md": memory(lesson(row)) for row in LOOKALIKES})
    lines = {row: line.replace("{p}", lesson(row)) for row, (line, _) in LOOKALIKES.items()}
    files = {f"{row}/fix.md": fix(line) for row, line in lines.items()}
    every = refused(sandbox, files, "marker-lookalike")
    assert "RETRACTS: " in every.split("\n")[0]
    for row, (_, says) in LOOKALIKES.items():
        said = every[every.index(f"{row}/fix.md:4: marker-lookalike: ") :].split("/fix.md:4: ")[1]
        assert says in said
        assert "ASCII colon" in said
        assert f"RETRACTS: {lesson(row)}" in said


@pytest.mark.parametrize(
    "line", ["RETRACTS:", "RETRACTS:   ", "RETRACTS:\u3000", "RETRACTS: \u200b"]
)
def test_a_marker_that_names_nothing_is_refused(sandbox, line):
    """Row 9."""
    said = refused(sandbox, {"fix.md": fix(line)}, "phrase-empty")
    assert said.startswith("memtools: fix.md:4: RETRACTS: names nothing; type words of the wrong")


def test_two_markers_in_one_memory_retract_both_targets_in_one_commit(sandbox):
    """Row 35."""
    first, second = lesson("r35a"), lesson("r35b")
    given(sandbox, {"a.md": memory(first), "b.md": memory(second)})
    put(sandbox, {"fix.md": retracts(first, second)})
    done = sandbox.commit("Fix")
    assert_retracted(sandbox, "a.md", memory(first))
    assert_retracted(sandbox, "b.md", memory(second))
    assert said_of(done, "retracted a.md:4 ") and said_of(done, "retracted b.md:4 ")


@pytest.mark.parametrize("order", [("a.md", "z.md"), ("z.md", "a.md")])
def test_the_same_phrase_in_two_memories_names_the_first_by_path(sandbox, order):
    """Row 37 and rule 11: the order in which they were written does not matter."""
    given(sandbox, {"target.md": memory(lesson("r37"))})
    for path in order:
        sandbox.write(path, retracts(lesson("r37")))
        sandbox.stage(path)
    sandbox.commit("Fix")
    assert_retracted(sandbox, "target.md", memory(lesson("r37")), by="a")
    assert sandbox.status() == ""


def test_a_marker_on_line_1_after_a_byte_order_mark_retracts(sandbox):
    """D12: https://github.com/agentscope-ai/agentscope/issues/2732."""
    bom = b"\xef\xbb\xbf"
    target = bom + b"---\nstatus: active\ntitle: T\n---\nWe saw that " + lesson("d12").encode()
    given(sandbox, {"target.md": target})
    put(sandbox, {"fix.md": bom + f"RETRACTS: {lesson('d12')}\n".encode()})
    sandbox.commit("Fix")
    assert_retracted(sandbox, "target.md", target)


def test_a_marker_in_windows_notes_retracts_and_every_line_keeps_its_end(sandbox):
    """D13: https://github.com/hamidfzm/glyph/issues/748 (PowerShell writes BOM and CRLF)."""
    bom = b"\xef\xbb\xbf"
    target = bom + f"---\r\ntitle: T\r\n---\r\n# T\r\n\r\n{lesson('d13')}\r\n".encode()
    given(sandbox, {"target.md": target})
    put(sandbox, {"fix.md": bom + fix(f"RETRACTS: {lesson('d13')}").replace("\n", "\r\n").encode()})
    sandbox.commit("Fix")
    assert_retracted(sandbox, "target.md", target)
    assert sandbox.read("target.md").count(b"\n") == sandbox.read("target.md").count(b"\r\n")
