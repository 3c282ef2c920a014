"""Repositories that attack whoever reads them, and the alarm that tells when one succeeds.

Each plant is one kind of exploit: it is put into a repository of memories, and every program it
names is the alarm. Outside stand files that nobody may touch.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import NamedTuple

from tests.helpers import Sandbox

PHRASE = "the resolver of the sync was overloaded"
MEMORIES = {
    "notes/dns.md": f"---\npriority: high\n---\n# DNS\n\nLast week {PHRASE}.\n",
    "notes/cold.md": "---\nid: cold\n---\n# Cold\n\nThe cache of the parser was cold.\n",
    "notes/wait.md": "---\nstatus: candidate\n---\n# Wait\n\nThe pool waits for a person.\n",
}
AGENTS = "# Agents\n\n<!-- memtools:begin -->\n<!-- memtools:end -->\n"
SECRET = "The word outside is heliotrope."
# What may be run: the path of a memory with bytes git would print quoted is no exploit of ours.
ESCAPES = ("\x1b", "\x9b", "\x07", "\u202e", "\u2066", "\u2028")


class Alarm(NamedTuple):
    """Where it is, and what stands outside: `fired` names each program that was started."""

    folder: Path

    def program(self, name: str) -> str:
        """A command line for a shell or for git, which says that it was started."""
        return f"{self.folder / 'alarm'} {name}"

    @property
    def outside(self) -> Path:
        return self.folder / "outside"

    def fired(self) -> str:
        log = self.folder / "fired"
        return log.read_text() if log.exists() else ""

    def quiet(self) -> None:
        """Forget what git itself started while the repository was made."""
        (self.folder / "fired").unlink(missing_ok=True)

    def standing(self) -> dict[str, tuple[int, int, bytes]]:
        """All that stands outside: mode, time of change, bytes."""
        found = {}
        for path in sorted(self.outside.rglob("*")):
            seen = path.lstat()
            data = path.read_bytes() if stat.S_ISREG(seen.st_mode) else b""
            found[str(path)] = (seen.st_mode, seen.st_mtime_ns, data)
        return found


def new_alarm(folder: Path) -> Alarm:
    """The program, and a folder with files as a repository of memories has them."""
    made = Alarm(folder)
    made.outside.mkdir(parents=True)
    program = folder / "alarm"
    program.write_text(f'#!/bin/sh\nprintf "%s\\n" "$*" >>"{folder / "fired"}"\n')
    program.chmod(0o755)
    for name in ("secret.md", "dns.md", "AGENTS.md"):
        (made.outside / name).write_text(f"# Secret\n\n{SECRET}\n")
    return made


def _set(repo: Sandbox, **values: str) -> None:
    for key, value in values.items():
        repo.git("config", key.replace("__", "."), value)


def programs_of_the_configuration(repo: Sandbox, alarm: Alarm) -> None:
    """Whatever `.git/config` can name; parts of it come by `include.path`."""
    included = [
        f"[core]\n\tfsmonitor = {alarm.program('fsmonitor')}\n",
        f"\teditor = {alarm.program('editor')}\n\tpager = {alarm.program('pager')}\n",
        f"\taskPass = {alarm.program('askpass')}\n",
        f"\talternateRefsCommand = {alarm.program('alternates')}\n",
        f"[gc]\n\trecentObjectsHook = {alarm.program('gc')}\n",
    ]
    repo.write(".git/more", "".join(included))
    _set(repo, include__path="more", core__untrackedCache="true")
    for verb in ("log", "diff", "show", "grep"):
        repo.git("config", f"pager.{verb}", alarm.program(f"pager-{verb}"))
    for verb in ("log", "ls-files", "rev-parse", "cat-file", "search"):
        repo.git("config", f"alias.{verb}", f"!{alarm.program(f'alias-{verb}')}")
    repo.git("update-index", "--fsmonitor")


def programs_for_differences(repo: Sandbox, alarm: Alarm) -> None:
    """External diff, textconv and merge drivers, named by an attributes file of the tree."""
    _set(
        repo,
        diff__external=alarm.program("external"),
        diff__evil__command=alarm.program("command"),
        diff__evil__textconv=alarm.program("textconv"),
        diff__evil__cachetextconv="true",
        merge__evil__driver=alarm.program("merge"),
        merge__default="evil",
        interactive__diffFilter=alarm.program("filter"),
    )
    repo.save({".gitattributes": "*.md diff=evil merge=evil\n"}, "Attributes")


def programs_for_signatures(repo: Sandbox, alarm: Alarm) -> None:
    """Commits that look signed, and a configuration that has every one looked at."""
    _set(
        repo,
        log__showSignature="true",
        gpg__program=alarm.program("gpg"),
        gpg__openpgp__program=str(alarm.folder / "alarm"),
        gpg__x509__program=str(alarm.folder / "alarm"),
        gpg__ssh__program=str(alarm.folder / "alarm"),
        gpg__ssh__defaultKeyCommand=alarm.program("key"),
        gpg__ssh__allowedSignersFile=str(alarm.outside / "secret.md"),
    )
    tree = repo.git("rev-parse", "HEAD^{tree}").out.strip()
    for kind in ("PGP", "SSH"):
        signature = f"-----BEGIN {kind} SIGNATURE-----\n aaaa\n -----END {kind} SIGNATURE-----"
        who = "Ann <ann@example.com> 1700000000 +0000"
        raw = (
            f"tree {tree}\nparent {repo.head()}\nauthor {who}\ncommitter {who}\n"
            f"gpgsig {signature}\n\nSigned\n"
        )
        made = repo.git("hash-object", "-t", "commit", "-w", "--stdin", input=raw).out.strip()
        repo.git("update-ref", "HEAD", made)
    repo.save({"allowed": "ann@example.com ssh-ed25519 AAAA\n"}, "Signers")
    repo.save({".memtools.toml": '[approval]\nallowed_signers = "allowed"\n'}, "Settings")


def filters(repo: Sandbox, alarm: Alarm) -> None:
    """Clean, smudge and process filters for files that git has to look at again."""
    lines = "*.md filter=evil\nnotes/cold.md filter=other=odd\n"
    repo.save({".gitattributes": lines}, "Attributes")
    for name in ("evil", "other=odd"):
        for part in ("clean", "smudge", "process"):
            if (name, part) != ("evil", "process"):
                repo.git("config", f"filter.{name}.{part}", alarm.program(f"{name}-{part}"))
        repo.git("config", f"filter.{name}.required", "true")
    _touch(repo)


def _touch(repo: Sandbox) -> None:
    """Nothing changed, and git cannot know."""
    for path in MEMORIES:
        os.utime(repo.path(path), ns=(1, 1))


def hooks_of_the_tree(repo: Sandbox, alarm: Alarm) -> None:
    """Tracked hooks, and `core.hooksPath` that leads to them."""
    stages = "pre-commit post-commit post-checkout post-index-change reference-transaction pre-push"
    for stage in stages.split():
        repo.write(f"hooks/{stage}", f"#!/bin/sh\n{alarm.program(stage)}\n").chmod(0o755)
    repo.stage("hooks")
    repo.commit("Hooks")
    _set(repo, core__hooksPath="hooks")
    _touch(repo)


def symlinks(repo: Sandbox, alarm: Alarm) -> None:
    """A memory, a folder of memories, settings and rendered files that lead outside."""
    repo.path("leaf.md").symlink_to(alarm.outside / "secret.md")
    repo.path("folder").symlink_to(alarm.outside)
    repo.stage()
    repo.commit("Links")
    # A parent of tracked files became a link: git still has `notes/dns.md` as a file.
    repo.path("notes").rename(repo.path("was"))
    repo.path("notes").symlink_to(alarm.outside)
    repo.path("AGENTS.md").unlink()
    repo.path("AGENTS.md").symlink_to(alarm.outside / "AGENTS.md")


def names_that_lead_out(repo: Sandbox, alarm: Alarm) -> None:
    """`..` and absolute names: in a tree, in addresses, markers and settings."""
    blob = repo.git("hash-object", "-w", "--stdin", input=f"# Out\n\n{SECRET}\n").out.strip()
    inner = repo.git("mktree", input=f"100644 blob {blob}\tsecret.md\n").out.strip()
    listed = repo.git("ls-tree", "HEAD").out + f"040000 tree {inner}\t..\n"
    tree = repo.git("mktree", input=listed).out.strip()
    commit = repo.git("commit-tree", tree, "-p", "HEAD", "-m", "Out").out.strip()
    repo.git("branch", "out", commit)
    secret = alarm.outside / "secret.md"
    away = os.path.relpath(secret, repo.top)
    settings = f'roots = [".", "{away}", "{alarm.outside}"]\n[stores]\nfar = ["{alarm.outside}"]\n'
    text = f"---\nderived_from: [{away}, {secret}]\n---\n# Way\n\nRETRACTS: {away}\n"
    repo.save({".memtools.toml": settings, "notes/way.md": text}, "Away")
    repo.save({"notes/abs.md": f"# Abs\n\nRETRACTS: {secret}\n\n[[{away}]]\n"}, "Absolute")


def names_like_options(repo: Sandbox, alarm: Alarm) -> None:
    """Files and branches that begin with a hyphen."""
    program = alarm.program("upload").replace("/", "\u2215")
    names = (f"--upload-pack={program}.md", "-n.md", "--output=x.md", "--ext-diff.md", "-.md")
    body = "---\npriority: high\n---\n# Option\n\nThe resolver is an option.\n"
    repo.save({name: body + name for name in names}, "Options")
    marks = {f"fix{at}.md": f"# Fix\n\nRETRACTS: {name}\n" for at, name in enumerate(names)}
    repo.save(marks, "Markers")
    for name in ("refs/heads/memory/--output=x", "refs/heads/-x"):
        repo.git("update-ref", name, "HEAD")
    repo.write("--output=x.md", "Changed.\n")


def names_for_terminals(repo: Sandbox, alarm: Alarm) -> None:
    """Line breaks, escape sequences and bidi marks in names, titles, settings and subjects."""
    evil = "\x1b]0;pwned\x07\x1b[2J\u202emd.exe\u2066\u200b\u2028\x9b"
    for at, name in enumerate((f"a\n{evil}.md", f"notes/{evil}.md", f"{evil}/x.md")):
        head = f"---\npriority: high\ntitle: {_yaml(evil)}\ntags: [{_yaml(evil)}]\n---\n"
        repo.write(name, f"{head}# {evil}\n\nThe resolver {at} is here {evil}.\n")
    repo.write("bad.md", f"---\nstatus: {_yaml(evil)}\nid: {_yaml(evil)}\n---\n# Bad {evil}\n")
    repo.write("mark.md", f"# M {evil}\n\nRETRACTS: no such text {evil} anywhere\n")
    repo.write(".memtools.toml", f'"{_toml(evil)}" = "{_toml(evil)}"\n')
    repo.stage()
    repo.commit(f"Subject {evil}", env={"GIT_AUTHOR_NAME": "Ann \x1b[31m\u202e"})
    repo.git("branch", "memory/\u202eevil")


def _yaml(text: str) -> str:
    return '"' + "".join(c if c.isalnum() else f"\\u{ord(c):04x}" for c in text) + '"'


def _toml(text: str) -> str:
    return "".join(c if c.isalnum() else f"\\u{ord(c):04X}" for c in text)


def yaml_tags(repo: Sandbox, alarm: Alarm) -> None:
    """Tags that a loader which is not safe would call."""
    program = alarm.program("yaml")
    tags = {
        "apply": f"!!python/object/apply:os.system ['{program}']",
        "new": f"!!python/object/new:os.system ['{program}']",
        "module": "!!python/module:antigravity",
        "name": "!!python/name:os.system",
        "ruby": f"!ruby/object:Gem::Installer\n  i: {program}",
    }
    for key in ("status", "title", "priority", "x"):
        for name, tag in tags.items():
            repo.write(f"yaml/{key}-{name}.md", f"---\n{key}: {tag}\n---\n# Tag\n\nresolver\n")
    repo.stage()
    repo.commit("Tags")


def bombs(repo: Sandbox, alarm: Alarm) -> None:
    """Aliases that grow without end, many keys, deep nesting; in TOML, too."""
    laughs = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n" + "".join(
        f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 10)
    )
    repo.write("laughs.md", f"---\n{laughs}status: *a9\n---\nresolver\n")
    repo.write("keys.md", "---\n" + "".join(f"k{n}: {n}\n" for n in range(100_000)) + "---\nx\n")
    repo.write("deep.md", "---\nx: " + "[" * 5000 + "]" * 5000 + "\n---\nresolver\n")
    repo.write("self.md", "---\nx: &x {y: *x}\ntags: &t [*t]\n---\nresolver\n")
    repo.write("merge.md", "---\nx: &x {<<: *x}\n<<: *x\n---\nresolver\n")
    repo.write("quotes.md", "> " * 20_000 + "x\n\nRETRACTS: resolver of nobody\n")
    repo.write(".memtools.toml", "x = " + "[" * 3000 + "]" * 3000 + "\n")
    repo.stage()
    repo.commit("Bombs")


def remotes(repo: Sandbox, alarm: Alarm) -> None:
    """A remote that runs programs, and objects that git would fetch from it (a partial clone)."""
    blob = repo.git("rev-parse", "HEAD~1:notes/cold.md").out.strip()
    repo.write("notes/cold.md", "# Cold\n\nThe cache was warm.\n")
    repo.stage()
    repo.commit("Warm")
    repo.path(f".git/objects/{blob[:2]}/{blob[2:]}").unlink()
    url = f"ext::{alarm.program('ext')}"
    _set(
        repo,
        remote__origin__url=url,
        remote__origin__fetch="+refs/heads/*:refs/remotes/origin/*",
        remote__origin__promisor="true",
        remote__origin__uploadpack=alarm.program("uploadpack"),
        extensions__partialClone="origin",
        core__repositoryFormatVersion="1",
        protocol__ext__allow="always",
        protocol__allow="always",
        core__sshCommand=alarm.program("ssh"),
        core__gitProxy=alarm.program("proxy"),
        credential__helper=f"!{alarm.program('credential')}",
        memtools__readRef="origin/main",
    )
    repo.git("update-ref", "refs/remotes/origin/main", "HEAD")


def remotes_over_ssh(repo: Sandbox, alarm: Alarm) -> None:
    """The same with an address that looks like any other."""
    remotes(repo, alarm)
    _set(repo, remote__origin__url="git@example.invalid:notes.git")
    _set(repo, remote__origin__receivepack=alarm.program("receivepack"))


def submodules(repo: Sandbox, alarm: Alarm) -> None:
    """Modules with evil addresses, one of them there, with a configuration of its own."""
    program = alarm.program("module")
    modules = f"""\
[submodule "one"]
\tpath = one.md
\turl = ext::{program}
\tignore = none
[submodule "two"]
\tpath = ../outside
\turl = --upload-pack={program}
"""
    repo.write(".gitmodules", modules)
    inner = Sandbox(repo.path("one.md"))
    inner.top.mkdir()
    inner.git("init", "-q", "-b", "main")
    inner.save({"inner.md": "# Inner\n\nThe resolver within.\n"})
    repo.stage(".gitmodules")
    repo.git("-c", "protocol.allow=always", "add", "one.md")
    repo.commit("Modules")
    _set(repo, submodule__one__url=f"ext::{program}")
    _set(inner, core__fsmonitor=alarm.program("inner-fsmonitor"))
    _set(inner, filter__evil__clean=alarm.program("inner-clean"))
    inner.write(".git/info/attributes", "* filter=evil\n")
    os.utime(inner.path("inner.md"), ns=(1, 1))


def pull_request(repo: Sandbox, alarm: Alarm) -> None:
    """Settings of tools and of ours that come with the change that is judged."""
    program = alarm.program("framework")
    away = alarm.outside / "secret.md"
    hook = f"{{id: x, name: x, language: system, entry: {program}, always_run: true}}"
    repo.save(
        {
            ".pre-commit-config.yaml": f"repos: [{{repo: local, hooks: [{hook}]}}]\n",
            ".pre-commit-hooks.yaml": f"- {hook}\n",
            "sitecustomize.py": f"import os; os.system({program!r})\n",
            "memtools/__init__.py": f"import os; os.system({program!r})\n",
            "tantivy.py": f"import os; os.system({program!r})\n",
            "yaml/__init__.py": f"import os; os.system({program!r})\n",
            "git.py": f"import os; os.system({program!r})\n",
            ".envrc": program,
            ".memtools.toml": f"""\
roots = ["/", ".."]
read_ref = "--upload-pack={program}"
[approval]
allowed_signers = "{away}"
protected = ["--output=x"]
[gate]
auto_confidence = 0.0
[vocabulary.status]
retracted = "active"
""",
        },
        "Pull request",
    )


VARIABLES = ("EXTERNAL_DIFF", "PAGER", "EDITOR", "SEQUENCE_EDITOR", "SSH_COMMAND", "SSH", "ASKPASS")


def variables(alarm: Alarm) -> dict[str, str]:
    """Variables of git that name programs, or change what names and settings mean."""
    monitor = alarm.program("variable-fsmonitor")
    return {
        **{f"GIT_{name}": alarm.program(f"variable-{name}") for name in VARIABLES},
        "GIT_PROXY_COMMAND": alarm.program("variable-proxy"),
        "GIT_CONFIG_COUNT": "2",
        "GIT_CONFIG_KEY_0": "core.fsmonitor",
        "GIT_CONFIG_VALUE_0": monitor,
        "GIT_CONFIG_KEY_1": "log.showSignature",
        "GIT_CONFIG_VALUE_1": "true",
        "GIT_CONFIG_PARAMETERS": f"'core.fsmonitor={monitor}' 'diff.external={monitor}'",
        "GIT_GLOB_PATHSPECS": "1",
        "GIT_DIFF_OPTS": "--unified=9",
        "GIT_ALLOW_PROTOCOL": "ext:file",
    }


def hostile_variables(repo: Sandbox, alarm: Alarm) -> None:
    """Only what `variables` sets; the repository holds attributes and touched files."""
    repo.save({".gitattributes": "*.md diff=evil\n"}, "Attributes")
    _touch(repo)


KINDS = {
    "programs of the configuration": programs_of_the_configuration,
    "programs for differences": programs_for_differences,
    "programs for signatures": programs_for_signatures,
    "filters": filters,
    "hooks of the tree": hooks_of_the_tree,
    "symlinks": symlinks,
    "names that lead out": names_that_lead_out,
    "names like options": names_like_options,
    "names for terminals": names_for_terminals,
    "yaml tags": yaml_tags,
    "bombs": bombs,
    "remotes that run programs": remotes,
    "remotes over ssh": remotes_over_ssh,
    "submodules": submodules,
    "pull request": pull_request,
    "hostile variables": hostile_variables,
}
