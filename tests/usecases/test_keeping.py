"""Files of ours hold what their reader says, or they count as missing: no checksum vouches for a
shape.
"""

from types import SimpleNamespace

import pytest

from memtools.usecases.changing.kept_plan import is_as_kept, keep_plan
from memtools.usecases.checking.receipts import kept_answer
from memtools.usecases.committing.unattended import open_reports
from memtools.usecases.erasing.pending import Pending, read_pending, write_pending
from memtools.usecases.erasing.targets import Targets
from memtools.usecases.keeping import fits, read_checked, write_checked
from memtools.usecases.lost import _remembered
from memtools.usecases.noted import read_noted
from memtools.usecases.state import RECEIVED

WRONG = [None, 7, "x", [], {}, [7], [[7]], ["a", "b"], {"k": 7}, {"k": [7]}, [[["v"], "x", 7]]]
WRONG += [["s", "c", "t", [["a", 7]]], [[1, 2, 3]], {7: 7}, [["p", "rule", ("{gone}", {})]]]


@pytest.mark.parametrize(
    ("shape", "good", "bad"),
    [
        (str, ["", "x"], [None, 7, b"x", ["x"]]),
        (str | None, ["", None], [7]),
        ([int], [[], [1, 2], (1,)], ["", "12", [1, "2"], {1: 1}, 1]),
        ((str, int), [("a", 1), ["a", 1]], [("a",), ("a", 1, 2), (1, "a"), "a1"]),
        ({str: [int]}, [{}, {"a": [1]}], [[], [("a", [1])], {"a": 1}, {1: [1]}]),
        (([(str, str)], object), [([], None), ([("a", "b")], 1)], [([("a", 1)], 1), ({}, 1)]),
    ],
)
def test_a_value_fits_its_shape_or_does_not(shape, good, bad):
    assert all(fits(value, shape) for value in good)
    assert not any(fits(value, shape) for value in bad)


def test_what_is_kept_comes_back_only_in_the_shape_asked_for(tmp_path):
    assert write_checked(str(tmp_path), "name", ("a", [1]))
    assert read_checked(str(tmp_path), "name", (str, [int])) == ("a", [1])
    assert read_checked(str(tmp_path), "name", (str, [str])) is None


def test_a_wrong_shape_in_a_file_of_ours_is_as_good_as_no_file(tmp_path):
    """A list where a dict belongs, a number for a string, one level down, too."""
    folder = str(tmp_path)
    here = SimpleNamespace(state_dir=folder)
    for value in WRONG:
        for name in ("plans", "lost", "unattended", "search-noted-1", RECEIVED):
            write_checked(folder, name, value)
        assert is_as_kept(here, ("v",), (), 1.0)
        assert _remembered(here) == {}
        assert all(isinstance(one.line, str) for one in open_reports(here))
        assert read_noted(folder, "s", "c") is None
        assert kept_answer(folder, "k") in (None, ())
        keep_plan(here, ("v",), (("p", "b"),), 1.0)
        assert not is_as_kept(here, ("v",), (), 2.0)


def test_a_note_of_an_erasure_with_another_shape_is_as_good_as_none(tmp_path):
    here = SimpleNamespace(common_dir=str(tmp_path))
    pending = Pending(Targets(paths=("a.md",)), "tree", ("stash",))
    write_pending(here, pending)
    assert read_pending(here) == pending
    (file,) = (path for path in tmp_path.rglob("*") if path.is_file())
    for value in (*WRONG, ([["p"], [], [], []], 7, []), ([["p"], [], []], "t", [])):
        write_checked(str(file.parent), file.name, value)
        assert read_pending(here) is None
