"""Passwords and keys that are spelled out behind a word that names them, in English and Japanese.

Must not take words about passwords for passwords: the value itself has to look like one.
"""

from __future__ import annotations

from itertools import pairwise

from memtools.core.pattern import lazy
from memtools.core.screen_secrets import is_placeholder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_NAMES = (
    r"(?:pass(?:word|wd|phrase|code)|(?<![A-Za-z])pwd(?![A-Za-z])"
    r"|(?:api|access|secret|private|auth|client|signing|encryption)[ _-]?(?:key|token|secret)"
    r"|(?<![A-Za-z])(?:secret|token|credentials?)(?![A-Za-z])|(?<=[A-Za-z]_)pat(?![A-Za-z])"
    r"|パスワード|パスフレーズ|パスコード|合言葉"
    r"|(?:API|アクセス|秘密|共有|認証|暗号)[ ]?(?:キー|鍵)|シークレット|トークン|認証情報)"
)
_LINK = (
    r"[\"'`*_)\]」』]{0,3}[ ]{0,3}(?:(?:is|was|are|to|as)(?:[ ](?:now|still|set[ ]to))?[ ]{0,2}:?"
    r"|:=|=>?|:|は|が|を|に)[ ]{0,3}[\"'`*_(\[「『]{0,3}"
)
# A value ends at a blank, a quote or the first character that is no ASCII. What follows it in
# Japanese must not turn it into the means of something (`Argon2id で`).
_SPELLED = lazy(
    rf"(?i:{_NAMES}){_LINK}(?P<value>[!-~]{{6,200}}+)(?![ ]{{0,2}}(?:で(?!す|あ)|の|から|が|を使))",
)
_PIN = lazy(
    r"(?i:暗証番号|(?<![A-Za-z])PIN(?:[ ]?(?:code|number|コード))?|パスコード|passcode)"
    r"[ ]{0,2}(?:is|は|が|:|=)[ ]{0,2}[\"'`「]?[0-9]{4,8}(?![0-9A-Za-z桁文字.-])"
)
_STRONG = frozenset("!#%&*+?@^~|$=")
# A call, an index, a variable to be filled in, an address, an option: code, no value.
_CODE = lazy(
    r"[A-Za-z_][\w.]*[(\[{]|\$[A-Za-z_{(]|[<{]|%[A-Za-z_(]+[%)]|https?:|@[A-Za-z]+[./]"
    r"|--?[a-z]+[= ]"
)
# A place: words with at most some figures behind them, and at least one slash.
_PART = r"(?:(?:[A-Z]?[a-z]++|[A-Z]++)[0-9]*+|[0-9]++)"
_PATH = lazy(rf"(?=[^/]*+/)(?:[~.]{{1,2}}/|/)?\.?{_PART}(?:[-_.:/#@+,]{{1,2}}{_PART})*+/?")
# `export X_TOKEN=`: what stands behind is a value, whatever it looks like.
_SET = lazy(r"(?<![A-Za-z0-9])[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+[ ]?=[ ]?[\"'`]?\Z")
_BEFORE = 80
_LONG = 20  # characters of a value that nobody types by hand
# Where programs take a password without a word that says so.
_TYPED = lazy(
    r"(?<![A-Za-z0-9_-])(?:sshpass[ ]+-p[ ]?"
    r"|curl[ ][^\n|;]{0,200}?(?<=[ ])(?:-u|--user)[ =]?[\"']?[^\s:\"']{1,80}:"
    r"|mysql(?:dump|admin)?[ ](?:[^\n|;]{0,200}?[ ])?-p|login[ ]\S{1,80}[ ]password[ ])"
    r"[\"']?(?P<value>[!-~]{6,200}+)"
)
_DASHED_WORDS = lazy(r"(?:[A-Z]?[a-z]+|[A-Z]+|[0-9]+)(?:[-_.:/](?:[A-Z]?[a-z]+|[A-Z]+|[0-9]+))*")


def passwords_in(plain: str) -> Iterator[tuple[str, int]]:
    """(name, offset) of each password or key behind a word that says so."""
    for match in _SPELLED.finditer(plain):
        value = match["value"].strip("\"'`*_,;.:()[]")
        name = _judge(value)
        before = plain[max(0, match.start("value") - _BEFORE) : match.start("value")]
        if name and len(value) >= _LONG and _SET.search(before):
            name = "password"
        if name:
            yield name, match.start("value")
    for match in _TYPED.finditer(plain):
        if name := _judge(match["value"].strip("\"'")):
            yield name, match.start("value")
    for match in _PIN.finditer(plain):
        yield "pin", match.start()


def _judge(value: str) -> str:
    """Password when the value looks made up by a generator, password-like when it may be."""
    if len(value) < 6 or is_placeholder(value) or len(set(value)) < 5:
        return ""
    if _CODE.match(value) or _PATH.fullmatch(value):
        return ""
    kinds = [_kind_of(ch) for ch in value]
    turns = sum(1 for one, other in pairwise(kinds) if one != other)
    strong = _STRONG.intersection(value)
    if len(value) >= 8 and turns >= 4 and len(set(kinds) - {"mild"}) >= 3:
        return "" if _DASHED_WORDS.fullmatch(value) else "password"
    has_both = {"digit"} < set(kinds) - {"mild"}
    return "password-like" if turns and (strong or (has_both and len(value) >= 8)) else ""


def _kind_of(ch: str) -> str:
    if ch.isdigit():
        return "digit"
    if ch.isalpha():
        return "upper" if ch.isupper() else "lower"
    return "strong" if ch in _STRONG else "mild"
