"""Lines with a label, hundreds of a kind; tests/fixtures/gate/README.md says how to read them.

What is one test elsewhere is one line here, so that a kind costs one test.
"""

import pytest

from memtools.core.memory import read_memory
from memtools.core.screen import screen
from memtools.core.screen_secrets import find_sensitive
from tests.gate_cases import labelled_lines

LINES = labelled_lines()


def missed(label, is_found):
    found = [text for text in LINES[label] if not is_found(screen(text))]
    return [ascii(text) for text in found]


@pytest.mark.parametrize(("label", "kind"), [("secret", "secret"), ("personal", "personal")])
def test_what_must_not_be_stored_is_found_beyond_doubt(label, kind):
    assert not missed(label, lambda found: any(f.kind == kind and f.is_certain for f in found))


@pytest.mark.parametrize(
    ("label", "kinds"),
    [("hidden", {"hidden"}), ("mixed", {"mixed-script", "hidden"}), ("comment", {"comment"})],
)
def test_what_a_reader_does_not_see_is_found(label, kinds):
    assert not missed(label, lambda found: kinds & {f.kind for f in found})


def test_orders_to_an_assistant_are_found_in_many_languages():
    assert not missed("order", lambda found: {"instruction", "comment"} & {f.kind for f in found})


def test_what_may_be_personal_data_goes_to_a_person_and_is_not_rejected():
    assert not missed("doubt", lambda found: found and not any(f.is_certain for f in found))


def test_plain_facts_that_resemble_them_have_no_finding():
    assert not missed("plain", lambda found: found == ())


@pytest.mark.parametrize("label", sorted(LINES))
def test_hooks_and_the_check_find_what_the_gate_finds(label):
    """They look at a text more closely only where a word gives them a reason to."""
    for text in LINES[label][::3]:
        body = "\n" + text.removeprefix("\ufeff")
        gate = {f.is_certain for f in screen(body) if f.kind in ("secret", "personal")}
        problems, has_doubts = find_sensitive(read_memory("a.md", body.encode()))
        assert (bool(problems), has_doubts) == (True in gate, False in gate), ascii(text)
