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
from memtools.core.wording import say

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

# (name, words one of which must stand in the text before the shape is compiled at all, shape).
# Prefixes as their issuers publish them. A group is the part that a placeholder would stand in.
_SHAPES = (
    (
        "private-key",
        ("PRIVATE KEY", "PuTTY-User-Key", "AGE-SECRET-KEY-"),
        r"-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----"
        r"|PuTTY-User-Key-File-[0-9]:|AGE-SECRET-KEY-1[0-9A-Z]{50,}",
    ),
    (
        "aws-key",
        ("AKIA", "ASIA", "ABIA", "ACCA", "AWS", "aws"),
        r"(?<![A-Za-z0-9])(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])"
        r"|(?i:aws)\w{0,20}(?i:secret)\w{0,20}[\"']?[ ]?[:=]{1,2}[ ]?[\"']?"
        r"([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+])",
    ),
    (
        "github-token",
        ("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"),
        r"(?<![A-Za-z0-9_])(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{50,})",
    ),
    (
        "gitlab-token",
        ("glpat-", "gldt-", "glrt-", "glptt-", "glsoat-", "glcbt-", "gloas-", "glft-", "GR1348941"),
        r"(?<![A-Za-z0-9_])(?:gl(?:pat|dt|rt|ptt|soat|cbt|oas|ft)-|GR1348941)[A-Za-z0-9_.-]{20,}",
    ),
    (
        "slack-token",
        ("xox", "xapp-", "xwfp-", "hooks.slack.com/"),
        r"(?<![A-Za-z0-9_])(?:xox[a-z](?:\.[a-z]{3,4})?|xapp|xwfp)-[A-Za-z0-9-]{10,}"
        r"|hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9_/]{20,}",
    ),
    (
        "stripe-key",
        ("k_live_", "whsec_"),
        r"(?<![A-Za-z0-9_])(?:[rs]k_live_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9+/=]{24,})",
    ),
    (
        "google-key",
        ("AIza", "GOCSPX-", "ya29."),
        r"(?<![A-Za-z0-9_-])(?:AIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])|GOCSPX-[A-Za-z0-9_-]{20,}"
        r"|ya29\.[A-Za-z0-9_-]{30,})",
    ),
    (
        "model-key",
        ("sk-", "gsk_", "xai-", "hf_", "r8_", "pplx-"),
        r"(?<![A-Za-z0-9_-])(?:sk-(?:ant|proj|svcacct|admin|or|lf)-[A-Za-z0-9_-]{20,}"
        r"|sk-[A-Za-z0-9]{32,}|gsk_[A-Za-z0-9]{40,}|xai-[A-Za-z0-9]{40,}|hf_[A-Za-z0-9]{30,}"
        r"|r8_[A-Za-z0-9]{36,}|pplx-[A-Za-z0-9]{40,})",
    ),
    ("npm-token", ("npm_",), r"(?<![A-Za-z0-9_])npm_[A-Za-z0-9]{36}(?![A-Za-z0-9_])"),
    ("pypi-token", ("pypi-",), r"(?<![A-Za-z0-9_])pypi-[A-Za-z0-9_-]{50,}"),
    (
        "service-token",
        (
            *("lin_api_", "ntn_", "secret_", "figd_", "pat", "ATATT", "ATCTT", "ATBB", "dapi"),
            *("NRAK-", "glsa_", "sntrys_", "sntryu_", "sbp_", "PMAK-", "EAA", "CFPAT-", "key-"),
            *("rubygems_", "dckr_pat_", "dop_v1_", "doo_v1_", "dor_v1_", "hvs.", "hvb.", "dp.pt."),
            *("dp.st.", "tfp_", "shp", "atlasv1.", "fo1_", "FlyV1 ", "rnd_"),
        ),
        r"(?<![A-Za-z0-9_-])(?:lin_api_[A-Za-z0-9]{32,}|(?:ntn|secret)_[A-Za-z0-9]{40,}"
        r"|figd_[A-Za-z0-9_-]{30,}|pat[A-Za-z0-9]{14}\.[a-f0-9]{64}"
        r"|AT(?:ATT|CTT|BB)[A-Za-z0-9_=-]{28,}"
        r"|dapi[a-f0-9]{32}|NRAK-[A-Z0-9]{27}|glsa_[A-Za-z0-9_]{32,}|sntry[su]_[A-Za-z0-9+/=_]{40,}"
        r"|sbp_[a-f0-9]{40}|PMAK-[a-f0-9]{24}-[a-f0-9]{34}|EAA[A-Za-z0-9]{80,}"
        r"|CFPAT-[A-Za-z0-9_-]{40,}|key-[a-f0-9]{32}(?![a-f0-9])|rubygems_[a-f0-9]{40,}|dckr_pat_[A-Za-z0-9_-]{20,}"
        r"|do[opr]_v1_[a-f0-9]{40,}|hv[sb]\.[A-Za-z0-9_-]{24,}|dp\.[ps]t\.[A-Za-z0-9.]{40,}"
        r"|tfp_[A-Za-z0-9]{40,}|shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}|rnd_[A-Za-z0-9]{28,}"
        r"|[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{50,}|fo1_[A-Za-z0-9_-]{40,}"
        r"|FlyV1 fm[0-9]_[A-Za-z0-9+/=,_-]{60,})",
    ),
    (
        "json-web-token",
        ("eyJ",),
        r"(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{10,}+\.eyJ[A-Za-z0-9_-]{10,}+\.[A-Za-z0-9_-]{0,}",
    ),
    (
        "url-password",
        ("://",),
        r"(?<![A-Za-z0-9+.-])[A-Za-z][A-Za-z0-9+.-]{0,30}://[^\s/:@]{0,80}:"
        r"([^\s/@<>{}$*]{3,200})@[^\s/@]",
    ),
    (
        "authorization-header",
        ("Basic ", "basic ", "Bearer ", "bearer "),
        r"(?i:authorization[\"']?[:=] ?[\"']?basic )([A-Za-z0-9+/]{12,}={0,2})"
        r"|(?i:bearer )(?=[A-Za-z0-9._~+/-]{0,200}[0-9])([A-Za-z0-9._~+/-]{24,})",
    ),
)
# What the issuers' own documents write in place of a value.
_PUBLISHED = ("EXAMPLE", "xxxx", "XXXX", "0000000000")
_PLACEHOLDERS = frozenset(
    (
        *("pass", "passwd", "password", "pw", "pwd", "secret", "token", "changeme", "example"),
        *("...", "xxx", "user", "yourpassword", "your-password", "your_password"),
    )
)
# Names of secrets and personal data that a person has to judge: the shape alone proves nothing.
DOUBTFUL = frozenset({"my-number-like", "password-like"})
# Words without which screen_passwords and screen_plugins find nothing.
_SPELLED = (
    *("password", "passwd", "passphrase", "passcode", "pwd", "secret", "token", "credential"),
    *("api key", "api_key", "apikey", "api-key", "_key", "access key", "private key", "pin"),
    *("パスワード", "パスフレーズ", "パスコード", "合言葉", "暗証番号", "認証情報"),
    *("キー", "鍵", "シークレット", "トークン"),
)
_ISSUED = (
    *("AccountKey=", "SG.", "sq0csp-", "T3BlbkFJ", "-us", "A3T", ":AA", "SK", "cloudant"),
    *("softlayer", "discord", "Discord", "SECRET", "secret"),
)
# Personal data has digits, or an at sign; dates and times are no reason to look closer.
_DATE = lazy(
    r"(?:19|20)[0-9]{2}-[01][0-9]-[0-3][0-9]"
    r"(?:[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]+)?)?(?:Z|[ ]?[+-][0-9]{2}:?[0-9]{2})?)?"
)
_PERHAPS_PERSONAL = lazy(
    r"@|[\[({]at[\])}]|[0-9](?:[^0-9\n]{0,2}[0-9]){6}|〒|丁目|番地"
    r"|番[ 0-9一二三四五六七八九十]{1,5}号|[市区郡町村都道府県][^。\n]{0,30}[0-9]-[0-9]"
)
_GLYPH_CHOICE = lazy("[\ufe00-\ufe0f\U000e0100-\U000e01ef]+")
_ESCAPED = lazy(r"\\(?=[_\-@.*~+:/])")


def plain_text(text: str) -> str:
    """The text as screens read it: NFKC, nothing unseen, no Markdown escapes; the same lines."""
    if not text.isascii():
        text = _GLYPH_CHOICE.sub("", unicodedata.normalize("NFKC", text))
    text = strip_invisible(text)
    return _ESCAPED.sub("", text) if "\\" in text else text


def secrets_in(plain: str) -> Iterator[tuple[str, int]]:
    """(name, offset) of each secret of a known shape; `plain` comes from `plain_text`."""
    for name, words, pattern in _SHAPES:
        if not any(word in plain for word in words):
            continue
        for match in re.finditer(pattern, plain):
            if not is_placeholder(match[match.lastindex or 0]):
                yield name, match.start()


def is_placeholder(value: str) -> bool:
    """Is this what a document writes in place of a secret?"""
    return value.lower() in _PLACEHOLDERS or any(word in value for word in _PUBLISHED)


def find_secrets(memory: Memory) -> list[Problem]:
    """Secrets in header and body, by name and line; one a line."""
    return list(_certain(_found(memory, _all_secrets_in), memory.path, _secret))


def find_personal(memory: Memory) -> list[Problem]:
    """Personal data beyond doubt in header and body, by name and line; one a line."""
    return list(_certain(_found(memory, _personal_in), memory.path, _personal))


def find_sensitive(memory: Memory) -> tuple[list[Problem], bool]:
    """Secrets and personal data, and: is there more whose shape alone does not prove it is?"""
    secrets, personal = _found(memory, _all_secrets_in), _found(memory, _personal_in)
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


def _all_secrets_in(plain: str) -> Iterator[tuple[str, int]]:
    yield from secrets_in(plain)
    lowered = plain.lower()
    if any(word in lowered for word in _SPELLED):
        from memtools.core.screen_passwords import passwords_in

        yield from passwords_in(plain)
    if any(word in plain for word in _ISSUED):
        from memtools.core.screen_plugins import plugin_secrets_in

        yield from plugin_secrets_in(plain)


def _personal_in(plain: str) -> Iterator[tuple[str, int]]:
    if _PERHAPS_PERSONAL.search(_DATE.sub("", plain)):
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


def without_echoes(found: list[Problem]) -> list[Problem]:
    """The problems without those that may quote a line in which a secret was found."""
    lines = {(one.path, one.line) for one in found if one.rule == "secret-found"}
    return [p for p in found if p.rule == "secret-found" or (p.path, p.line) not in lines]
