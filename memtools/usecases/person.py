"""Who is at the other end: the language a person reads, whether anybody watches, or an agent asks.

Must not know what is said to them. Light: every hook that has something to say loads it.
"""

from __future__ import annotations

import os
import sys
from functools import cache

from memtools.config import environ, read_variables
from memtools.errors import PolicyError, say
from memtools.git.run import Git, environment

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memtools.core.wording import Said

LANGUAGES = ("en", "ja")


def spoken_language(start: str = ".") -> str:
    """The language of messages to a person: "en" or "ja"."""
    variables = read_variables()
    chosen = variables.language
    if not chosen:
        configured = _git_settings(os.path.realpath(start)).get("memtools.lang", "")
        chosen = configured.strip().lower()[:2] or variables.locale
    return chosen if chosen in LANGUAGES else LANGUAGES[0]


def is_unattended(top: str) -> bool:
    """Does nobody watch a commit made here (rule 14b)?"""
    variables = read_variables()
    if variables.is_unattended:
        return True
    if variables.agent:  # it reads what is said, and rule 20 would hold nowhere in such a vault
        return False
    if sys.stderr is not None and sys.stderr.isatty():
        return False
    word = _git_settings(os.path.realpath(top)).get("memtools.unattended", "").lower()
    return word in ("true", "yes", "on") or word.lstrip("+-0").isdecimal()  # as git reads a bool


def require_person(refusal: Said) -> None:
    """Let no agent go on (rules 9 and 20); `refusal` says what it cannot do.

    Raises:
        PolicyError: an agent's session asks.
    """
    if read_variables().agent:
        raise PolicyError(refusal, say("ask the person to type it in a terminal of their own"))


@cache
def _git_settings(folder: str) -> dict[str, str]:
    """What git's configuration says about a person; asked once, a hook needs it twice."""
    asked = ("config", "-z", "--get-regexp", r"^memtools\.(lang|unattended)$")
    _, out, _ = Git(folder, environment(environ())).call(*asked)
    found = {}
    for entry in out.decode("utf-8", "replace").split("\0")[:-1]:
        name, has_value, value = entry.partition("\n")
        found[name] = value if has_value else "true"  # a bare name is git's way to say yes
    return found
