"""Who may let memories in when only signed commits approve: real keys, real git."""

import shutil

import pytest

from memtools.core.memory import read_memory
from memtools.errors import PolicyError
from memtools.usecases.changing.restore import restore
from memtools.usecases.changing.retract import retract
from memtools.usecases.diagnosing.doctor import doctor
from memtools.usecases.proposing.approve import approve
from memtools.usecases.repository import open_repository
from memtools.usecases.state import read_journal
from tests.helpers import Sandbox, run
from tests.signed import SETTINGS, SIGNERS, Team, make_keys, public
from tests.usecases.test_check import judge

NEW = "Tea is served at four in the garden.\n"
CANDIDATE = "---\nstatus: candidate\n---\n" + NEW
TOMB = "---\nstatus: retracted\n---\nThe disk cache was the root cause.\n"


def told(team, **what):
    """(path, rule) of what approves nothing."""
    found = judge(team.repo, **(what or {"range": "base..HEAD"}))
    return [(p.path, p.rule) for p in found.problems if p.rule.startswith("approval-")]


@pytest.mark.parametrize(
    ("by", "rule"),
    [
        ("", "approval-unsigned"),
        ("mallory", "approval-not-allowed"),
        ("bot", "approval-not-allowed"),
        ("ann", None),
    ],
)
def test_only_a_listed_person_lets_a_memory_in(team, by, rule):
    commit = team.save({"n.md": NEW}, by)
    assert told(team) == ([("n.md", rule)] if rule else [])
    assert told(team, treeish="main") == told(team)
    if rule:
        (found,) = (p for p in judge(team.repo, range="base..HEAD").problems if p.rule == rule)
        assert commit[:10] in found.message and found.is_error and SIGNERS in found.hint


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"n.md": CANDIDATE}, {"n.md": NEW}),
        ({"n.md": TOMB}, {"n.md": "The disk cache was the root cause.\n"}),
        ({"n.md": NEW}, {"n.md": NEW + "And at five.\n"}),
        ({"n.md": NEW}, {"n.md": "---\npriority: high\n---\n" + NEW}),
        ({"n.md": "---\nstatus: nobody knows\n---\n" + NEW}, {"n.md": NEW}),
        ({"n.md": "RETRACTS: something that is nowhere\n"}, {"n.md": NEW}),
        ({}, {".memtools.toml": SETTINGS + '[vocabulary.status]\nwip = "active"\n'}),
        ({}, {".memtools.toml": 'roots = ["."]\n'}),
        ({}, {SIGNERS: "ann@example.com " + "ssh-ed25519 AAAA\n"}),
        ({}, {SIGNERS + ".revoked": ""}),
    ],
)
def test_what_has_to_be_signed(team, before, after):
    if before:
        team.save(before, "ann")
    team.repo.git("branch", "-f", "base")
    team.save(after)
    assert told(team) == [(path, "approval-unsigned") for path in after]
    team.sign_with("ann")
    team.repo.git("commit", "-q", "--amend", "--no-edit", "-n", "-S")
    assert told(team) == []


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({}, {"n.md": CANDIDATE}),
        ({"n.md": CANDIDATE}, {"n.md": CANDIDATE + "And at five.\n"}),
        ({}, {"a.md": TOMB}),
        ({}, {"README.txt": "no memory\n"}),
        ({}, {".memtools.toml": SETTINGS + "[activation]\nbudget_bytes = 900\n"}),
    ],
)
def test_what_lets_nothing_in_needs_no_signature(team, before, after):
    if before:
        team.save(before, "ann")
    team.repo.git("branch", "-f", "base")
    team.save(after)
    assert told(team) == []


def test_another_name_for_the_same_bytes_needs_no_signature_but_a_copy_does(team):
    team.repo.git("mv", "a.md", "b.md")
    team.commit()
    assert told(team) == []
    team.save({"c.md": team.repo.read("b.md").decode()})
    assert told(team) == [("c.md", "approval-unsigned")]


def test_a_commit_cannot_add_its_own_signer_nor_one_for_the_next(team):
    more = team.listed("ann@example.com", "mallory@example.com")
    team.save({SIGNERS: more, "n.md": NEW}, "mallory")
    team.save({"o.md": NEW}, "mallory")
    assert told(team) == [
        ("n.md", "approval-not-allowed"),
        (SIGNERS, "approval-not-allowed"),
        ("o.md", "approval-not-allowed"),
    ]
    changed = [p.path for p in judge(team.repo, range="base..HEAD").problems
               if p.rule == "signers-changed"]  # fmt: skip
    assert changed == [SIGNERS]


def test_a_signer_ann_added_counts_from_the_next_range_on(team):
    team.save({SIGNERS: team.listed("ann@example.com", "mallory@example.com")}, "ann")
    team.repo.git("branch", "-f", "base")
    team.save({"n.md": NEW}, "mallory")
    assert told(team) == []
    assert told(team, treeish="HEAD") == []


def test_a_revoked_key_approves_nothing_any_more_what_it_did_before_stays(team):
    team.save({"n.md": NEW}, "ann")
    more = team.listed("ann@example.com", "mallory@example.com")
    revoked = public(team.keys["ann"]) + "\n"
    team.save({SIGNERS: more, SIGNERS + ".revoked": revoked}, "ann")
    team.repo.git("branch", "-f", "base")
    team.save({"o.md": NEW}, "ann")
    assert told(team) == [("o.md", "approval-not-allowed")]
    assert told(team, treeish="HEAD") == [("o.md", "approval-not-allowed")]


def test_a_revocation_file_nobody_can_read_revokes_all(team):
    team.save({SIGNERS + ".revoked": "hello world\n"}, "ann")
    team.repo.git("branch", "-f", "base")
    team.save({"o.md": NEW}, "ann")
    assert told(team) == [("o.md", "approval-not-allowed")]


def test_a_key_that_is_also_an_agents_is_no_persons(team):
    team.save({SIGNERS: team.listed("ann@example.com") + team.listed("Agent:ann")}, "ann")
    team.repo.git("branch", "-f", "base")
    team.save({"o.md": NEW}, "ann")
    assert told(team) == [("o.md", "approval-not-allowed")]


@pytest.mark.parametrize("is_agents", [False, True])
def test_a_certificate_counts_but_not_for_a_key_that_is_an_agents(team, tmp_path, is_agents):
    keys = make_keys(tmp_path / "more", "ca", "dan")
    made = ("-s", str(keys["ca"]), "-I", "dan", "-n", "dan@example.com", "-V", "always:forever")
    assert run(["ssh-keygen", "-q", *made, f"{keys['dan']}.pub"], tmp_path).code == 0
    listed = f'*@example.com cert-authority,namespaces="git" {public(keys["ca"])}\n'
    listed += f"agent:dan {public(keys['dan'])}\n" if is_agents else ""
    team.save({SIGNERS: listed}, "ann")
    team.repo.git("branch", "-f", "base")
    team.repo.git("config", "user.signingKey", f"{keys['dan']}-cert.pub")
    team.repo.save({"o.md": NEW})
    team.repo.commit("Sign", "-n", "-S", "--amend")
    assert told(team) == ([("o.md", "approval-not-allowed")] if is_agents else [])


def test_a_line_that_reads_as_a_comment_lists_nobody(team):
    hidden = "# who may approve\r" + team.listed("mallory@example.com")
    team.save({SIGNERS: hidden + team.listed("ann@example.com")}, "ann")
    team.repo.git("branch", "-f", "base")
    team.save({"o.md": NEW}, "mallory")
    assert told(team) == [("o.md", "approval-not-allowed")]


@pytest.mark.parametrize(
    ("options", "is_valid"),
    [
        ('valid-after="20260101",valid-before="20270101"', True),
        ('valid-before="20260101"', False),
        ('valid-after="20270101"', False),
        ('namespaces="file"', False),
    ],
)
def test_a_key_counts_while_the_file_says_so_at_the_time_of_the_commit(team, options, is_valid):
    team.save({SIGNERS: team.listed("ann@example.com", options=options)}, "ann")
    team.repo.git("branch", "-f", "base")
    team.save({"o.md": NEW}, "ann")
    assert told(team) == ([] if is_valid else [("o.md", "approval-not-allowed")])


def test_of_a_side_branch_only_the_merge_counts(team):
    team.repo.git("switch", "-qc", "memory/tea")
    team.save({"n.md": NEW})
    assert told(team) == [("n.md", "approval-unsigned")]
    checked = judge(team.repo, range="base..HEAD")
    assert checked.code == 0  # a merge may still let it in
    team.repo.git("switch", "-q", "main")
    team.sign_with("ann")
    team.repo.git("merge", "-q", "--no-ff", "-S", "-m", "Merge", "memory/tea")
    assert told(team) == []
    team.repo.git("reset", "-q", "--hard", "base")
    team.repo.git("merge", "-q", "--no-ff", "-m", "Merge", "memory/tea")
    assert told(team) == [("n.md", "approval-unsigned")]
    assert judge(team.repo, range="base..HEAD").code == 1


def test_a_merge_that_makes_the_base_its_second_parent_hides_nothing(team):
    team.repo.git("switch", "-qc", "side")
    team.save({"n.md": NEW})
    team.repo.git("switch", "-q", "main")
    team.save({"o.md": CANDIDATE})
    team.repo.git("branch", "-f", "base")
    team.repo.git("switch", "-q", "side")
    team.sign_with("ann")
    team.repo.git("merge", "-q", "--no-ff", "-S", "-m", "Turned around", "main")
    team.repo.git("branch", "-f", "main")
    assert told(team) == [("n.md", "approval-unsigned")]


def test_a_later_signed_commit_of_the_same_file_heals_the_line(team):
    team.save({"n.md": NEW})
    assert told(team, treeish="main") == [("n.md", "approval-unsigned")]
    team.save({"n.md": NEW + "And at five.\n"}, "ann")
    assert told(team, treeish="main") == []
    assert told(team) == [("n.md", "approval-unsigned")]


def test_a_shallow_clone_audits_what_it_has(team, tmp_path):
    team.save({"n.md": NEW})
    team.save({"o.md": NEW}, "ann")
    for depth, found in ((1, []), (2, []), (3, [("n.md", "approval-unsigned")])):
        clone = Sandbox(tmp_path / f"clone{depth}")
        url = f"file://{team.repo.top}"
        team.repo.git("clone", "-q", "--depth", str(depth), url, str(clone.top))
        assert told(Team(clone, team.keys), treeish="HEAD") == found


def test_a_replacement_of_a_commit_makes_nothing_good(team):
    bad = team.save({"n.md": NEW})
    team.sign_with("ann")
    team.repo.git("commit", "-q", "--amend", "--no-edit", "-n", "-S")
    good = team.repo.head()
    team.repo.git("reset", "-q", "--hard", bad)
    team.repo.git("replace", bad, good)
    assert told(team) == [("n.md", "approval-unsigned")]


def test_a_graft_takes_no_commit_out_of_the_line(team):
    base = team.repo.head()
    team.save({"n.md": NEW})
    last = team.save({"o.txt": "x"}, "ann")
    team.repo.write(".git/info/grafts", f"{last} {base}\n")
    assert told(team) == [("n.md", "approval-unsigned")]


def test_no_encoding_git_is_to_answer_in_changes_who_signed(team):
    team.repo.git("config", "i18n.logOutputEncoding", "UTF-16")
    team.save({"o.md": NEW}, "ann")
    team.save({"p.md": "Coffee is served at five.\n"}, "mallory")
    assert told(team) == [("p.md", "approval-not-allowed")]


def test_without_a_file_of_signers_nobody_approves(repo):
    repo.save({".memtools.toml": SETTINGS})
    repo.git("branch", "base")
    repo.save({"n.md": NEW})
    (found,) = judge(repo, range="base..HEAD").problems
    assert (found.rule, SIGNERS in found.message) == ("approval-unsigned", True)


def test_a_signature_of_another_kind_approves_nothing(team):
    team.save({"n.md": NEW})
    raw = team.repo.git("cat-file", "commit", "HEAD").out
    head, _, message = raw.partition("\n\n")
    armour = "gpgsig -----BEGIN PGP SIGNATURE-----\n \n iQ==\n -----END PGP SIGNATURE-----"
    forged = f"{head}\n{armour}\n\n{message}"
    made = team.repo.git("hash-object", "-t", "commit", "-w", "--stdin", input=forged).out.strip()
    team.repo.git("reset", "-q", "--hard", made)
    (found,) = (p for p in judge(team.repo, range="base..HEAD").problems if "approval" in p.rule)
    assert (found.rule, "none of ssh" in found.message) == ("approval-unsigned", True)


def test_without_ssh_keygen_no_signature_counts(team, tmp_path, monkeypatch):
    team.save({"n.md": NEW}, "ann")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "git").symlink_to(shutil.which("git"))
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    (found,) = (p for p in judge(team.repo, range="base..HEAD").problems if "approval" in p.rule)
    assert (found.rule, "ssh-keygen cannot be run" in found.message) == (
        "approval-not-allowed",
        True,
    )


def proposed(team):
    team.save({"inbox/n.md": CANDIDATE})
    return open_repository(str(team.repo.top))


def everything(repo):
    return repo.head(), repo.git("ls-files", "-s").out, repo.status(), repo.read("inbox/n.md")


def test_an_approval_is_signed_and_counts(team):
    repository = proposed(team)
    team.sign_with("ann")
    team.repo.git("branch", "-f", "base")
    assert approve(repository, "inbox/n.md", apply=True).applied
    assert b"status: active" in team.repo.read("inbox/n.md")
    assert told(team) == [] and team.repo.status() == ""


@pytest.mark.parametrize("by", ["mallory", "bot", "", "missing"])
def test_an_approval_without_a_listed_key_is_refused_and_leaves_no_trace(team, by):
    repository = proposed(team)
    before = everything(team.repo)
    team.keys = {**team.keys, "missing": team.repo.path(".git/no-key")}
    team.sign_with(by)
    with pytest.raises(PolicyError) as refused:
        approve(repository, "inbox/n.md", apply=True)
    assert "git config user.signingKey" in refused.value.hint
    assert "git config gpg.format ssh" in refused.value.hint
    assert everything(team.repo) == before
    assert read_journal(repository.state_dir) == ()


def test_a_restoration_is_signed_too(team):
    team.save({"a.md": TOMB})
    repository = open_repository(str(team.repo.top))
    head = team.repo.head()
    with pytest.raises(PolicyError):
        restore(repository, "a.md", why="it was right", apply=True)
    assert team.repo.head() == head
    team.sign_with("ann")
    team.repo.git("branch", "-f", "base")
    assert restore(repository, "a.md", why="it was right", apply=True).applied
    assert told(team) == []


def retracted(team):
    """What `retract --apply` of the one memory told."""
    repository = open_repository(str(team.repo.top))
    return retract(repository, "a.md", why="it was the pool", apply=True).notices


def test_a_retraction_is_signed_by_a_person_who_may_approve(team):
    team.sign_with("ann")
    assert not any(SIGNERS in told for told in retracted(team))
    assert told(team) == []


@pytest.mark.parametrize("by", ["", "bot", "mallory"])
def test_a_retraction_waits_for_nobodys_key_and_says_what_that_means(team, by):
    team.sign_with(by)
    notices = retracted(team)
    assert any(SIGNERS in told and "merge" in told for told in notices)
    assert read_memory("a.md", team.repo.show("HEAD", "a.md")).status == "retracted"
    assert [rule for _, rule in told(team)] == ["approval-unsigned"]
    assert team.repo.status() == ""


def examined(team):
    health = doctor(open_repository(str(team.repo.top)))
    (found,) = [check for check in health.checks if check.id == "approvals-signed"]
    return found


def test_doctor_names_what_nobody_signed_until_somebody_does(team):
    assert examined(team).ok
    team.save({"n.md": NEW})
    team.save({".memtools.toml": "[approval]\nprotected = []\n", "o.md": NEW})
    found = examined(team)
    assert not found.ok and found.hint
    assert all(path in found.message for path in ("n.md", "o.md", ".memtools.toml"))
    assert not examined(team).ok
    team.save({".memtools.toml": SETTINGS, "n.md": NEW + "!\n", "o.md": NEW + "!\n"}, "ann")
    assert examined(team).ok
    team.repo.git("reset", "-q", "--hard", "base")
    assert examined(team).ok


def test_doctor_asks_for_no_signature_where_none_is_set(repo):
    repo.save({"n.md": NEW})
    health = doctor(open_repository(str(repo.top)))
    (found,) = [check for check in health.checks if check.id == "approvals-signed"]
    assert found.ok and "no signature" in found.message
