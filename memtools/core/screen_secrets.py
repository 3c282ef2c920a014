"""What must not be committed at all: secrets and leftover conflict marks, found by their shape.

A finding names kind and line and never holds the secret. Only structured shapes (fixed prefixes,
key blocks): no entropy guess, which flags ordinary lines. A hook loads this: it must stay light.
"""

from __future__ import annotations

import re
import unicodedata

from memtools.core.invisible import strip_invisible
from memtools.core.memory import Memory, numbered_lines
from memtools.core.pattern import lazy
from memtools.core.problem import Problem, problem
from memtools.core.wording import say

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

# (name, words one of which must stand in the text before the shape is compiled at all, shape).
# Prefixes as their issuers publish them. A group is the part that a placeholder would stand in.
_SHAPES = (
    (
        "private-key",
        ("PRIVATE KEY", "PuTTY-User-Key"),
        r"-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----"
        r"|PuTTY-User-Key-File-[0-9]:",
    ),
    ("age-key", ("AGE-SECRET-KEY-",), r"AGE-SECRET-KEY-1[0-9A-Z]{50,}"),
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
        "digitalocean-token",
        ("dop_v1_", "doo_v1_", "dor_v1_"),
        r"(?<![A-Za-z0-9_])do[opr]_v1_[a-f0-9]{40,}",
    ),
    (
        "hosting-token",
        ("hvs.", "hvb.", "dp.pt.", "dp.st.", "tfp_", "shp", "atlasv1.", "fo1_", "FlyV1 ", "rnd_"),
        r"(?<![A-Za-z0-9_])(?:hv[sb]\.[A-Za-z0-9_-]{24,}|dp\.[ps]t\.[A-Za-z0-9.]{40,}"
        r"|tfp_[A-Za-z0-9]{40,}|shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}|rnd_[A-Za-z0-9]{28,}"
        r"|[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{50,}|fo1_[A-Za-z0-9_-]{40,}"
        r"|FlyV1 fm[0-9]_[A-Za-z0-9+/=,_-]{60,})",
    ),
    (
        "service-token",
        (
            *("lin_api_", "ntn_", "secret_", "figd_", "pat", "ATATT", "ATCTT", "ATBB", "dapi"),
            *("NRAK-", "glsa_", "sntrys_", "sntryu_", "sbp_", "PMAK-", "EAA", "CFPAT-", "key-"),
            *("rubygems_", "dckr_pat_"),
        ),
        r"(?<![A-Za-z0-9_-])(?:lin_api_[A-Za-z0-9]{32,}|(?:ntn|secret)_[A-Za-z0-9]{40,}"
        r"|figd_[A-Za-z0-9_-]{30,}|pat[A-Za-z0-9]{14}\.[a-f0-9]{64}"
        r"|AT(?:ATT|CTT|BB)[A-Za-z0-9_=-]{28,}"
        r"|dapi[a-f0-9]{32}|NRAK-[A-Z0-9]{27}|glsa_[A-Za-z0-9_]{32,}|sntry[su]_[A-Za-z0-9+/=_]{40,}"
        r"|sbp_[a-f0-9]{40}|PMAK-[a-f0-9]{24}-[a-f0-9]{34}|EAA[A-Za-z0-9]{80,}"
        r"|CFPAT-[A-Za-z0-9_-]{40,}|key-[a-f0-9]{32}(?![a-f0-9])|rubygems_[a-f0-9]{40,}|dckr_pat_[A-Za-z0-9_-]{20,})",
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
        "x-oauth-basic",
    )
)
_GLYPH_CHOICE = lazy("[\ufe00-\ufe0f\U000e0100-\U000e01ef]+")
_ESCAPED = lazy(r"\\(?=[_\-@.*~+:/])")
_FENCE = lazy(r" {0,3}(?:```|~~~)")


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
            value = match[match.lastindex or 0]
            if not is_placeholder(value):
                yield name, match.start()


def is_placeholder(value: str) -> bool:
    """Does this stand where a document would have a secret, and is none?"""
    return value.lower() in _PLACEHOLDERS or any(word in value for word in _PUBLISHED)


def find_secrets(memory: Memory) -> list[Problem]:
    """Secrets in header and body, by name and line; one a line."""
    found: dict[int, Problem] = {}
    for text, first in ((memory.header_text, memory.header_line), (memory.body, memory.body_line)):
        plain = plain_text(text)
        for name, at in secrets_in(plain):
            line = first + plain.count("\n", 0, at)
            found.setdefault(line, _secret(memory.path, line, name))
    return [found[line] for line in sorted(found)]


def _secret(path: str, line: int, name: str) -> Problem:
    return problem(
        path,
        line,
        "secret-found",
        say(
            "this line holds what looks like a secret ({kind}); take it out, then commit", kind=name
        ),
        say("when it is none: git commit -n"),
    )


def find_conflict_marks(memory: Memory) -> list[Problem]:
    """The first leftover conflict mark outside fenced code: `<<<<<<< ` with its `>>>>>>> `."""
    if "<<<<<<< " not in memory.body and "<<<<<<< " not in memory.header_text:
        return []
    opened = 0
    fenced = False
    for number, line in numbered_lines(memory):
        if _FENCE.match(line):
            fenced = not fenced
        if fenced:
            continue
        if line.startswith("<<<<<<< "):
            opened = opened or number
        elif opened and line.startswith(">>>>>>> "):
            what = say("a conflict was left unresolved here; resolve it, git add, commit")
            return [problem(memory.path, opened, "conflict-marks", what)]
    return []
