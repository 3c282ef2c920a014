"""The settings file and the variables of the environment."""

import tomllib

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memtools.config import (
    UNREADABLE,
    Config,
    overridden,
    parse_config,
    read_variables,
    replaced,
    values_of,
)
from memtools.core.requirement import satisfies
from memtools.core.selection import find_store
from memtools.core.settings import CHECKS
from memtools.core.version import VERSION
from memtools.core.vocabulary import Status, read_status
from tests.helpers import CHECKOUT

WHOLE = b"""\
roots = ["notes/", "./wisdom", "."]
exclude = ["drafts/**"]
requires = ">=0.1"
read_ref = "origin/main"
[stores]
notes = ["notes"]
wisdom = ["wisdom", "team/wisdom/"]
[scopes]
alpha = ["~/code/alpha", "github.com/acme/alpha"]
[retraction]
min_columns = 12
unmatched = "refuse"
max_new_markers = 7
merge_mode = "follow-up"
[activation]
budget_bytes = 100
per_memory_bytes = 50
worktrees = "separate"
[gate]
input_trust = "high"
failure_cost = "high"
min_confidence = 0.5
auto_confidence = 1
delay_days = 0
store_inferred = true
[approval]
allowed_signers = "ops/signers"
protected = ["main", "release/*"]
[vocabulary.status]
"On Hold" = "active"
sketch = "candidate"
[vocabulary.priority]
wichtig = "high"
"""


def said(raw):
    """The problems of a file as `line rule message`, one text each."""
    _, problems = parse_config(raw)
    return [f"{p.line} {p.rule} {p.message}" for p in problems]


def test_no_file_gives_the_defaults_of_the_contract():
    config, problems = parse_config(None)
    assert config == Config() and not problems
    assert config.roots == (".",) and config.retraction.min_columns == 10
    assert config.retraction.unmatched == "warn" and config.retraction.merge_mode == "stop"
    assert config.retraction.max_new_markers == 500
    assert config.activation == (8000, 2000, "share")
    assert config.gate == ("low", "low", 0.3, 0.8, 3, False)
    assert config.approval == ("", ("main",))
    assert parse_config(b"") == (Config(), ())


def test_every_key_of_the_contract_is_read():
    config, problems = parse_config(WHOLE)
    assert not problems
    assert config.roots == ("notes", "wisdom", ".")
    assert config.exclude == ("drafts/**",)
    assert config.requires == ">=0.1" and config.is_met
    assert config.read_ref == "origin/main"
    assert config.stores == (("notes", ("notes",)), ("wisdom", ("wisdom", "team/wisdom")))
    assert config.retraction == (12, "refuse", 7, "follow-up")
    assert config.activation == (100, 50, "separate")
    assert config.scopes == (("alpha", ("~/code/alpha", "github.com/acme/alpha")),)
    assert config.gate == ("high", "high", 0.5, 1.0, 0, True)
    assert config.approval == ("ops/signers", ("main", "release/*"))
    assert read_status("on-hold", config.vocabulary) is Status.ACTIVE
    assert read_status("Sketch", config.vocabulary) is Status.CANDIDATE
    assert config.vocabulary.priority["wichtig"] == "high"
    assert config.selection.holds("x/a.md") and not config.selection.holds("drafts/a.md")


def test_values_by_name_hold_every_setting_and_the_words_a_file_added():
    values = values_of(parse_config(WHOLE)[0])
    assert set(CHECKS) <= set(values)
    assert values["retraction.min_columns"] == 12
    assert values["stores.wisdom"] == ("wisdom", "team/wisdom")
    assert values["vocabulary.status.sketch"] == "candidate"
    assert "vocabulary.status.draft" not in values


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("retraction.min_columns = 5", "must be a whole number from 6 to 300"),
        ("retraction.min_columns = true", "must be a whole number from 6 to 300"),
        ("retraction.min_columns = 10.0", "must be a whole number from 6 to 300"),
        ('retraction.unmatched = "ask"', 'must be one of: "warn", "refuse"'),
        ('retraction.merge_mode = "Stop"', 'must be one of: "stop", "follow-up"'),
        ("retraction.max_new_markers = 0", "from 1 to"),
        ("activation.budget_bytes = -1", "from 0 to"),
        ("gate.min_confidence = 1.5", "must be a number from 0 to 1"),
        ("gate.auto_confidence = nan", "must be a number from 0 to 1"),
        ("gate.auto_confidence = true", "must be a number from 0 to 1"),
        ('gate.store_inferred = "no"', "must be true or false"),
        ("gate.delay_days = -3", "from 0 to"),
        ('roots = ["../other"]', "leads out of the repository"),
        ('roots = ["/etc"]', "leads out of the repository"),
        ('roots = ["~/notes"]', "leads out of the repository"),
        ('roots = ["C:/notes"]', "leads out of the repository"),
        ('roots = ["notes/../../x"]', "leads out of the repository"),
        ('roots = [".git"]', "leads out of the repository"),
        ('roots = [""]', "must be a path in the repository"),
        ('roots = "notes"', "must be a list"),
        ('exclude = ["!keep.md"]', "cannot be negated"),
        ('exclude = ["**.md"]', "must stand alone between slashes"),
        ("exclude = [3]", "must be a glob"),
        ('stores.notes = ["../x"]', "leads out of the repository"),
        ("stores = 3", "must be a table"),
        ("gate = 3", "must be a table"),
        ("vocabulary.status = 3", "must be a table"),
        ('read_ref = "--upload-pack=x"', "must be the name of a branch"),
        ('read_ref = "a b"', "must be the name of a branch"),
        ('scopes.alpha = ["a", ""]', "must be a folder or a remote"),
        ('approval.allowed_signers = "/etc/signers"', "leads out of the repository"),
        ('approval.protected = ["--all"]', "must be the name of a branch"),
        ('requires = "soon"', "must be a version requirement"),
        ('vocabulary.status.draft = "unknown"', "must be one of"),
        ('vocabulary.status.retracted = "active"', "another meaning, which no file may"),
        ('vocabulary.status."Retracted " = "active"', "another meaning, which no file may"),
        ('vocabulary.status."ｒｅｔｒａｃｔｅｄ" = "active"', "another meaning"),
        ('vocabulary.priority.low = "high"', "another meaning, which no file may"),
    ],
)
def test_a_wrong_value_is_a_problem_with_its_line_and_changes_nothing(line, complaint):
    config, problems = parse_config(f"\n# a comment\n{line}\n".encode())
    assert [(p.path, p.line, p.rule, p.severity) for p in problems] == [
        (".memtools.toml", 3, "config-invalid", "error")
    ]
    assert complaint in problems[0].message
    name = line.partition(" =")[0]
    if name not in ("roots", "exclude", "requires"):
        assert config._replace(stores=(), scopes=()) == Config(approval=config.approval)


def test_our_own_words_may_be_named_with_their_own_meaning():
    assert said(b'[vocabulary.status]\nactive = "active"\n') == []


def test_of_a_list_only_the_wrong_entries_count_as_absent():
    config, _ = parse_config(b'roots = ["../x", "notes"]\nexclude = ["!a", "b"]\n')
    assert config.roots == ("notes",) and config.exclude == ("b",)


def test_roots_that_are_all_wrong_hold_nothing():
    config, _ = parse_config(b'roots = ["../x"]\n')
    assert not config.selection.holds("a.md")


def test_a_lone_text_is_read_as_a_list_of_one():
    config, problems = parse_config(b'exclude = "drafts"\n')
    assert config.exclude == ("drafts",) and len(problems) == 1


@pytest.mark.parametrize(
    ("raw", "line", "hint"),
    [
        (b"root = ['a']\n", 1, "did you mean roots?"),
        (b"[retraction]\nmin_colums = 9\n", 2, "did you mean retraction.min_columns?"),
        (b"\nmin_columns = 9\n", 2, "did you mean retraction.min_columns?"),
        (b"[retractions]\nmin_columns = 9\n", 1, "did you mean retraction?"),
        (b"[vocabulary.state]\nx = 'active'\n", 2, "did you mean vocabulary.status?"),
        (b'"gate.delay_days" = 3\n', 1, "did you mean gate.delay_days?"),
        (b"zzzzzz = 1\n", 1, "`memtools config` lists"),
    ],
)
def test_an_unknown_key_names_the_nearest_known_one(raw, line, hint):
    config, problems = parse_config(raw)
    assert config == Config()
    assert [(p.line, p.rule) for p in problems] == [(line, "config-unknown-key")]
    assert problems[0].hint.startswith(hint)


@pytest.mark.parametrize(
    ("raw", "line", "message"),
    [
        (b"roots = ['a']\n<<<<<<< ours\n", 2, "not valid TOML"),
        (b"roots = [\n", 1, "not valid TOML"),
        (b"a = 1\nroots = '\xff'\n", 2, "not UTF-8"),
        (b"a = " + b"[" * 50_000, 1, ""),
        (b"#" * 300_000, 0, "larger than"),
    ],
)
def test_a_file_that_cannot_be_read_exposes_nothing(raw, line, message):
    config, problems = parse_config(raw)
    assert config == UNREADABLE
    assert not config.selection.holds("a.md")
    assert [(p.rule, p.severity) for p in problems] == [("config-invalid", "error")]
    assert message in problems[0].message
    if message:
        assert problems[0].line == line


def test_a_byte_order_mark_and_windows_line_ends_are_read():
    config, problems = parse_config(
        b"\xef\xbb\xbfread_ref = 'main'\r\n[gate]\r\ndelay_days = 9\r\n"
    )
    assert (config.read_ref, config.gate.delay_days, problems) == ("main", 9, ())


@given(st.binary(max_size=60))
def test_no_bytes_make_the_reader_raise(raw):
    parse_config(raw)


_WORDS = st.sampled_from(["roots", "gate", "stores", "vocabulary", "status", "x", "min_columns"])
_VALUES = st.recursive(
    st.one_of(st.integers(), st.text(max_size=3), st.booleans(), st.floats()),
    lambda inner: st.one_of(
        st.lists(inner, max_size=2), st.dictionaries(_WORDS, inner, max_size=2)
    ),
    max_leaves=6,
)


def _toml(value):
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {_toml(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    if isinstance(value, str):
        return '"' + "".join(f"\\U{ord(ch):08x}" for ch in value) + '"'
    return str(value).lower()


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(st.dictionaries(_WORDS, _VALUES, max_size=3))
def test_no_shape_of_values_makes_the_reader_raise(values):
    raw = "\n".join(f"{key} = {_toml(value)}" for key, value in values.items())
    tomllib.loads(raw)
    config, _ = parse_config(raw.encode())
    values_of(config)


@pytest.mark.parametrize(
    ("requires", "version", "met"),
    [
        ("", "0.1.0", True),
        (">=1.4", "1.4.0", True),
        (">=1.4", "1.10", True),
        (">=1.4", "1.3.9", False),
        ("1.4", "2.0", True),
        (">1.4", "1.4.0", False),
        (">=1.4, <2", "1.9", True),
        (">=1.4, <2", "2.0", False),
        ("==1.4", "1.4.0", True),
        ("<=1.4", "1.4.1", False),
        ("~=1.4", "1.4", False),
        ("soon", "9", False),
    ],
)
def test_a_requirement_is_compared_number_by_number(requires, version, met):
    assert satisfies(requires, version) is met


def test_a_requirement_nobody_here_can_read_is_not_met():
    config, problems = parse_config(b'requires = "~=7"\n')
    assert not config.is_met and problems


def test_the_version_is_the_one_of_the_package():
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["version"] == VERSION


def test_a_path_belongs_to_its_store_and_the_rest_to_one_more():
    config, _ = parse_config(WHOLE)
    assert find_store("team/wisdom/a.md", config.stores) == "wisdom"
    assert find_store("a.md", config.stores) == ""


def test_replacing_a_setting_keeps_the_others_and_selects_anew():
    config = replaced(Config(), {"roots": ("notes",), "gate.delay_days": 9})
    assert config.gate.delay_days == 9 and config.gate.min_confidence == 0.3
    assert not config.selection.holds("a.md")


def test_variables_are_read_once_and_as_values():
    found = read_variables(
        {
            "MEMTOOLS_LANG": "JA",
            "LANG": "de_DE.UTF-8",
            "MEMTOOLS_OFF": "1",
            "OBSIDIAN_GIT": "1",
            "MEMTOOLS_AGENT": "claude",
            "MEMTOOLS_IN_HOOK": "1",
            "NO_COLOR": "x",
            "EDITOR": "ed",
            "VISUAL": "vi",
            "MEMTOOLS_READ_REF": "origin/main",
        }
    )
    assert (found.language, found.locale, found.agent, found.editor) == ("ja", "de", "claude", "vi")
    assert found.is_off and found.is_unattended and found.no_color
    assert found.overrides == (("read_ref", "MEMTOOLS_READ_REF", "origin/main"),)


def test_no_variables_say_nothing():
    found = read_variables({"MEMTOOLS_OFF": "0", "LC_ALL": "C.UTF-8", "LANG": "ja_JP.UTF-8"})
    assert found == read_variables({})


def test_the_first_locale_variable_that_is_set_counts():
    assert read_variables({"LC_ALL": "", "LC_MESSAGES": "ja_JP", "LANG": "en_US"}).locale == "ja"


def test_a_variable_wins_over_the_file_when_its_value_is_right():
    config, _ = parse_config(WHOLE)
    variables = read_variables({"MEMTOOLS_READ_REF": "", "MEMTOOLS_RETRACTION_MIN_COLUMNS": "20"})
    changed, problems = overridden(config, variables)
    assert (changed.read_ref, changed.retraction.min_columns, problems) == ("", 20, ())


def test_a_variable_with_a_wrong_value_is_a_problem_and_counts_not():
    variables = read_variables({"MEMTOOLS_RETRACTION_MIN_COLUMNS": "3"})
    config, problems = overridden(Config(), variables)
    assert config == Config()
    assert problems[0].message.startswith("MEMTOOLS_RETRACTION_MIN_COLUMNS must be")


def test_no_variable_loosens_the_gate():
    assert not read_variables({"MEMTOOLS_GATE_MIN_CONFIDENCE": "0"}).overrides
