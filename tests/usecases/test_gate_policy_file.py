"""A settings file whose [gate] or [approval] cannot be relied on lets nothing in."""

import pytest

from memtools.errors import RefusedError
from memtools.usecases.proposing.approve import approve
from memtools.usecases.proposing.falling_due import approve_due
from memtools.usecases.proposing.importing import import_memories
from memtools.usecases.proposing.propose import propose
from memtools.usecases.proposing.reject import reject
from memtools.usecases.repository import open_repository
from tests.helpers import longer

FACT = b"The zeppelin of the team is moored behind the hangar.\n"
UNSURE = [
    '[approval]\nallowed_singers = "keys"\n',
    '[gate]\ninput_trust = "medium"\n',
    "[gate\nmin_confidence = 0.5\n",
    "[write_policy]\nall = true\n",
    *longer(
        '[aproval]\nallowed_signers = "keys"\n',
        "gate = 3\n",
        "[gate]\nmin_confidence = 1.5\n",
        "[gate]\nauto_confidence = true\n",
        '[gate]\ndelay_days = "three"\n',
        '[gate]\nstore_inferred = "no"\n',
        '[approval]\nprotected = "main"\n',
    ),
]


def opened(sandbox):
    return open_repository(str(sandbox.top))


@pytest.mark.parametrize("settings", UNSURE)
def test_nothing_is_stored_by_a_policy_that_cannot_be_relied_on(sandbox, tmp_path, settings):
    made = propose(opened(sandbox), FACT, source="external", title="Zeppelin", apply=True)
    sandbox.save({".memtools.toml": settings})
    (tmp_path / "vault").mkdir()
    (tmp_path / "vault" / "a.md").write_bytes(FACT)
    before = sandbox.head(), sandbox.status()
    tries = [
        lambda: propose(opened(sandbox), FACT, source="stated", apply=True),
        lambda: propose(opened(sandbox), FACT, source="stated"),
        lambda: import_memories(opened(sandbox), "obsidian", str(tmp_path / "vault"), apply=True),
        lambda: approve(opened(sandbox), made.path, apply=True),
        lambda: approve_due(opened(sandbox), "2027-01-01T00:00:00+00:00", apply=True),
    ]
    for attempt in tries:
        with pytest.raises(RefusedError) as caught:
            attempt()
        assert ".memtools.toml:" in caught.value.message
    assert (sandbox.head(), sandbox.status()) == before


@pytest.mark.parametrize("fault", ["budget_bytes = -1", "budget = 9"])
def test_a_fault_elsewhere_in_the_settings_stops_no_candidate(sandbox, fault):
    sandbox.save({".memtools.toml": f"[activation]\n{fault}\n"})
    assert propose(opened(sandbox), FACT, source="stated", apply=True).applied


def test_a_candidate_can_be_turned_away_all_the_same(sandbox):
    made = propose(opened(sandbox), FACT, source="external", title="Zeppelin", apply=True)
    sandbox.save({".memtools.toml": UNSURE[0]})
    assert reject(opened(sandbox), made.path, why="not true", apply=True).applied
