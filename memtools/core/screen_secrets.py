"""What must not be committed at all: secrets, found by their shape.

A finding names kind and line and never holds the secret. Only structured shapes (fixed prefixes,
key blocks): no entropy guess, which flags ordinary lines. A hook loads this: it must stay light,
and loads the other screens only for a text that may hold what they look for.
"""

from __future__ import annotations

import re
import unicodedata

from memtools.core.invisible import strip_invisible
from memtools.core.memory import Memory
from memtools.core.pattern import lazy
from memtools.core.problem import Problem, problem
from memtools.core.secret_names import WORDS
from memtools.core.secret_shapes import SHAPES
from memtools.core.wording import say

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from memtools.core.wording import Said

# What the issuers' own documents write in place of a value.
_PUBLISHED = (
    *("EXAMPLE", "xxxx", "XXXX", "0000000000"),
    *("4eC39HqLyjWDarjtT1zdp7dc", "BQokikJOvBiI2HlWgH4olfQ2"),
)
_PLACEHOLDERS = frozenset(
    (
        *("pass", "passwd", "password", "pw", "pwd", "secret", "token", "changeme", "example"),
        *("...", "xxx", "user", "yourpassword", "your-password", "your_password"),
    )
)
# Names of secrets and personal data that a person has to judge: the shape alone proves nothing.
DOUBTFUL = frozenset({"my-number-like", "card-number-like", "phone-like", "password-like"})
# Words without which screen_plugins finds nothing.
_ISSUED = (
    *("AccountKey=", "SG.", "sq0csp-", "T3BlbkFJ", "-us", "A3T", ":AA", "SK", "cloudant"),
    *("softlayer", "discord", "Discord", "SECRET", "secret"),
)
# Personal data has digits, or an at sign; dates and times are no reason to look closer.
_DATE = lazy(
    r"(?:19|20)[0-9]{2}-[01][0-9]-[0-3][0-9]"
    r"(?:[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]+)?)?(?:Z|[ ]?[+-][0-9]{2}:?[0-9]{2})?)?"
)
_FIGURES = lazy(
    r"[0-9](?:(?:[^0-9\n]{0,2}[0-9]){6}|[0-9]{3,4}[ ][A-ZÄÖÜ]|[0-9A-Z]?[ ][0-9][A-Z]{2})"
    r"|[A-Z]{2}[ ][0-9]{5}"
)
_PLACES = lazy(
    r"丁目|番地|番[ 0-9一二三四五六七八九十]{1,5}号"
    r"|[市区郡町村都道府県][^。\n]{0,30}[0-9][-ー\u2010-\u2015\u2212\u2500\ufe58][0-9]"
)
_SIGNS = (
    *("@", "%40", "at]", "at)", "at}", "AT]", "AT)", "アット", " dot ", "〒"),
    *("-ku", "-shi", "-cho", "-machi", "-gun", "-mura"),
    *("生年月日", "誕生日", "irth d", "irthdate", "f birth", "DOB", "dob:", "dob=", " dob "),
    *("eburtsdatum", "naissance"),
    *("nacimiento", "出生", "생년", "рожд", "nsurance", "NI n", "sort code"),
)
# What shows nothing inside a word and is kept elsewhere: glyph choices, a blank pattern of Braille.
_GLYPH_CHOICE = lazy(
    "[\x85\u180b-\u180f\u2028\u2029\u2800\ufdd0-\ufdef\ufe00-\ufe0f\ufff0-\ufff8\ufffc\ufffe\uffff"
    "\U00013430-\U0001343f\U00016fe4\U0001bc9d\U0001bca0-\U0001bca3\U0001d159\U000e0080-\U000e0fff]+"
)
_SPACES = dict.fromkeys(map(ord, "\x0b\x0c\x1c\x1d\x1e\x1f"))  # between the letters of a word
_ESCAPED = lazy(r"\\(?=[_\-@.*~+:/])")
# Letters, figures, dashes, dots as HTML and addresses may write them; line ends stay.
_ENTITY = lazy(r"&#(?:x(?P<hex>[0-9A-Fa-f]{2,4})|(?P<number>[0-9]{2,5}));")
_PERCENT = lazy(r"%(?:2[DEde]|3[0-9]|4[1-9A-Fa-f]|5[0-9AFaf]|6[1-9A-Fa-f]|7[0-9Aa])")
# What all shapes but these begin with: most texts hold no word as long.
_RUN = lazy(r"(?<![A-Za-z0-9_.~+/=$:%?&-])[A-Za-z0-9_.~+/=$:%?&-]{15}")
_IN_PIECES = frozenset({"private-key", "url-password", "authorization-header"})
# What may be the Base64 of a text. A hash is some, too, but of no text.
_BASE64 = lazy(r"(?<![A-Za-z0-9+/_=-])[A-Za-z0-9+/_-]{20,}+={0,2}(?![A-Za-z0-9+/_-])")


def plain_text(text: str) -> str:
    """The text as screens read it: NFKC, nothing unseen, no Markdown escapes; the same lines."""
    if not text.isascii():
        text = _GLYPH_CHOICE.sub("", unicodedata.normalize("NFKC", text))
    text = strip_invisible(text)
    if any(map(text.__contains__, "\x0b\x0c\x1c\x1d\x1e\x1f")):
        text = text.translate(_SPACES)
    if "\\" in text:
        text = _ESCAPED.sub("", text)
    if "&#" in text:
        text = _ENTITY.sub(_character, text)
    return _PERCENT.sub(_letter, text) if "%" in text else text


def _character(entity: re.Match[str]) -> str:
    code = int(entity["hex"], 16) if entity["hex"] else int(entity["number"])
    return chr(code) if 0x20 < code < 0x7F else entity.group()


def _letter(code: re.Match[str]) -> str:
    return chr(int(code.group()[1:], 16))


def secrets_in(plain: str) -> Iterator[tuple[str, int]]:
    """(name, offset) of each secret of a known shape; `plain` comes from `plain_text`."""
    has_run = _RUN.search(plain) is not None
    for name, words, pattern in SHAPES:
        if not has_run and name not in _IN_PIECES:
            continue
        if not any(map(plain.__contains__, words)):
            continue
        for match in re.finditer(pattern, plain):
            if not is_placeholder(match[match.lastindex or 0]):
                yield name, match.start()


def wrapped_secrets_in(plain: str) -> Iterator[tuple[str, int]]:
    """("base64-secret", offset) of each Base64 of a text with a secret in it."""
    for match in _BASE64.finditer(plain):
        text = _unwrapped(match.group().rstrip("="))
        if text and next(all_secrets_in(text, is_wrapped=True), None):
            yield "base64-secret", match.start()


def _unwrapped(code: str) -> str:
    """The text a Base64 stands for, "" when it is none that people can read."""
    from binascii import Error, a2b_base64

    code = code.replace("-", "+").replace("_", "/")
    try:
        text = a2b_base64(code[: len(code) & ~3] if len(code) % 4 == 1 else code + "==").decode()
    except (Error, UnicodeDecodeError):
        return ""
    return text if text.replace("\n", "").replace("\r", "").isprintable() else ""


def is_placeholder(value: str) -> bool:
    """Is this what a document writes in place of a secret?"""
    return value.lower() in _PLACEHOLDERS or any(word in value for word in _PUBLISHED)


def find_secrets(memory: Memory) -> list[Problem]:
    """Secrets in header and body, by name and line; one a line."""
    return list(_certain(_found(memory, all_secrets_in), memory.path, _secret))


def find_personal(memory: Memory) -> list[Problem]:
    """Personal data beyond doubt in header and body, by name and line; one a line."""
    return list(_certain(_found(memory, _personal_in), memory.path, _personal))


def find_sensitive(memory: Memory) -> tuple[list[Problem], bool]:
    """Secrets and personal data, and: is there more whose shape alone does not prove it is?"""
    secrets, personal = _found(memory, all_secrets_in), _found(memory, _personal_in)
    found = [
        *_certain(secrets, memory.path, _secret),
        *_certain(personal, memory.path, _personal),
    ]
    return found, any(name in DOUBTFUL for _, name in (*secrets, *personal))


def _found(
    memory: Memory, detector: Callable[[str], Iterator[tuple[str, int]]]
) -> list[tuple[int, str]]:
    """(line, name) of all that a detector finds, in its order."""
    rows = []
    for text, first in ((memory.header_text, memory.header_line), (memory.body, memory.body_line)):
        if not text:
            continue
        plain = plain_text(text)
        rows += [(first + plain.count("\n", 0, at), name) for name, at in detector(plain)]
    return rows


def _certain(
    rows: list[tuple[int, str]], path: str, told: Callable[[str, int, str], Problem]
) -> Iterator[Problem]:
    """The problems of what is beyond doubt, by line, one a line."""
    first: dict[int, str] = {}
    for line, name in rows:
        if name not in DOUBTFUL:
            first.setdefault(line, name)
    for line, name in sorted(first.items()):
        yield told(path, line, name)


def all_secrets_in(plain: str, *, is_wrapped: bool = False) -> Iterator[tuple[str, int]]:
    """(name, offset) of each secret; what cannot find anything is not loaded."""
    yield from secrets_in(plain)
    if not is_wrapped:
        yield from wrapped_secrets_in(plain)
    lowered = plain.lower()
    if any(map(lowered.__contains__, WORDS)):
        from memtools.core.screen_passwords import passwords_in

        yield from passwords_in(plain)
    if any(map(plain.__contains__, _ISSUED)):
        from memtools.core.screen_plugins import plugin_secrets_in

        yield from plugin_secrets_in(plain)


def quotes_secret(text: str) -> bool:
    """Does a text that is to be shown hold what looks like a secret?"""
    return next(all_secrets_in(plain_text(text)), None) is not None


def _personal_in(plain: str) -> Iterator[tuple[str, int]]:
    if (
        any(map(plain.__contains__, _SIGNS))
        or _FIGURES.search(_DATE.sub("", plain))
        or (not plain.isascii() and _PLACES.search(plain))
    ):
        from memtools.core.screen import personal_in

        yield from personal_in(plain)


def _secret(path: str, line: int, name: str) -> Problem:
    what = say(
        "this line holds what looks like a secret ({kind}); take it out, then commit", kind=name
    )
    return problem(path, line, "secret-found", what, say("when it is none: git commit -n"))


def _personal(path: str, line: int, name: str) -> Problem:
    what = say("this line holds what looks like personal data ({kind})", kind=name)
    hint = say("agents are handed what memories say: leave it out unless you mean it to stay")
    return problem(path, line, "personal-data", what, hint)


def with_way_out(found: Iterable[Problem], hint: Said) -> list[Problem]:
    """The problems, secrets with another hint: `git commit -n` helps only before the commit."""
    return [one._replace(hint=hint) if one.rule == "secret-found" else one for one in found]


def without_echoes(found: list[Problem]) -> list[Problem]:
    """The problems without those that may quote a line in which a secret was found."""
    lines = {(one.path, one.line) for one in found if one.rule == "secret-found"}
    return [p for p in found if p.rule == "secret-found" or (p.path, p.line) not in lines]
