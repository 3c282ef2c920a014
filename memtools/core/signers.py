"""The file of allowed signers: which of its lines name persons, and so may approve.

Must not know keys beyond their text, nor who signed what.
"""

from __future__ import annotations

import re

AGENT = "agent:"
REVOKED = ".revoked"  # beside the file: keys that approve nothing any more
# The key of a line in OpenSSH's form: every one begins with the length of its type's name.
_KEY = re.compile(rb"(?<![A-Za-z0-9+/=])AAAA[A-Za-z0-9+/]+=*")


def persons(raw: bytes) -> bytes:
    """The file (allowed-signers format, ssh-keygen(1)) without the keys of agents.

    A line one of whose principals begins with `agent:` is an agent's; its key is one wherever else
    it stands.
    """
    lines = raw.splitlines()
    agents = {key for line in lines if _is_agents(line) for key in _KEY.findall(line)}
    kept = [
        line for line in lines if not _is_agents(line) and agents.isdisjoint(_KEY.findall(line))
    ]
    return b"".join(line + b"\n" for line in kept)


def is_agent(principal: str) -> bool:
    """Is this the name of an agent?"""
    return principal.strip().lower().startswith(AGENT)


def _is_agents(line: bytes) -> bool:
    line = line.strip()
    names = line[1:].partition(b'"')[0] if line[:1] == b'"' else line.split(None, 1)[:1]
    text = names if isinstance(names, bytes) else b"".join(names)
    return any(is_agent(name.decode("utf-8", "replace")) for name in text.split(b","))
