"""Passwords and keys that are spelled out behind a word that names them.

Must not take words about passwords for passwords: the value itself has to look like one.
"""

from __future__ import annotations

from itertools import pairwise

from memtools.core.pattern import lazy
from memtools.core.screen_secrets import is_placeholder
from memtools.core.secret_names import KEYS, PASSWORDS, WORDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_NAME = rf"(?i:(?P<own>{PASSWORDS})|{KEYS})"
_NAMED = lazy(_NAME)
# `password for the staging database is …`, `"password": "…"`, `| password | … |`, `name="…" value=`
_LINK = (
    r"(?:'s(?=[ ]))?(?:[ ]?\([^()\n]{1,20}\))?"
    r"(?:[ ](?:for|of)[ ](?:[^\n.:=]|\.(?=\S)){1,40}?)?[\"'`*_)\]」』]{0,3}[ ]{0,3}"
    r"(?:(?<![A-Za-z])(?:is|was|are|has|to|as|lautet|ist|est|es)(?![A-Za-z])"
    r"(?:[ ](?:now|still|been|changed|reset|set)){0,3}(?:[ ]to)?[ ]{0,2}:?"
    r"|:=|=>?|:|->|→|—|–|>|(?<=[ ])\|(?=[ ])|(?<=[^\x00-\x7f])\(|は|が|を|に|是|为|為"
    r"|,?\s{1,12}[\"']?value[\"']?[ ]?[:=]|(?=[ ][\"'`「]))[ \"'`*_(\[「『]{0,6}"
)
# A value ends at a blank, a quote or the first character that is no ASCII. What follows it in
# Japanese must not turn it into the means of something (`Argon2id で`).
_SPELLED = lazy(
    rf"(?i:{_LINK})(?P<value>[!-~]{{6,200}}+)"
    r"(?![ ]{0,2}(?:で(?!す|あ|ログ)|の|から|が|を使(?=[わえお])"
    r"|と(?:連携|同じ|同期|共通)|に(?:保存|格納|登録|入れ|あ)))",
)
# The value alone on one of the next lines, also in a fence.
_BELOW = lazy(
    r"(?i:[ ](?:is|as|follows|below|here|now)){0,4}[^\nA-Za-z0-9]{0,16}\n"
    r"(?:[ \t>]{0,8}(?:[`~]{3}[a-z]{0,10}|---)?[ \t]{0,4}\n){0,2}"
    r"[ \t>*-]{0,8}[\"'`]?(?P<value>[!-~]{8,200}+)[ \t]*(?=\n|\Z)"
)
_NUMBER = (
    r"[ ]{0,2}(?:is|lautet|ist|は|が|:|=)[ ]{0,2}[\"'`「]?(?!(?:19|20)[0-9]{2}[01][0-9][0-3][0-9])"
    r"[0-9]{4,8}(?![0-9A-Za-z桁文字-]|\.[0-9])"
)
_PIN = lazy(
    r"(?i:暗証番号|(?<![A-Za-z])PIN(?:[ ]?(?:code|number|コード))?"
    r"(?:[ ](?:for|of)[ ][^\n.]{1,30}?)?"
    rf"|パスコード|passcode){_NUMBER}"
)
_ASSIGNMENT = lazy(r"[\w.-]+[=(\[{:].|[^\n]*(?:\]\(|://)")
_STRONG = frozenset("!#%&*+?@^~|$=")
# A call, an index, a variable to be filled in, an address, an option, a shortcut, a reference.
_CODE = lazy(
    r"[A-Za-z_][\w.]*[(\[{]|\$[A-Za-z_{(]|[<{]|%[A-Za-z_(]+[%)]|https?:|@[A-Za-z]+[./]"
    r"|--?[a-z]+[= ]|![a-z]+\Z|(?i:ctrl|alt|cmd|shift)[+-]|arn:|[a-z]{2,10}://"
    r"|:[a-z]+:|(?:op|vault|ssm|ref|env|file|kv|secret|sha[0-9]{1,3}|[A-Za-z]+_[A-Za-z_]*[0-9]?):"
)
# A place: words with at most some figures behind them, and at least one slash.
_PART = r"(?:(?:[A-Z]?[a-z]++|[A-Z]++)[0-9]*+|[0-9]++)"
_PATH = lazy(rf"(?=[^/]*+/)(?:[~.]{{1,2}}/|/)?\.?{_PART}(?:[-_.:/#@+,]{{1,2}}{_PART})*+/?")
_DASHED_WORDS = lazy(rf"{_PART}(?:[-_.:/]{_PART})+")
# Ways to keep a password, and names of what keeps one.
_METHOD = lazy(
    r"(?i:1password|keepass|lastpass|bitwarden|(?:argon|pbkdf|bcrypt|scrypt|sha|md|hmac|aes|rsa|ed"
    r"|base|utf|oauth|oidc|totp|kv|v|ldap|saml|fido|nist|rfc|python|node)[-_]?[0-9]+[a-z]*"
    r"|(?:my|your|the|new|old|test|user|db)?[-_]?(?:pass(?:word|wd)?|pw|secret|token)[0-9]{0,2})"
)
# `export X_TOKEN=`: what stands behind is a value, whatever it looks like.
_SET = lazy(r"(?<![A-Za-z0-9])[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+[ ]?=[ ]?[\"'`]?\Z")
_BEFORE = 80
_LONG = 20  # characters of a value that nobody types by hand
# Where programs take a password without a word that says so, and pairs of name and password.
_TYPED = lazy(
    r"(?<![A-Za-z0-9_-])(?:sshpass[ ]+-p[ ]?"
    r"|curl[ ][^\n|;]{0,200}?(?<=[ ])(?:-u|--user)[ =]?[\"']?[^\s:\"']{1,80}:"
    r"|mysql(?:dump|admin)?[ ](?:[^\n|;]{0,200}?[ ])?-p|login[ ][^\n]{0,80}?[ ](?:password|-p)[ ]"
    r"|redis-cli[ ][^\n|;]{0,80}?-a[ ]|net[ ]use[ ][^\n]{0,80}?/user:\S{1,40}[ ]"
    r"|(?i:set[ ]password|identified[ ]by|(?:user|login|id)[ ][^\n]{1,40}?[ ]pass(?:word)?)[ ]"
    r"|(?i:log(?:in|on)|credentials?|creds|認証情報|ログイン(?:情報|ID)?)(?:[ ](?:is|are))?"
    r"[ ]?[:=は]?[ ]{0,2}"
    r"[\w.@-]{2,40}[ ]/[ ])"
    r"[\"'`]?(?P<value>[!-~]{6,200}+)"
)
_OPTION = lazy(
    r"(?<![A-Za-z0-9_-])--[a-z-]{0,20}(?:password|passphrase|token|secret|api-key)[ =][\"']?"
    r"(?P<value>[!-~]{6,200}+)"
)
_ROW = lazy(r"(?m)^[ ]{0,3}\|.*\|[ ]*$")
_RULE = lazy(r"[ |:-]*-[ |:-]*")
_HEADED = lazy(rf"[^|]{{0,20}}{_NAME}[^|]{{0,6}}")
_QUOTES = "\"'`*_,;.:()[]"


def passwords_in(plain: str) -> Iterator[tuple[str, int]]:
    """(name, offset) of each password or key behind a word that says so."""
    for start, end in _places(plain):
        yield from _named(plain, start, end)
        for shape in (_TYPED, _OPTION):
            for match in shape.finditer(plain, start, end):
                if name := _judge(match["value"].strip("\"'`,;"), is_own=True):
                    yield name, match.start("value")
        for match in _PIN.finditer(plain, start, end):
            yield "pin", match.start()
    if "|" in plain:
        yield from _tabled(plain)


def _places(plain: str) -> Iterator[tuple[int, int]]:
    """(start, end) of the lines to look closer at: with one of the words, and three below."""
    lowered = plain.lower()
    words = [word for word in WORDS if word in lowered]
    at, start, last = 0, -1, 0
    for row, line in enumerate(plain.split("\n")):
        if any(map(line.lower().__contains__, words)):
            start, last = (at if start < 0 else start), row + 3
        elif start >= 0 and row > last:
            yield start, at - 1
            start = -1
        at += len(line) + 1
    if start >= 0:
        yield start, len(plain)


def _named(plain: str, start: int, end: int) -> Iterator[tuple[str, int]]:
    """Values behind their names on the same line, or alone on one of the next."""
    for named in _NAMED.finditer(plain, start, end):
        if match := _SPELLED.match(plain, named.end(), end):
            at = match.start("value")
            value = match["value"].split("</")[0].split('"/>')[0].strip(_QUOTES)
            is_set = len(value) >= _LONG and _SET.search(plain[max(0, at - _BEFORE) : at])
            if name := _judge(value, is_own=bool(named["own"])):
                yield "password" if is_set else name, at
        elif match := _BELOW.match(plain, named.end(), end):
            value = match["value"].strip(_QUOTES)
            if _judge(value) == "password" and not _ASSIGNMENT.match(value):
                yield "password", match.start("value")


def _tabled(plain: str) -> Iterator[tuple[str, int]]:
    """Values in the columns of tables whose head names a secret."""
    columns: dict[int, bool] = {}
    before: list[str] = []
    end = -1
    for match in _ROW.finditer(plain):
        cells = [cell.strip(" `*\\") for cell in match.group().strip().strip("|").split("|")]
        if match.start() != end + 1:
            columns = {}
        elif _RULE.fullmatch(match.group().strip()):
            heads = enumerate(_HEADED.fullmatch(cell) for cell in before)
            columns = {at: bool(head["own"]) for at, head in heads if head}
        for at, is_own in columns.items():
            value = cells[at] if at < len(cells) else ""
            if value.isascii() and (name := _judge(value, is_own=is_own)):
                yield name, match.start()
        before, end = cells, match.end()


def _judge(value: str, *, is_own: bool = False) -> str:
    """Password when the value looks made up, password-like when it may be; `is_own`: by a person.

    A generator mixes figures with small and capital letters; a person puts some behind a word.
    """
    if len(value) < 6 or is_placeholder(value) or len(set(value)) < 5 or " " in value:
        return ""
    if _CODE.match(value) or _PATH.fullmatch(value) or _METHOD.fullmatch(value):
        return ""
    kinds = [_kind_of(ch) for ch in value]
    turns = sum(1 for one, other in pairwise(kinds) if one != other)
    strong = _STRONG.intersection(value)
    is_dashed = _DASHED_WORDS.fullmatch(value) is not None
    mixed = set(kinds) - {"mild"}
    if len(value) >= 8 and turns >= (3 if len(value) > 9 else 4) and len(mixed) > 2:
        return "" if is_dashed else "password"
    has_both = {"digit"} < mixed
    if not is_dashed and (
        (has_both and (is_own or len(value) >= _LONG)) or (is_own and len(mixed) > 2)
    ):
        return "password"
    return "password-like" if turns and (strong or (has_both and len(value) >= 8)) else ""


def _kind_of(ch: str) -> str:
    if ch.isdigit():
        return "digit"
    if ch.isalpha():
        return "upper" if ch.isupper() else "lower"
    return "strong" if ch in _STRONG else "mild"
