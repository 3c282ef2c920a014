"""What a phrase hits when it is committed, and what is said when it hits wrongly."""

import time

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
    state,
)

HIT = {
    "r5": ("原因はこれ", "調べた。原因はこれだった。"),
    "r48": ("か\u3099めんか\u3099おちた", "原因: がめんがおちた時。"),
    "r48b": ("\u304cぞうがきえた件", "か\u3099そ\u3099うか\u3099きえた件。"),
    "r51": ("the broken line of the lesson", "the broken\nline   of\nthe lesson"),
    "r51b": ("改行で折れた教訓の文", "改行で\n折れた\n教訓の文。"),
    "r52": ("the bold root cause r52", "see the **bold** root `cause` r52"),
    "r52b": ("see the manual of r52b", "Then see [the manual](https://example.org/x) of r52b."),
    "r52c": ("ask the owner page r52c", "Always ask [[owner|the owner]] page r52c."),
    "r52d": ("a **bold** root cause in r52d", "see a **bold** root cause in r52d"),
    "r53": ("(a+)+$ .* [x] \\d r53", "the pattern (a+)+$ .* [x] \\d r53 is slow"),
    "r54": ("100 % of *.tmp r54", "removes 100 % of *.tmp r54 files"),
    "r55": ('"in quotes" r55 says', 'the log "in quotes" r55 says so'),
    "r65": ("twice in one note r65", "twice in one note r65. Again: twice in one note r65."),
    "r69": (lesson("r69"), f"{lesson('r69')}, and we use RETRACTS: lines"),
    "title": ("Heading of the title row", ""),
    "d8": ("検索は空白なしで動く", "検索は空白なしで動くはずだ"),
}
MISSED = {
    "r49": ("カナノケンサクｷﾉｳ", "カナノケンサクキノウ", "r49/target.md:4 "),
    "r50": ("The Case Differs r50", "the case differs r50", "r50/target.md:4 "),
    "r55": ("「quoted by hand r55」", "quoted by hand r55", "r55/target.md:4 "),
    "r66": ("only in the fix itself r66", "another text", ""),
}


@pytest.fixture(scope="module")
def together(_installed_template, tmp_path_factory):
    from tests.helpers import copied

    repo = copied(_installed_template, tmp_path_factory.mktemp("phrases") / "repo")
    given(repo, {f"{row}/target.md": _target(row, text) for row, (_, text) in HIT.items()})
    given(repo, {f"{row}-/target.md": memory(text) for row, (_, text, _) in MISSED.items()})
    put(repo, {f"{row}/fix-{row}.md": retracts(phrase) for row, (phrase, _) in HIT.items()})
    put(
        repo,
        {
            f"{row}-/fix.md": fix(f"RETRACTS: {phrase}", "", f"Before: {phrase}.")
            for row, (phrase, _, _) in MISSED.items()
        },
    )
    return repo, repo.commit("All rows")


def _target(row, text):
    return memory(text) if text else memory("x", "title: Heading of the title row\n")


@pytest.mark.parametrize("row", HIT)
def test_a_phrase_hits_the_same_text_however_it_is_wrapped_or_marked(together, row):
    """Rows 5, 48, 51, 52, 53, 54, 55 (literal), 65 and 69; seeds: never a pattern."""
    repo, done = together
    before = _target(row, HIT[row][1])
    assert_retracted(repo, f"{row}/target.md", before, by=f"fix-{row}")
    assert said_of(done, f"retracted {row}/target.md:")


@pytest.mark.parametrize("row", MISSED)
def test_a_phrase_that_differs_hits_nothing_and_the_nearest_line_is_shown(together, row):
    """Rows 49, 50, 55 (quotes) and 66."""
    repo, done = together
    assert_same(repo, f"{row}-/target.md", memory(MISSED[row][1]))
    said = said_of(done, f"{row}-/fix.md:4: retract-no-match: ")
    near = MISSED[row][2].replace("/", "-/")
    assert near in said
    assert said


def test_what_alone_differs_is_named(together):
    """Rows 49, 50 and 55."""
    _, done = together
    assert "differs in width only" in said_of(done, "r49-/fix.md")
    assert "differs in case only" in said_of(done, "r50-/fix.md")
    assert "type it without the quotes" in said_of(done, "r55-/fix.md")


@pytest.mark.parametrize(
    ("row", "phrase", "count"),
    [("4", "cache", 2), ("6", "原因だ", 1), ("54", "*", 0), ("54", "%", 0)],
)
def test_a_short_phrase_is_refused_with_its_hits_and_longer_ones(sandbox, row, phrase, count):
    """Rows 4, 6 and 54."""
    texts = {
        "a.md": "the disk cache is full",
        "b.md": "the page cache is cold",
        "c.md": "原因だった",
    }
    given(sandbox, {path: memory(text) for path, text in texts.items()})
    said = refused(sandbox, {"fix.md": retracts(phrase)}, "phrase-too-short")
    assert f'"{phrase}" is too short' in said.split("\n")[0]
    if count:
        assert f"memories that hold it: {count}" in said
    if row == "4":
        assert "a.md:4  RETRACTS: cache is full" in said
        assert "b.md:4  RETRACTS: cache is cold" in said


def test_repeated_characters_do_not_make_a_phrase_long(sandbox):
    """Rule 4: fewer than 4 different characters."""
    given(sandbox, {"a.md": memory("a ruler ---------------- here, and aaaaaaaaaaaa")})
    refused(sandbox, {"fix.md": retracts("----------------")}, "phrase-too-short")
    refused(sandbox, {"fix.md": retracts("a a a a a a a a")}, "phrase-too-short")


@pytest.mark.parametrize("phrase", ["x" * 5000, "word and word " * 400, "語" * 301])
def test_a_pasted_page_is_refused(sandbox, phrase):
    """Row 56."""
    said = refused(sandbox, {"fix.md": retracts(phrase)}, "phrase-too-long")
    assert "at most 300" in said.split("\n")[0]
    assert phrase not in said


def test_ten_thousand_markers_in_one_commit_are_refused_in_time(sandbox):
    """Row 57: 40 seconds were seen."""
    given(sandbox, {"target.md": memory(lesson("r57"))})
    many = retracts(*(f"marker {number:05} of" for number in range(10_000)))
    assert len(many) < 256 * 1024
    start = time.monotonic()
    said = refused(sandbox, {"fix.md": many}, "retract-too-many")
    assert time.monotonic() - start < 30
    assert "10000" in said.split("\n")[0]
    assert "max_new_markers = 500" in said.split("\n")[0]
    assert said.count("\n") < 10


def test_markers_in_a_file_too_large_to_be_read_stop_the_commit(sandbox):
    """Row 57: what is not read may not pass as if it had retracted."""
    many = retracts(*(f"marker number {number} of very many" for number in range(10_000)))
    said = refused(sandbox, {"fix.md": many}, "marker-unread")
    assert "fix.md:4: marker-unread" in said
    put(sandbox, {"fix.md": fix("text of a log\n" * 30_000)})
    assert "file-too-large" in sandbox.commit("A large file without markers goes through").err


def test_the_cap_of_new_markers_is_a_setting_and_standing_ones_do_not_count(sandbox):
    """Rule 4 of the settings: max_new_markers."""
    given(sandbox, {".memtools.toml": "[retraction]\nmax_new_markers = 2\n"})
    phrases = [lesson(f"cap{number}") for number in range(4)]
    given(sandbox, {f"{number}.md": memory(text) for number, text in enumerate(phrases)})
    refused(sandbox, {"fix.md": retracts(*phrases[:3])}, "retract-too-many")
    put(sandbox, {"fix.md": retracts(*phrases[:2])})
    sandbox.commit("Two")
    put(sandbox, {"fix.md": retracts(*phrases)})
    sandbox.commit("Two more")
    assert [is_retracted(sandbox, f"{number}.md") for number in range(4)] == [True] * 4


def test_a_new_marker_without_a_hit_warns_and_the_commit_goes_through(sandbox):
    """Row 58; row 59 and 60 say when nothing is said."""
    put(sandbox, {"fix.md": retracts(lesson("r58"))})
    done = sandbox.commit("Fix")
    assert done.err.startswith("fix.md:4: retract-no-match: ")
    assert sandbox.status() == ""
    put(sandbox, {"fix.md": retracts(lesson("r58")) + "\nEdited.\n"})
    assert sandbox.commit("Edit").err == ""


def test_a_marker_that_has_done_its_work_is_silent(sandbox):
    """Row 59."""
    given(sandbox, {"target.md": memory(lesson("r59"))})
    put(sandbox, {"fix.md": retracts(lesson("r59"))})
    sandbox.commit("Fix")
    for text in ("Edited.\n", "Edited again.\n"):
        put(sandbox, {"fix.md": retracts(lesson("r59")) + text})
        assert sandbox.commit("Edit").err == ""
    put(sandbox, {"other.md": retracts(lesson("r59"))})
    assert sandbox.commit("The same marker elsewhere").err == ""
    assert_retracted(sandbox, "target.md", memory(lesson("r59")))


def test_a_standing_marker_is_silent_when_its_target_is_deleted(sandbox):
    """Row 60."""
    given(sandbox, {"target.md": memory(lesson("r60"))})
    put(sandbox, {"fix.md": retracts(lesson("r60"))})
    sandbox.commit("Fix")
    sandbox.git("rm", "-q", "target.md")
    assert sandbox.commit("Delete").err == ""
    put(sandbox, {"fix.md": retracts(lesson("r60")) + "Edited.\n"})
    assert sandbox.commit("Edit").err == ""


def test_a_slip_beside_a_marker_that_did_its_work_is_not_silent(sandbox):
    """Row 58: the tombstone of a follower excuses no other marker of the same memory."""
    copy = memory("a copy of it", "title: C\nderived_from: target.md\n")
    given(sandbox, {"target.md": memory(lesson("slip")), "copy.md": copy})
    put(sandbox, {"fix.md": retracts(lesson("slip"))})
    sandbox.commit("Fix")
    assert is_retracted(sandbox, "copy.md")
    put(sandbox, {"fix.md": retracts(lesson("slip"), "words with a tyop in them")})
    assert "fix.md:5: retract-no-match: " in sandbox.commit("Slip").err


def test_the_target_deleted_in_the_commit_that_declares_is_no_slip(sandbox):
    """Row 60: seed 1's first line of defence deletes at once."""
    given(sandbox, {"target.md": memory(lesson("r60b"))})
    sandbox.git("rm", "-q", "target.md")
    put(sandbox, {"fix.md": retracts(lesson("r60b"))})
    assert "retract-no-match" not in sandbox.commit("Fix").err
    assert sandbox.status() == ""


def test_two_hits_are_refused_with_every_place_and_a_phrase_for_each(sandbox):
    """Row 61. B1: https://github.com/alphaonedev/ai-memory-mcp/issues/1601."""
    given(
        sandbox,
        {
            "a.md": memory(f"{lesson('r61')} on Monday"),
            "b.md": memory(f"{lesson('r61')} on Friday"),
            "c.md": memory("on Sunday it worked"),
        },
    )
    said = refused(sandbox, {"fix.md": retracts(lesson("r61"))}, "retract-ambiguous")
    assert f"a.md:4  RETRACTS: {lesson('r61')} on Monday" in said
    assert f"b.md:4  RETRACTS: {lesson('r61')} on Friday" in said
    assert "c.md" not in said
    put(sandbox, {"fix.md": retracts(f"{lesson('r61')} on Friday")})
    sandbox.commit("Fix")
    assert is_retracted(sandbox, "b.md") and not is_retracted(sandbox, "a.md")


def test_more_hits_than_fit_are_counted(sandbox):
    """Row 61: the list stays readable; every hit is still counted in the first line."""
    given(sandbox, {f"n{number}.md": memory(lesson("many")) for number in range(30)})
    said = refused(sandbox, {"fix.md": retracts(lesson("many"))}, "retract-ambiguous")
    assert "in 30 memories" in said.split("\n")[0]


def test_a_copy_in_another_folder_is_refused_and_two_addresses_are_offered(sandbox):
    """Row 64; rule 7: one each in different top-level folders prints the [stores] lines."""
    files = {"notes/a.md": memory(lesson("r64")), "wisdom/b.md": memory(lesson("r64"))}
    given(sandbox, files)
    said = refused(sandbox, {"fix.md": retracts(lesson("r64"))}, "retract-ambiguous")
    assert "RETRACTS: notes/a.md" in said
    assert "RETRACTS: wisdom/b.md" in said
    assert '[stores]\n    notes = ["notes"]\n    wisdom = ["wisdom"]\n' in said
    put(sandbox, {"fix.md": retracts("notes/a.md", "wisdom/b.md")})
    sandbox.commit("Fix")
    for path, text in files.items():
        assert_retracted(sandbox, path, text)


@pytest.mark.parametrize("names", [("notes/a.md", "notes/b.md"), ("a.md", "wisdom/b.md")])
def test_hits_that_no_store_could_part_print_no_stores(sandbox, names):
    """Rule 7."""
    given(sandbox, {name: memory(lesson("same")) for name in names})
    said = refused(sandbox, {"fix.md": retracts(lesson("same"))}, "retract-ambiguous")
    assert "[stores]" not in said


def test_the_declaring_memory_may_quote_the_wrong_lesson(sandbox):
    """Row 67; B6: https://github.com/getzep/graphiti/issues/1728."""
    given(sandbox, {"target.md": memory(lesson("r67"))})
    text = fix(f"We said that {lesson('r67')}.", "", f"RETRACTS: {lesson('r67')}")
    put(sandbox, {"fix.md": text})
    sandbox.commit("Fix")
    assert_retracted(sandbox, "target.md", memory(lesson("r67")))
    assert_same(sandbox, "fix.md", text)


def test_a_phrase_that_also_stands_in_true_memories_stops_the_commit(sandbox):
    """B6: https://github.com/getzep/graphiti/issues/1728 (a quote, a list, a code block)."""
    given(
        sandbox,
        {
            "target.md": memory(lesson("b6")),
            "quote.md": f"> {lesson('b6')}\n",
            "list.md": f"- {lesson('b6')}\n",
            "code.md": f"```\n{lesson('b6')}\n```\n",
        },
    )
    said = refused(sandbox, {"fix.md": retracts(lesson("b6"))}, "retract-ambiguous")
    assert "in 4 memories" in said.split("\n")[0]
    put(sandbox, {"fix.md": retracts("target.md")})
    sandbox.commit("Fix")
    assert_retracted(sandbox, "target.md", memory(lesson("b6")))


def test_a_phrase_never_hits_a_memory_that_holds_a_marker(sandbox):
    """Row 68: to undo a retraction use restore."""
    given(sandbox, {"target.md": memory(lesson("r68"))})
    put(sandbox, {"fix.md": retracts(lesson("r68")) + "\nThe r68 correction stands here.\n"})
    sandbox.commit("Fix")
    put(sandbox, {"other.md": retracts("The r68 correction stands here")})
    done = sandbox.commit("Other")
    assert "other.md:4: retract-no-match: " in done.err
    assert "memtools restore" in done.err
    assert not is_retracted(sandbox, "fix.md")


def test_two_memories_that_name_each_other_retract_neither(sandbox):
    """Row 70: both hold markers."""
    a = retracts("the words of memory b r70") + "Here are the words of memory a r70.\n"
    b = retracts("the words of memory a r70") + "Here are the words of memory b r70.\n"
    put(sandbox, {"a.md": a, "b.md": b})
    done = sandbox.commit("Both")
    assert_same(sandbox, "a.md", a)
    assert_same(sandbox, "b.md", b)
    assert "a.md:4: retract-" in done.err and "b.md:4: retract-" in done.err


def test_an_already_retracted_memory_keeps_its_first_tombstone(sandbox):
    """Row 72."""
    given(sandbox, {"target.md": memory(lesson("r72"))})
    put(sandbox, {"fix.md": retracts(lesson("r72"))})
    sandbox.commit("Fix")
    put(sandbox, {"later.md": retracts("r72 cache was the root", header="title: L\nreason: new\n")})
    assert sandbox.commit("Later", env={"GIT_AUTHOR_DATE": "2026-12-24T00:00:00+00:00"}).err == ""
    assert_retracted(sandbox, "target.md", memory(lesson("r72")))


def test_a_new_marker_takes_the_one_active_hit_beside_a_retracted_one(sandbox):
    """Row 73."""
    given(sandbox, {"a.md": memory(lesson("r73"))})
    put(sandbox, {"fix-a.md": retracts(lesson("r73"))})
    sandbox.commit("Fix")
    given(sandbox, {"b.md": memory(f"{lesson('r73')}, again")})
    put(sandbox, {"fix-b.md": retracts("r73 cache was the root")})
    sandbox.commit("Fix b")
    assert_retracted(sandbox, "a.md", memory(lesson("r73")), by="fix-a")
    assert_retracted(sandbox, "b.md", memory(f"{lesson('r73')}, again"), by="fix-b")


SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" * 2


@pytest.mark.parametrize(
    "line",
    [
        "RETRACTS: the key is {}",
        "RETRACTS: {}",
        "RETRACTS: [[{}]]",
        "> RETRACTS: the key is {}",
        "Retracts: the key is {}",
        "---\nstatus: {}\n---\nx",
    ],
)
def test_no_message_about_a_marker_quotes_a_secret(sandbox, line):
    """Rule 25."""
    given(sandbox, {"a.md": memory("The key is somewhere else")})
    said = refused(sandbox, {"fix.md": line.format(SECRET) + "\n"}, "secret-found")
    assert SECRET[4:20] not in said


def test_a_secret_in_a_phrase_stops_the_commit_and_is_not_printed(sandbox):
    """Row 102 (its plain part); H10: https://github.com/arul28/ADE/pull/87."""
    given(sandbox, {"target.md": memory(f"{lesson('r102')} {SECRET}")})
    said = refused(
        sandbox, {"fix.md": retracts(f"r102 cache was the root cause {SECRET}")}, "secret-found"
    )
    assert SECRET not in said
    assert SECRET[4:20] not in said


@pytest.mark.parametrize("bad", ["\x1b[31mred\x1b[0m", "\u202egnp.exe", "a\x07b\x9bc"])
def test_control_characters_are_printed_escaped(sandbox, bad):
    """Row 103: phrases, titles and paths."""
    title = "r103 title " + bad
    given(
        sandbox,
        {
            "a.md": f"# {title}\n\n{lesson('r103')} {bad} one\n",
            "b.md": f"# {title}\n\n{lesson('r103')} {bad} two\n",
            "c.md": f"# {title}\n\nr103 phrase {bad} alone here\n",
        },
    )
    said = refused(sandbox, {"fix.md": retracts(f"{lesson('r103')} {bad}")}, "retract-ambiguous")
    assert not any(ch in said for ch in "\x1b\u202e\x07\x9b")
    put(sandbox, {"fix.md": retracts(f"r103 phrase {bad} alone", f"nothing has {bad} this r103")})
    done = sandbox.commit("Fix")
    assert is_retracted(sandbox, "c.md")
    assert not any(ch in done.err for ch in "\x1b\u202e\x07\x9b")
    assert done.err.count("\n") <= 8


def test_a_file_name_with_escapes_is_printed_escaped(sandbox):
    """Row 103: a path may hold a line end and ESC."""
    path = "a\x1b[2J\nretracted everything.md"
    given(sandbox, {path: memory(lesson("r103n"))})
    put(sandbox, {"fix.md": retracts(lesson("r103n"))})
    done = sandbox.commit("Fix")
    assert "\x1b" not in done.err
    assert "\nretracted everything" not in done.err
    assert_retracted(sandbox, path, memory(lesson("r103n")))


def test_words_in_another_order_hit_nothing(sandbox):
    """B1: https://github.com/alphaonedev/ai-memory-mcp/issues/1601: never an OR of words."""
    texts = {
        f"n{number}.md": memory(text)
        for number, text in enumerate(
            ("disk cache speed", "cache of the disk", "disk without it", "cache without it")
        )
    }
    given(sandbox, texts)
    put(sandbox, {"fix.md": retracts("cache disk nonsenseword")})
    done = sandbox.commit("Fix")
    assert "retract-no-match" in done.err
    for path, text in texts.items():
        assert_same(sandbox, path, text)


def test_a_refusal_leaves_edits_of_every_kind_where_they_were(sandbox):
    """Rule 14: a refused commit leaves no byte changed anywhere."""
    given(
        sandbox, {"a.md": memory(lesson("x1")), "b.md": memory(lesson("x1")), "c.md": memory("c")}
    )
    sandbox.write("a.md", memory(lesson("x1")) + "staged\n")
    sandbox.stage("a.md")
    sandbox.write("a.md", memory(lesson("x1")) + "staged\nunstaged\n")
    sandbox.path("c.md").unlink()
    sandbox.write("new.md", "untracked\n")
    sandbox.write("fix.md", retracts(lesson("x1")))
    sandbox.stage("fix.md")
    for args in ((), ("-a",), ("--", "fix.md")):
        before = state(sandbox)
        sandbox.commit("No", *args, code=1)
        assert state(sandbox) == before
