"""`import memtools` gives the use cases, and shows them."""

import memtools


def test_every_use_case_is_there_and_can_be_seen_at_a_prompt():
    assert all(callable(getattr(memtools, name)) for name in memtools.__all__[1:])
    assert set(memtools.__all__) <= set(dir(memtools))


def test_a_name_nobody_gave_is_an_attribute_error():
    assert not hasattr(memtools, "forget")
