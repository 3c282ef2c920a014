"""Rules 6 to 12 and 14 of the behaviour page where no row of the cases speaks, on real commits."""

from itertools import product

import pytest

from tests.e2e.scene import (
    HEADLINE,
    UNSEEN,
    assert_retracted,
    assert_same,
    given,
    is_retracted,
    lesson,
    memory,
    put,
    refused,
    retracts,
    said_of,
    state,
    tombstone,
)
from tests.helpers import DATE, part_of

STORES = '[stores]\nnotes = ["notes"]\nwisdom = ["wisdom", "more/wisdom"]\n'


def derived(text, *sources, key="derived_from"):
    listed = "".join(f"  - {source}\n" for source in sources)
    header = f"{key}: {sources[0]}\n" if len(sources) == 1 else f"{key}:\n{listed}"
    return memory(text, f"title: Derived\n{header}")


# --- stores (rule 7) -------------------------------------------------------------------------


def test_with_stores_one_hit_in_each_is_one_retraction(sandbox):
    """Seed 1: both stores. A13: https://github.com/vshulcz/deja-vu/issues/841."""
    files = {path: memory(lesson("st")) for path in ("notes/a.md", "more/wisdom/b.md", "else/c.md")}
    given(sandbox, {".memtools.toml": STORES, **files})
    put(sandbox, {"fix.md": retracts(lesson("st"))})
    sandbox.commit("Fix")
    for path, text in files.items():
        assert_retracted(sandbox, path, text)


def test_with_stores_two_hits_in_one_of_them_stop_the_commit(sandbox):
    """Rule 7."""
    files = {path: memory(lesson("st2")) for path in ("notes/a.md", "notes/b.md", "wisdom/b.md")}
    given(sandbox, {".memtools.toml": STORES, **files})
    said = refused(sandbox, {"fix.md": retracts(lesson("st2"))}, "retract-ambiguous")
    assert all(path in said for path in files)
    assert "[stores]" not in said


def test_stores_that_come_in_the_same_commit_count(sandbox):
    """Rule 7: the lines the refusal printed may be pasted and committed at once."""
    files = {path: memory(lesson("st3")) for path in ("notes/a.md", "wisdom/b.md")}
    given(sandbox, files)
    refused(sandbox, {"fix.md": retracts(lesson("st3"))}, "retract-ambiguous")
    put(sandbox, {".memtools.toml": STORES})
    sandbox.commit("Fix")
    for path, text in files.items():
        assert_retracted(sandbox, path, text)


# --- derived_from (rule 7) -------------------------------------------------------------------


@pytest.mark.parametrize(
    "source", ["raw/target.md", "raw/target", '"[[target]]"', '"[[The source]]"', '"id:m-1"']
)
def test_a_memory_goes_with_its_only_source(sandbox, source):
    """Rule 7; seed 1: the curated copy goes too."""
    before = memory(lesson("df"), "id: m-1\ntitle: The source\n")
    copy = derived("a lesson of its own words", source)
    given(sandbox, {"raw/target.md": before, "wisdom/copy.md": copy})
    put(sandbox, {"fix.md": retracts(lesson("df"))})
    done = sandbox.commit("Fix")
    assert_retracted(sandbox, "raw/target.md", before)
    assert_retracted(sandbox, "wisdom/copy.md", copy)
    assert "retracted wisdom/copy.md, derived from raw/target.md (by fix.md:4)" in done.err


def test_a_chain_of_derived_memories_goes_as_a_whole(sandbox):
    """Rule 7: followed through chains. A18: https://github.com/plur-ai/plur/issues/997."""
    files = {
        "a.md": memory(lesson("ch")),
        "b.md": derived("second", "a.md"),
        "c.md": derived("third", "'[[b]]'", "a.md"),
        "d.md": derived("fourth", "c.md"),
    }
    given(sandbox, files)
    put(sandbox, {"fix.md": retracts(lesson("ch"))})
    sandbox.commit("Fix")
    for path, text in files.items():
        assert_retracted(sandbox, path, text)


def test_a_memory_with_another_living_source_is_reported_and_not_touched(sandbox):
    """Rule 7."""
    copy = derived("from two", "a.md", "b.md")
    given(sandbox, {"a.md": memory(lesson("ps")), "b.md": memory("b lives"), "copy.md": copy})
    put(sandbox, {"fix.md": retracts(lesson("ps"))})
    done = sandbox.commit("Fix")
    assert_same(sandbox, "copy.md", copy)
    assert "copy.md:1: retract-partial-sources: " in done.err
    put(sandbox, {"fix-b.md": retracts("b.md")})
    sandbox.commit("The other source goes too")
    assert_retracted(sandbox, "copy.md", copy, by="fix-b")


def test_a_source_nobody_knows_counts_as_living(sandbox):
    """Rule 7: what is not known for sure retracts nothing."""
    copy = derived("from nowhere too", "a.md", "gone.md")
    given(sandbox, {"a.md": memory(lesson("un")), "copy.md": copy})
    put(sandbox, {"fix.md": retracts(lesson("un"))})
    sandbox.commit("Fix")
    assert_same(sandbox, "copy.md", copy)


def test_a_derived_memory_that_cannot_be_edited_stops_the_commit(sandbox):
    """Rule 7 and row 95: whole plan or nothing."""
    copy = "+++\nderived_from = 'a.md'\n+++\ntext\n"
    given(sandbox, {"a.md": memory(lesson("ne")), "copy.md": copy})
    refused(sandbox, {"fix.md": retracts(lesson("ne"))}, "retract-not-editable")


# --- the version before (rule 8) -------------------------------------------------------------


def test_editing_the_phrase_away_in_the_same_commit_is_no_escape(sandbox):
    """Rule 8."""
    given(sandbox, {"target.md": memory(lesson("ed"))})
    after = memory("something else entirely")
    put(sandbox, {"target.md": after, "fix.md": retracts(lesson("ed"))})
    sandbox.commit("Fix and edit")
    assert_retracted(sandbox, "target.md", after)
    put(sandbox, {"x.md": "x\n"})
    assert sandbox.commit("Later").err == ""
    assert_retracted(sandbox, "target.md", after)


def test_renaming_and_editing_the_phrase_away_is_no_escape(sandbox):
    """Rule 8: renames are followed."""
    long = "\n".join(f"Line {number} of the memory." for number in range(20))
    given(sandbox, {"target.md": memory(lesson("re")) + long})
    sandbox.git("mv", "target.md", "moved.md")
    after = memory("it was not so") + long
    put(sandbox, {"moved.md": after, "fix.md": retracts(lesson("re"))})
    sandbox.commit("Fix, move and edit")
    assert_retracted(sandbox, "moved.md", after)


def test_a_phrase_in_two_versions_of_one_memory_is_one_hit(sandbox):
    """Rule 8."""
    given(sandbox, {"target.md": memory(lesson("tv"))})
    put(sandbox, {"target.md": memory(lesson("tv")) + "More.\n", "fix.md": retracts(lesson("tv"))})
    sandbox.commit("Fix")
    assert_retracted(sandbox, "target.md", memory(lesson("tv")) + "More.\n")


# --- applied markers (rule 10) ---------------------------------------------------------------


def test_an_applied_marker_takes_no_later_memory_and_says_so(sandbox):
    """Rule 10. A14: https://github.com/macanderson/stella/pull/671."""
    given(sandbox, {"target.md": memory(lesson("ap"))})
    header = "title: Fix\nreason: the disk was full\n"
    put(sandbox, {"fix.md": retracts(lesson("ap"), header=header)})
    sandbox.commit("Fix")
    again = memory(f"post mortem: {lesson('ap')}")
    put(sandbox, {"later.md": again})
    done = sandbox.commit("Post mortem")
    assert_same(sandbox, "later.md", again)
    said = said_of(done, "later.md:4: reintroduction: ")
    assert "retracted by fix.md on 2026-11-29" in said
    assert "the disk was full" in said
    put(sandbox, {"x.md": "x\n"})
    assert sandbox.commit("Other").err == ""


def test_without_any_tombstone_left_the_marker_is_open_again(sandbox):
    """Rule 10."""
    given(sandbox, {"target.md": memory(lesson("op"))})
    put(sandbox, {"fix.md": retracts(lesson("op"))})
    sandbox.commit("Fix")
    sandbox.git("rm", "-q", "target.md")
    sandbox.commit("Gone")
    put(sandbox, {"later.md": memory(lesson("op"))})
    sandbox.commit("It comes again")
    assert_retracted(sandbox, "later.md", memory(lesson("op")))


# --- addresses (rules 3 and 6) ---------------------------------------------------------------


def test_an_address_needs_no_length(sandbox):
    """Rule 3."""
    addresses = ("a0.md", "./a1.md", "[[a2]]", "[[T3]]", "[[l4]]", "[[a5|shown]]", "[[a6#part]]")
    fixes = {f"fix{n}": retracts(one) for n, one in enumerate((*addresses, "id:7"))}
    before = {
        f"a{n}.md": memory("x", f"id: {n}\ntitle: T{n}\naliases: [l{n}, other]\n")
        for n in range(len(fixes))
    }
    given(sandbox, {**before, "b.md": memory("another")})
    put(sandbox, {f"{name}.md": text for name, text in fixes.items()})
    sandbox.commit("Fix")
    for (path, text), by in zip(before.items(), fixes, strict=True):
        assert_retracted(sandbox, path, text, by=by)
    assert_same(sandbox, "b.md", memory("another"))


def test_an_address_of_two_memories_is_refused(sandbox):
    """Rule 3 and 7: two alike are ambiguous."""
    given(sandbox, {"x/a.md": memory("one", "id: 7\n"), "y/a.md": memory("two", "id: 7\n")})
    for address in ("[[a]]", "id:7"):
        said = refused(sandbox, {"fix.md": retracts(address)}, "retract-ambiguous")
        assert "RETRACTS: x/a.md" in said and "RETRACTS: y/a.md" in said


def test_an_address_of_nobody_warns(sandbox):
    """Rule 7."""
    for address in ("gone.md", "[[gone]]", "id:gone"):
        put(sandbox, {f"fix {address[:2]}.md": retracts(address)})
        assert "retract-no-match" in sandbox.commit("Fix").err


def test_an_address_may_hit_a_memory_that_holds_a_marker(sandbox):
    """Rule 6."""
    given(sandbox, {"target.md": memory(lesson("ad"))})
    put(sandbox, {"fix.md": retracts(lesson("ad"))})
    sandbox.commit("Fix")
    put(sandbox, {"second.md": retracts("fix.md")})
    sandbox.commit("Second")
    assert_retracted(sandbox, "fix.md", retracts(lesson("ad")), by="second")
    assert is_retracted(sandbox, "target.md")


@pytest.mark.parametrize("ring", [("a", "b"), ("a", "b", "c")])
def test_addresses_in_a_ring_retract_nobody(sandbox, ring):
    """Rule 6: no cycle can exist."""
    files = {
        f"{name}.md": retracts(f"{ring[(number + 1) % len(ring)]}.md")
        for number, name in enumerate(ring)
    }
    put(sandbox, files)
    done = sandbox.commit("Ring")
    assert done.err.count(": retract-mutual: ") == len(ring)
    for path, text in files.items():
        assert_same(sandbox, path, text)
    put(sandbox, {"x.txt": "x"})
    assert sandbox.commit("Later").err == ""


def test_a_memory_cannot_retract_itself(sandbox):
    """Seed 1: the declaration never retracts itself."""
    put(sandbox, {"fix.md": retracts("fix.md", "[[fix]]")})
    done = sandbox.commit("Fix")
    assert "retract-no-match" in done.err
    assert_same(sandbox, "fix.md", retracts("fix.md", "[[fix]]"))


# --- how much at once ------------------------------------------------------------------------


def test_one_commit_heals_five_and_leaves_the_rest_to_sweep(sandbox):
    """3_git_hooks 1.3."""
    files = {f"t{n}.md": memory(lesson(f"h{n}")) for n in range(8)}
    markers = {f"fix{n}.md": retracts(lesson(f"h{n}")) for n in range(8)}
    given(sandbox, {**files, **markers})
    put(sandbox, {"x.md": "x\n", "new.md": memory(lesson("hn")), "fixn.md": retracts(lesson("hn"))})
    done = sandbox.commit("Other")
    healed = [path for path in files if is_retracted(sandbox, path)]
    assert len(healed) == 5
    assert is_retracted(sandbox, "new.md")
    assert "3 more memories wait" in done.err
    assert "memtools sweep --apply" in done.err
    put(sandbox, {"x.md": "y\n"})
    sandbox.commit("Next")
    assert all(is_retracted(sandbox, path) for path in files)


# --- the tombstone (rule 11) -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("args", "env", "at"),
    [
        ((), {}, DATE),
        (("--date=2026-03-04T05:06:07-08:00",), {}, "2026-03-04T05:06:07-08:00"),
        ((), {"GIT_AUTHOR_DATE": "1767225600 +0530"}, "2026-01-01T05:30:00+05:30"),
        ((), {"GIT_AUTHOR_DATE": "@1767225600 -0330"}, "2025-12-31T20:30:00-03:30"),
        ((), {"GIT_AUTHOR_DATE": "Thu, 1 Jan 2026 00:00:00 +0000"}, "2026-01-01T00:00:00+00:00"),
    ],
)
def test_the_date_is_the_author_date_of_the_commit_with_its_offset(sandbox, args, env, at):
    """Rule 11."""
    given(sandbox, {"target.md": memory(lesson("da"))})
    put(sandbox, {"fix.md": retracts(lesson("da"))})
    sandbox.commit("Fix", *args, env=env)
    assert_retracted(sandbox, "target.md", memory(lesson("da")), at=at)
    shown = sandbox.git("log", "-1", "--format=%aI").out.strip().replace("Z", "+00:00")
    assert shown == at


def test_a_standing_marker_gives_the_date_its_memory_was_last_touched(sandbox):
    """Rule 11: two branches that heal write the same bytes."""
    given(sandbox, {"target.md": memory(lesson("sd"))})
    put(sandbox, {"fix.md": retracts(lesson("sd"))})
    sandbox.commit("Fix", env={**UNSEEN, "GIT_AUTHOR_DATE": "2026-02-03T04:05:06+01:00"})
    seen = []
    for branch in ("one", "two"):
        sandbox.git("checkout", "-q", "-b", branch, "main")
        put(sandbox, {f"{branch}.txt": branch})
        sandbox.commit("Heal", env={"GIT_AUTHOR_DATE": f"2026-05-0{len(branch)}T00:00:00+00:00"})
        seen.append(sandbox.show("HEAD", "target.md"))
    assert seen[0] == seen[1]
    assert seen[0] == tombstone(memory(lesson("sd")), "fix", at="2026-02-03T04:05:06+01:00")


def test_a_stem_that_is_not_unique_is_named_by_its_path(sandbox):
    """Rule 11."""
    given(sandbox, {"target.md": memory(lesson("sn")), "x/fix.md": memory("other")})
    put(sandbox, {"y/fix.md": retracts(lesson("sn"))})
    sandbox.commit("Fix")
    assert_retracted(sandbox, "target.md", memory(lesson("sn")), by="y/fix")


def test_a_stem_that_becomes_double_in_the_same_commit_is_named_by_its_path(sandbox):
    """Rule 11: a function of the tree being committed."""
    given(sandbox, {"target.md": memory(lesson("sn2"))})
    put(sandbox, {"y/fix.md": retracts(lesson("sn2")), "x/fix.md": memory("other")})
    sandbox.commit("Fix")
    assert_retracted(sandbox, "target.md", memory(lesson("sn2")), by="y/fix")


@pytest.mark.parametrize(
    ("reason", "written"),
    [
        ("the disk was full", "the disk was full"),
        ('"a: b # c"', '"a: b # c"'),
        ("原因は別", "原因は別"),
    ],
)
def test_the_reason_of_the_declaring_memory_is_written(sandbox, reason, written):
    """Rule 11."""
    given(sandbox, {"target.md": memory(lesson("rs"))})
    put(sandbox, {"fix.md": retracts(lesson("rs"), header=f"title: F\nreason: {reason}\n")})
    sandbox.commit("Fix")
    assert_retracted(sandbox, "target.md", memory(lesson("rs")), why=written)


def test_a_tombstone_lost_is_built_again_byte_for_byte(sandbox):
    """Rule 11: -n takes it out, the next hook writes the same."""
    given(sandbox, {"target.md": memory(lesson("lo"))})
    put(sandbox, {"fix.md": retracts(lesson("lo"), header="title: F\nreason: why\n")})
    sandbox.commit("Fix")
    first = sandbox.show("HEAD", "target.md")
    put(sandbox, {"target.md": memory(lesson("lo"))})
    sandbox.commit("Lost", "-n", env={"GIT_AUTHOR_DATE": "2026-12-01T00:00:00+00:00"})
    assert not is_retracted(sandbox, "target.md")
    put(sandbox, {"x.md": "x\n"})
    sandbox.commit("Later", env={"GIT_AUTHOR_DATE": "2026-12-02T00:00:00+00:00"})
    assert_same(sandbox, "target.md", first)


def test_a_reworded_marker_is_new_and_takes_nothing_twice(sandbox):
    """Rule 10 and 11: the first tombstone stays as it was."""
    given(sandbox, {"target.md": memory(lesson("rw"))})
    put(sandbox, {"fix.md": retracts(lesson("rw"))})
    sandbox.commit("Fix")
    put(sandbox, {"fix.md": retracts("rw cache was the root")})
    assert sandbox.commit("Reword", env={"GIT_AUTHOR_DATE": "2026-12-02T00:00:00+00:00"}).err == ""
    assert_retracted(sandbox, "target.md", memory(lesson("rw")))


# --- refusals (rules 14, 14c, 25) ------------------------------------------------------------

LONG = "a folder with a rather long name/and below it another one of that kind/" * 2
SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" * 2


FOLDERS = ("", LONG, "日本語の長いフォルダー/" * 5)


@pytest.mark.parametrize("case", part_of(list(product(["en", "ja"], FOLDERS)), 2))
def test_the_first_line_of_a_refusal_is_whole_in_itself(sandbox, case):
    """Rule 14: graphical programs show little more than 160 characters."""
    language, folder = case
    given(
        sandbox,
        {
            f"{folder}a.md": memory(f"{lesson('fl')} on a Monday morning"),
            f"{folder}b.md": memory(f"{lesson('fl')} on a Friday evening"),
            f"{folder}bad.md": f"---\nunclosed\n{lesson('bad')}\n",
        },
    )
    env = {"MEMTOOLS_LANG": language}
    for phrase, rule in {
        lesson("fl"): "retract-ambiguous",
        "cache": "phrase-too-short",
        "x" * 400: "phrase-too-long",
        lesson("bad"): "retract-not-editable",
        "": "phrase-empty",
    }.items():
        said = refused(sandbox, {f"{folder}fix.md": retracts(phrase)}, rule, env=env)
        first = said.split("\n")[0]
        assert "fix.md:4: " in first
        if not folder:
            assert not first.endswith("…") or rule == "retract-not-editable"
        if rule == "retract-ambiguous":
            assert "RETRACTS: " in first


def test_messages_are_japanese_and_ids_stay_english(sandbox):
    """Rule 25."""
    given(sandbox, {"a.md": memory(lesson("ja")), "b.md": memory(lesson("ja"))})
    env = {"MEMTOOLS_LANG": "ja"}
    said = refused(sandbox, {"fix.md": retracts(lesson("ja"))}, "retract-ambiguous", env=env)
    assert "2 件のメモリー" in said
    put(sandbox, {"fix.md": retracts("a.md")})
    done = sandbox.commit("Fix", env=env)
    assert "撤回" in done.err
    assert b"retracted_by" in sandbox.show("HEAD", "a.md")


@pytest.mark.parametrize("place", ["title: {}\n", "token: {}\n"])
def test_a_secret_in_a_new_line_stops_the_commit_and_is_not_printed(sandbox, place):
    """Rule 14c."""
    said = refused(sandbox, {"a.md": memory("x", place.format(SECRET))}, "secret-found")
    assert SECRET not in said and SECRET[:16] not in said
    said = refused(sandbox, {"a.md": memory(f"the key is {SECRET}")}, "secret-found")
    assert SECRET not in said and SECRET[:16] not in said


def test_a_secret_that_stood_there_before_stops_nothing(sandbox):
    """Rule 14c: only lines new in this commit."""
    given(sandbox, {"a.md": memory(f"the key is {SECRET}")})
    put(sandbox, {"a.md": memory(f"the key is {SECRET}") + "More.\n"})
    assert SECRET not in sandbox.commit("Edit").err
    other = SECRET.replace("a1", "Z9")
    said = refused(
        sandbox, {"a.md": memory(f"the key is {SECRET}") + f"And {other}\n"}, "secret-found"
    )
    assert other not in said


def test_personal_data_is_no_reason_to_stop_a_persons_commit(sandbox):
    """Rule 14c."""
    put(sandbox, {"a.md": memory("call Ann Example at ann@corp.example or 03-1234-5678")})
    said = sandbox.commit("Notes stay theirs").err
    assert "a.md:4: personal-data: " in said
    assert "ann@corp.example" not in said and "03-1234-5678" not in said


def test_personal_data_that_stood_there_before_is_not_named_again(sandbox):
    """Rule 14c: lines new in this commit."""
    given(sandbox, {"a.md": memory("call 03-1234-5678")})
    put(sandbox, {"a.md": memory("call 03-1234-5678") + "More.\n"})
    assert "personal-data" not in sandbox.commit("Edit").err
    put(sandbox, {"a.md": memory("call 03-1234-5678") + "Or 06-6123-4567.\n"})
    assert sandbox.commit("Edit again").err.count("personal-data: ") == 1


def test_a_password_that_is_spelled_out_stops_the_commit_and_is_not_printed(sandbox):
    """Rule 14c."""
    said = refused(
        sandbox, {"a.md": memory("パスワードは #jDHJXFAKEkomORUjo です")}, "secret-found"
    )
    assert "jDHJX" not in said


def test_conflict_marks_left_in_a_memory_stop_the_commit(sandbox):
    """Rule 14b names them beside secrets."""
    text = "# T\n\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> side\n"
    refused(sandbox, {"a.md": text}, "conflict-marks")
    put(sandbox, {"a.md": f"# T\n\n```\n{text}```\n"})
    sandbox.commit("An example in a fence")


# --- when memtools itself fails (rule 14d) ---------------------------------------------------


@pytest.fixture
def broken(sandbox):
    """The state folder cannot be used and the settings cannot be read: our own trouble."""
    given(sandbox, {"target.md": memory(lesson("br"))})
    hook = sandbox.path(".git/hooks/pre-commit")
    script = hook.read_text()
    start = next(line for line in script.split("\n") if line.startswith("python="))
    hook.write_text(script.replace(start, "python=/nowhere/python start=/nowhere/start.py prev="))
    sandbox.git("config", "--unset-all", "memtools.python")
    return {"PATH": "/usr/bin:/bin"}


def test_without_memtools_a_commit_without_a_marker_goes_through(sandbox, broken):
    """Rule 14d."""
    put(sandbox, {"x.md": "x\n"})
    assert "memtools init" in sandbox.commit("Other", env=broken).err


def test_without_memtools_a_commit_with_a_marker_is_stopped(sandbox, broken):
    """Rule 14d."""
    put(sandbox, {"fix.md": retracts(lesson("br"))})
    before = state(sandbox)
    said = sandbox.commit("Fix", code=1, env=broken).err
    assert state(sandbox) == before
    assert len(said.split("\n")[0]) <= HEADLINE


@pytest.mark.parametrize("marker", [False, True])
def test_a_bug_of_ours_stops_a_commit_only_when_it_adds_a_marker(sandbox, marker):
    """Rule 14d: no traceback, and how to go on."""
    given(sandbox, {"target.md": memory(lesson("bug"))})
    put(sandbox, {"fix.md": retracts(lesson("bug")) if marker else "text\n"})
    sandbox.path(".git/memtools/ledger").unlink()
    sandbox.path(".git/objects").joinpath(*_object_of(sandbox, "target.md")).unlink()
    before = sandbox.git("ls-files", "-s").out
    done = sandbox.commit("Fix", code=None)
    assert "Traceback" not in done.err
    assert sandbox.git("ls-files", "-s").out == before
    assert not (marker and done.code == 0)


def _object_of(repo, path):
    name = repo.git("rev-parse", f"HEAD:{path}").out.strip()
    return name[:2], name[2:]


def test_a_second_near_miss_beside_a_standing_one_is_not_silent(sandbox):
    """Rule 2 and 14c: new is the line, not the kind of problem."""
    given(sandbox, {"fix.md": "RETRACTS： the first wrong lesson\n"})
    put(sandbox, {"fix.md": "RETRACTS： the first wrong lesson\n\nMore.\n"})
    sandbox.commit("A standing one stops nothing")
    both = "RETRACTS： the first wrong lesson\n\nRETRACTS： the second wrong lesson\n"
    said = refused(sandbox, {"fix.md": both}, "marker-lookalike")
    assert "the second wrong lesson" in said
    assert "the first wrong lesson" not in said


def test_a_correction_derived_from_what_it_retracts_stays(sandbox):
    """Seed 1, rule 5 there: the declaration never retracts itself; nor over a chain."""
    given(sandbox, {"old.md": memory(lesson("self")), "mid.md": derived("middle", "old.md")})
    text = retracts(lesson("self"), header="title: F\nderived_from: [old.md, mid.md]\n")
    put(sandbox, {"fix.md": text})
    sandbox.commit("Fix")
    assert_same(sandbox, "fix.md", text)
    assert is_retracted(sandbox, "old.md") and is_retracted(sandbox, "mid.md")
    put(sandbox, {"x.md": "x\n"})
    assert sandbox.commit("Later").err == ""
    assert_same(sandbox, "fix.md", text)


def test_an_unknown_status_does_not_save_a_memory(sandbox):
    """Rule 6 and the memory file: still edited when retracted, so that the tombstone mends it."""
    before = memory(lesson("us"), "title: T\nstatus: wibble\n")
    given(sandbox, {"target.md": before})
    put(sandbox, {"fix.md": retracts(lesson("us"))})
    sandbox.commit("Fix")
    assert_retracted(sandbox, "target.md", before)


@pytest.mark.parametrize("status", ["wibble", "[a, list]"])
def test_a_marker_in_a_memory_of_unknown_status_stops_the_commit(sandbox, status):
    """3_git_hooks 1.3: a new marker that cannot apply; nothing passes as if it had retracted."""
    given(sandbox, {"target.md": memory(lesson("mu"))})
    fixing = retracts(lesson("mu"), header=f"title: F\nstatus: {status}\n")
    said = refused(sandbox, {"fix.md": fixing}, "marker-unread")
    assert "fix.md:3: status-" in said


def test_a_marker_in_a_tombstone_warns(sandbox):
    """Rule 9: it takes effect only in an approved memory."""
    given(sandbox, {"target.md": memory(lesson("mt"))})
    put(sandbox, {"fix.md": retracts(lesson("mt"), header="title: F\nstatus: retracted\n")})
    assert "fix.md:5: marker-inert: " in sandbox.commit("Fix").err
    assert_same(sandbox, "target.md", memory(lesson("mt")))


def test_a_phrase_and_an_address_for_one_memory_act_once(sandbox):
    """Rule 11: one tombstone, the first marker named."""
    given(sandbox, {"target.md": memory(lesson("pa"))})
    put(sandbox, {"fix.md": retracts("target.md", lesson("pa"))})
    done = sandbox.commit("Fix")
    assert_retracted(sandbox, "target.md", memory(lesson("pa")))
    assert done.err.count("retracted target.md") == 1


def test_unmatched_refuse_stops_a_slip(sandbox):
    """The setting `unmatched = "refuse"`."""
    given(sandbox, {".memtools.toml": '[retraction]\nunmatched = "refuse"\n'})
    refused(sandbox, {"fix.md": retracts(lesson("nobody"))}, "retract-no-match")


def test_a_smaller_min_columns_lets_a_shorter_phrase_in(sandbox):
    """The setting `min_columns`; not below 6."""
    given(sandbox, {".memtools.toml": "[retraction]\nmin_columns = 6\n", "a.md": memory("原因だ")})
    refused(sandbox, {"fix.md": retracts("原因")}, "phrase-too-short")
    put(sandbox, {"fix.md": retracts("saw that 原因だ")})
    sandbox.commit("Fix")
    assert is_retracted(sandbox, "a.md")


def test_a_variable_sets_what_a_commit_goes_by_and_not_what_check_and_readers_do(
    sandbox, monkeypatch
):
    """Precedence: variable, file, default; `check` and readers keep to the reviewed file."""
    given(sandbox, {"a.md": memory("The odd valve leaks at night."), "b.md": memory("x")})
    monkeypatch.setenv("MEMTOOLS_RETRACTION_UNMATCHED", "refuse")
    refused(sandbox, {"fix.md": retracts(lesson("nobody"))}, "retract-no-match")
    monkeypatch.setenv("MEMTOOLS_RETRACTION_MIN_COLUMNS", "40")
    refused(sandbox, {"fix.md": retracts("The odd valve leaks")}, "phrase-too-short")
    assert "phrase-too-short" in sandbox.memtools("retract", "The odd valve leaks", code=1).err
    monkeypatch.setenv("MEMTOOLS_RETRACTION_MIN_COLUMNS", "much")
    monkeypatch.delenv("MEMTOOLS_RETRACTION_UNMATCHED")
    put(sandbox, {"c.md": "plain\n"})
    assert "MEMTOOLS_RETRACTION_MIN_COLUMNS" in sandbox.commit("Other").err
    monkeypatch.setenv("MEMTOOLS_RETRACTION_MIN_COLUMNS", "6")
    put(sandbox, {"fix.md": retracts("odd valve")})
    sandbox.commit("Fix")
    assert is_retracted(sandbox, "a.md")
    assert "phrase-too-short" in sandbox.memtools("check", "--range", "HEAD^..HEAD", code=1).err
    monkeypatch.setenv("MEMTOOLS_RETRACTION_MIN_COLUMNS", "40")
    put(sandbox, {"fix2.md": retracts("wonders whether x")})
    sandbox.write("b.md", memory("He wonders whether x is meant."))
    sandbox.stage("b.md")
    sandbox.git("commit", "-q", "--no-verify", "-m", "By hand")
    assert "wonders whether" not in sandbox.memtools("search", "wonders").out


def test_an_older_memtools_than_required_writes_nothing(sandbox):
    """The setting `requires`: it reads on, and stops a commit only if that adds a marker."""
    given(sandbox, {".memtools.toml": 'requires = ">=99"\n', "target.md": memory(lesson("rq"))})
    given(sandbox, {"standing.md": retracts(lesson("rq"))})
    put(sandbox, {"x.md": "x\n"})
    assert ".memtools.toml:1: memtools-outdated: " in sandbox.commit("Other").err
    assert_same(sandbox, "target.md", memory(lesson("rq")))
    said = refused(sandbox, {"fix.md": retracts("target.md")}, "memtools-outdated")
    assert ">=99" in said.split("\n")[0]
    sandbox.commit("vault backup", env={"MEMTOOLS_UNATTENDED": "1"})
    assert_same(sandbox, "target.md", memory(lesson("rq")))
