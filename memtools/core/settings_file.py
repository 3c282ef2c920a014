"""The bytes of a settings file: its TOML values, and the line each key stands in.

Knows no setting by name; tomllib tells values but not where they stand.
"""

from __future__ import annotations

import re

from memtools.core.wording import Said, say

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    Keys = tuple[str, ...]

MAX_BYTES = 256 * 1024
# Patterns as text: compiled when a settings file is read, not when a hook starts.
_TABLE = r"\s*\[([^\[\]]+)\]\s*(?:#.*)?$"
_KEY = r"""\s*((?:[\w-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[\w-]+|"[^"]*"|'[^']*'))*)\s*="""
_STEP = r"""[\w-]+|"[^"]*"|'[^']*'"""
_PLACE = r"\s*\(at (?:line (\d+), column \d+|end of document)\)"


def read_toml(raw: bytes) -> tuple[dict[str, object], Said | None, int]:
    """The values; or what is wrong with the whole file, and in which line (0: none)."""
    if len(raw) > MAX_BYTES:
        return {}, say("the settings are larger than {size} bytes", size=MAX_BYTES), 0
    if raw.isascii() and _says_nothing(raw):
        return {}, None, 0
    import tomllib

    try:
        return tomllib.loads(raw.decode("utf-8-sig")), None, 0
    except UnicodeDecodeError as error:
        return {}, say("the settings are not UTF-8"), raw.count(b"\n", 0, error.start) + 1
    except RecursionError:
        return {}, say("the settings are nested too deeply"), 0
    except ValueError as error:
        reason = str(error)
        line = raw.rstrip().count(b"\n") + 1
        if place := re.search(_PLACE, reason):
            line, reason = int(place[1] or line), reason[: place.start()]
        return {}, say("the settings are not valid TOML: {reason}", reason=reason), line


def _says_nothing(raw: bytes) -> bool:
    """Only comments, as `init` writes it? Then tomllib need not be loaded to read it."""
    if not raw.replace(b"\n", b"").decode().isprintable():
        return False
    return all(not line or line.startswith(b"#") for line in raw.split(b"\n"))


def key_lines(raw: bytes) -> dict[Keys, int]:
    """Where each key of a settings file stands: its names from the outside in -> line, from 1."""
    lines: dict[Keys, int] = {}
    table: Keys = ()
    for number, text in enumerate(raw.decode("utf-8-sig", "replace").splitlines(), 1):
        if match := re.match(_TABLE, text):
            table = _steps(match[1])
            lines.setdefault(table, number)
        elif match := re.match(_KEY, text):
            lines.setdefault((*table, *_steps(match[1])), number)
    return lines


def line_of(lines: Mapping[Keys, int], keys: Keys) -> int:
    """The line of a key, or of the innermost table around it that is written down."""
    return next((lines[keys[:n]] for n in range(len(keys), 0, -1) if keys[:n] in lines), 0)


def _steps(text: str) -> Keys:
    return tuple(step.strip("\"'") for step in re.findall(_STEP, text))
