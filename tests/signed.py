"""Real ssh keys, and a repository in which only listed persons approve."""

from __future__ import annotations

from pathlib import Path

from tests.helpers import Sandbox, new_repository, run

SIGNERS = "ops/signers"
SETTINGS = f'[approval]\nallowed_signers = "{SIGNERS}"\n'


def make_keys(folder: Path, *names: str) -> dict[str, Path]:
    """New keys without a passphrase, by the name of who has them."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        path = str(folder / name)
        made = run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", name, "-f", path], folder)
        assert made.code == 0, made
    return {name: folder / name for name in names}


def public(key: Path) -> str:
    """Type and key, as a file of signers or of revoked keys has them."""
    return " ".join((key.parent / f"{key.name}.pub").read_text().split()[:2])


class Team:
    """Ann may approve; the bot and Mallory have keys of their own."""

    def __init__(self, repo: Sandbox, keys: dict[str, Path]) -> None:
        self.repo, self.keys = repo, keys

    def listed(self, *names: str, options: str = 'namespaces="git"') -> str:
        """A file of signers; a name with a colon is an agent's."""
        return "".join(
            f"{name} {options} {public(self.keys[name.split(':')[-1].split('@')[0]])}\n"
            for name in names
        )

    def sign_with(self, name: str) -> None:
        """Whose key `git commit -S` takes from now on; "": nobody's."""
        if not name:
            self.repo.git("config", "--unset", "user.signingKey", check=False)
            return
        self.repo.git("config", "gpg.format", "ssh")
        self.repo.git("config", "user.signingKey", str(self.keys[name]))

    def save(self, files: dict[str, str], by: str = "", message: str = "Change") -> str:
        """Commit files without hooks, signed by somebody or nobody; the commit."""
        for path, content in files.items():
            self.repo.write(path, content)
        self.repo.stage(*files)
        return self.commit(by, message)

    def commit(self, by: str = "", message: str = "Change") -> str:
        """Commit what is staged, signed by somebody or nobody; the commit."""
        if by:
            self.sign_with(by)
        self.repo.commit(message, "-n", *(["-S"] if by else []))
        return self.repo.head()


def new_team(folder: Path) -> Team:
    """On `main` (also called `base`): settings, signers and one memory."""
    keys = make_keys(folder / "keys", "ann", "bot", "mallory")
    made = Team(new_repository(folder / "repo"), keys)
    made.save(
        {
            ".memtools.toml": SETTINGS,
            SIGNERS: made.listed("ann@example.com", "agent:bot"),
            "a.md": "---\npriority: high\n---\nThe disk cache was the root cause.\n",
        }
    )
    made.repo.git("branch", "base")
    return made
