"""The file of allowed signers: which of its lines name persons, and so may approve.

Must not know keys beyond their text, nor who signed what.
"""

from __future__ import annotations

import codecs
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
    lines = _lines(raw)
    agents = {key for line in lines if _is_agents(line) for key in _KEY.findall(line)}
    kept = [
        line for line in lines if not _is_agents(line) and agents.isdisjoint(_KEY.findall(line))
    ]
    return b"".join(line + b"\n" for line in kept)


def agents_keys(raw: bytes) -> frozenset[str]:
    """The fingerprints of agents' keys, as ssh-keygen prints them.

    By them a key is known that a certificate vouches for, whoever that calls it.
    """
    lines = _lines(raw)
    return frozenset(
        _fingerprint(key) for line in lines if _is_agents(line) for key in _KEY.findall(line)
    )


def is_agent(principal: str) -> bool:
    """Is this the name of an agent?"""
    return principal.strip().lower().startswith(AGENT)


def _lines(raw: bytes) -> list[bytes]:
    """As ssh-keygen sees them: a carriage return alone ends none, and a BOM names nobody."""
    text = raw.removeprefix(codecs.BOM_UTF8).removesuffix(b"\n")
    return [line.rstrip(b"\r") for line in text.split(b"\n")] if text else []


def _fingerprint(key: bytes) -> str:
    from binascii import Error, a2b_base64, b2a_base64
    from hashlib import sha256

    try:
        digest = sha256(a2b_base64(key)).digest()
    except Error:
        return ""
    return "SHA256:" + b2a_base64(digest, newline=False).decode().rstrip("=")


def _is_agents(line: bytes) -> bool:
    line = line.strip()
    names = line[1:].partition(b'"')[0] if line[:1] == b'"' else line.split(None, 1)[:1]
    text = names if isinstance(names, bytes) else b"".join(names)
    return any(is_agent(name.decode("utf-8", "replace")) for name in text.split(b","))
