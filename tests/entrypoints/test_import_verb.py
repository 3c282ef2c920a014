"""`import` as a person types it."""

import json

SECRET = "ghp_" + "P7v664kVJu3A7FAKE4uVNYgULXmNp4RrFcJr"


def test_it_lists_what_would_enter_and_then_stores_it(sandbox, tmp_path):
    (tmp_path / "memory").mkdir()
    (tmp_path / "memory" / "deploys.md").write_text("Deploys run on Tuesdays.\n")
    args = ("import", "claude", str(tmp_path / "memory"))
    shown = sandbox.memtools(*args)
    assert "review\tgate-not-sure-enough\tinbox/deploys.md\tdeploys.md\n" in shown.out
    assert sandbox.status() == ""
    done = json.loads(sandbox.memtools(*args, "--apply", "--json").out)
    assert (done["applied"], done["entries"][0]["path"]) == (True, "inbox/deploys.md")
    assert json.loads(sandbox.memtools(*args, "--apply", "--json").out)["known"] == 1


def test_rows_may_come_from_standard_input(sandbox):
    row = json.dumps({"title": "Lift", "text": "The lift is slow."})
    found = json.loads(sandbox.memtools("import", "ndjson", "-", "--json", input=row).out)
    assert found["entries"][0]["place"] == "-:1"


def test_a_rejected_entry_is_exit_1_and_never_printed(sandbox, tmp_path):
    (tmp_path / "vault").mkdir()
    (tmp_path / "vault" / "key.md").write_text(f"Use {SECRET} .\n")
    result = sandbox.memtools("import", "obsidian", str(tmp_path / "vault"), "--apply", code=1)
    assert "reject\tgate-secret\t-\tkey.md\n" in result.out
    assert SECRET[4:] not in result.out + result.err


def test_wrong_usage_is_2(sandbox):
    for args in ([], ["claude"], ["notion", "."], ["claude", "missing"]):
        sandbox.memtools("import", *args, code=2)
