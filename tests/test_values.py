import copy
import pickle

import pytest

from memtools.values import NamedTuple


class Point(NamedTuple):
    """A place."""

    x: int
    y: int = 2

    @property
    def total(self):
        return self.x + self.y


def test_a_value_is_a_tuple_with_names_and_defaults():
    point = Point(1)
    assert point == (1, 2) == Point(x=1) == Point(1, y=2)
    assert (point.x, point.y, point.total) == (1, 2, 3)
    assert Point._fields == ("x", "y") and hash(point) == hash((1, 2))
    assert repr(point) == "Point(x=1, y=2)"


def test_a_value_is_replaced_never_changed():
    point = Point(1)
    assert point._replace(y=5) == (1, 5) and point == (1, 2)
    assert point._asdict() == {"x": 1, "y": 2} and Point._make([3, 4]) == (3, 4)
    with pytest.raises(AttributeError):
        point.x = 4
    with pytest.raises(AttributeError):
        point.other = 4


@pytest.mark.parametrize("wrong", [{}, {"x": 1, "z": 2}, {"z": 1}])
def test_a_value_with_missing_or_unknown_fields_is_refused(wrong):
    with pytest.raises(TypeError, match="Point"):
        Point(**wrong)


def test_a_value_given_twice_or_too_often_is_refused():
    with pytest.raises(TypeError):
        Point(1, x=1)
    with pytest.raises(TypeError):
        Point(1, 2, 3)


def test_a_value_matches_and_survives_copy_and_pickle():
    match Point(1, 7):
        case Point(1, y):
            assert y == 7
        case _:
            pytest.fail("no match")
    assert copy.copy(Point(1)) == pickle.loads(pickle.dumps(Point(1))) == (1, 2)
