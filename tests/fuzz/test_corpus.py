"""What fuzzing kept: seeds, and each input that once was a fault."""

from pathlib import Path

import pytest

from tests.fuzz.promises import TARGETS

CORPUS = Path(__file__).parent / "corpus"
KEPT = sorted(path for name in TARGETS for path in (CORPUS / name).iterdir())


@pytest.mark.parametrize("path", KEPT, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_parser_keeps_its_promises_on_what_fuzzing_kept(path):
    TARGETS[path.parent.name](path.read_bytes())


def test_each_parser_has_a_corpus():
    assert {path.parent.name for path in KEPT} == set(TARGETS)
