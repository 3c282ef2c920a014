"""The table of reliability rows counts what was tried, and shows what failed."""

from types import SimpleNamespace

import pytest

from tests.figures import ROWS, table


def _report(*counted, failed=False):
    return SimpleNamespace(user_properties=list(counted), failed=failed, nodeid="tests/a.py::test")


def test_the_table_sums_the_cases_of_each_row_and_counts_failed_tests():
    lines = list(table([_report(("R3", 300)), _report(("R3", 60), ("R8", 2), failed=True)]))
    cells = {line.split(" | ")[0].removeprefix("| "): line.split(" | ") for line in lines}
    assert cells["R3"][2] == "360"
    assert cells["R3"][4] == "1"
    assert cells["R8"][2] == "2"
    assert cells["R1"][2] == "0"
    assert len(lines) == 2 + len(ROWS)


def test_a_test_can_count_cases_of_a_known_row_only(tried, request):
    tried("R13", 0)
    assert ("R13", 0) in request.node.user_properties
    with pytest.raises(AssertionError, match="no such row"):
        tried("R99", 1)
