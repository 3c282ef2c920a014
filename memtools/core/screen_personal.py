"""Personal data in a text: mail addresses, numbers of cards, accounts and persons, addresses.

Reads the text of `plain_text`. Telephone numbers are in screen_phones. Must not load a library
before something in the text has the shape of what that library knows.
"""

from __future__ import annotations

import re

from memtools.core.pattern import lazy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_NEAR = 48  # characters before a number, or after it, in which a word says what it is

_MAIL = lazy(
    r"(?<![A-Za-z0-9._%+@~{}$-])(?P<name>[A-Za-z0-9_][A-Za-z0-9._%+'-]{0,63})"
    r"(?:@|[ ]?[\[({]at[\])}][ ]?)"
    r"(?P<domain>(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.|[ ]?[\[({]dot[\])}][ ]?))+"
    r"(?P<top>[A-Za-z]{2,24}))(?![A-Za-z0-9-])(?P<after>:[A-Za-z0-9_.~-]{0,80}/)?"
)
_VERSION = lazy(r"[v^~]?[0-9]+(?:\.[0-9x]+)+|[0-9]x\.")
# Ends of names of files, hosts and units that are no domains of mail.
_NO_DOMAIN = frozenset(
    (
        *("internal", "local", "lan", "localdomain", "service", "socket", "timer", "target"),
        *("png", "jpg", "jpeg", "gif", "svg", "webp", "js", "ts", "tsx", "jsx", "mjs", "css"),
        *("py", "rb", "go", "java", "json", "yml", "yaml", "toml", "txt", "html", "git", "zip"),
    )
)
_LOGIN = lazy(r"(?i:(?:ssh|scp|sftp|rsync|mosh|ssh-copy-id)(?:[ ]-{1,2}\S{1,40}){0,4}[ ]\Z)")
_NOBODY = frozenset(("noreply", "no-reply", "donotreply", "do-not-reply"))

_CARD = lazy(
    r"(?<![A-Za-z0-9_./#-])(?:4[0-9]|5[1-5]|2[2-7]|3[0-9]|6[0-9]|81)[0-9]"
    r"(?:[ -]?[0-9]){10,16}(?![A-Za-z0-9_]|[-.][0-9])"
)
_ISSUER = lazy(
    r"4(?:[0-9]{15}|[0-9]{18})|(?:5[1-5]|222[1-9]|22[3-9][0-9]|2[3-6][0-9]{2}|27[01][0-9]"
    r"|2720)[0-9]{12,14}|3[47][0-9]{13}|35(?:2[89]|[3-8][0-9])[0-9]{12}|3(?:0[0-5]|[689][0-9])"
    r"[0-9]{11}|6(?:011|4[4-9][0-9]|5[0-9]{2})[0-9]{12}|(?:62|81)[0-9]{14,17}"
)
_IBAN = lazy(r"(?<![A-Za-z0-9])[A-Z]{2}[0-9]{2}(?:[ -]?[A-Z0-9]){11,30}")

_TWELVE = lazy(
    r"(?<![A-Za-z0-9_./#-])(?<![0-9][ :])(?<!::)[0-9]{4}(?P<gap>[ -]?)[0-9]{4}(?P=gap)[0-9]{4}"
    r"(?![A-Za-z0-9_]|[-./: ][0-9])"
)
_MY_NUMBER = lazy(r"(?i:マイ[ ]?ナンバー|個人番号|my[ ]?number|individual[ ]number)")

# (name, word that says so, the value behind it).
_NAMED = (
    (
        "passport",
        r"(?i:passport|パスポート|旅券)",
        r"(?<![A-Za-z0-9])(?:[A-Z]{1,2}[0-9]{6,8}|(?<![.-])[0-9]{9})(?![A-Za-z0-9-])",
    ),
    (
        "social-security-number",
        r"(?i:(?<![a-z])ssn(?![a-z])|social security|社会保障番号)",
        r"(?<![A-Za-z0-9-])[0-9]{3}[ -]?[0-9]{2}[ -]?[0-9]{4}(?![0-9-])",
    ),
    (
        "driving-licence",
        r"(?i:免許証|driv(?:ing|er'?s?)[ ]licen[cs]e)",
        r"(?<![A-Za-z0-9-])(?:[0-9]{12}|[A-Z][0-9]{7,14})(?![A-Za-z0-9-])",
    ),
    (
        "bank-account",
        r"(?:口座|普通預金|当座預金|支店[ ]?(?:普通|当座))",
        r"(?<![A-Za-z0-9-])[0-9]{7}(?![0-9-])",
    ),
    (
        "bank-account",
        r"(?i:account (?:number|no\.?)|routing (?:number|no\.?)|sort code)",
        r"(?<![A-Za-z0-9-])(?:[0-9]{8,12}|[0-9]{2}-[0-9]{2}-[0-9]{2})(?![0-9-])",
    ),
    ("pension-number", r"(?:年金番号|年金手帳)", r"(?<![0-9-])[0-9]{4}-?[0-9]{6}(?![0-9-])"),
    ("insurance-number", r"(?:保険証|被保険者)", r"(?<![0-9-])[0-9]{8}(?:-?[0-9]{2})?(?![0-9-])"),
    ("resident-card", r"(?:在留カード)", r"(?<![A-Z0-9])[A-Z]{2}[0-9]{8}[A-Z]{2}(?![A-Z0-9])"),
)


def mail_addresses_in(plain: str) -> Iterator[tuple[str, int]]:
    """Offsets of mail addresses; logins, URLs with a user, versions and file names are none."""
    if "@" not in plain and "at" not in plain:
        return
    for match in _MAIL.finditer(plain):
        if match["name"].lower() in _NOBODY or match["top"].lower() in _NO_DOMAIN:
            continue
        if match["name"] == "git" or match["domain"].lower().endswith("users.noreply.github.com"):
            continue
        if _VERSION.match(match["domain"]) or match["after"]:
            continue
        before = plain[max(0, match.start() - 60) : match.start()]
        if not _is_in_url(plain, match.start()) and not _LOGIN.search(before):
            yield "mail-address", match.start()


def _is_in_url(plain: str, at: int) -> bool:
    """Does the word around `at` begin like the address of a page?"""
    before = plain[max(0, at - 200) : at]
    return "://" in before[max(before.rfind(" "), before.rfind("\n")) + 1 :]


def cards_in(plain: str) -> Iterator[tuple[str, int]]:
    """Card numbers: an issuer's prefix and length, and a check digit that fits.

    In groups no card is printed in the digit may fit by chance: "card-number-like".
    """
    for match in _CARD.finditer(plain):
        digits = match.group().replace(" ", "").replace("-", "")
        if (
            _ISSUER.fullmatch(digits)
            and not _is_in_url(plain, match.start())
            and _fits_luhn(digits)
        ):
            groups = [len(group) for group in re.split("[ -]", match.group())]
            is_spaced = len(groups) > 1 and groups[:2] != [4, 6] and set(groups[:-1]) != {4}
            yield "card-number-like" if is_spaced else "card-number", match.start()


def _fits_luhn(digits: str) -> bool:
    from stdnum import luhn

    return bool(luhn.is_valid(digits)) and len(set(digits)) > 1


def ibans_in(plain: str) -> Iterator[tuple[str, int]]:
    """Offsets of international bank account numbers with a check sum that fits."""
    for match in _IBAN.finditer(plain):
        groups = re.split("[ -]", match.group())  # words in capitals may follow the number
        if any(_fits_iban("".join(groups[:size])) for size in range(1, len(groups) + 1)):
            yield "iban", match.start()


def _fits_iban(characters: str) -> bool:
    turned = characters[4:] + characters[:4]
    if len(turned) < 15 or int("".join(str(int(ch, 36)) for ch in turned)) % 97 != 1:
        return False
    from stdnum import iban

    return bool(iban.is_valid(characters, check_country=False))


def my_numbers_in(plain: str) -> Iterator[tuple[str, int]]:
    """Twelve digits: "my-number" beside a word that says so, else "my-number-like" if they fit."""
    for match in _TWELVE.finditer(plain):
        if _MY_NUMBER.search(_around(plain, match.start(), match.end())):
            yield "my-number", match.start()
        elif _fits_my_number(match.group()):
            yield "my-number-like", match.start()


def _fits_my_number(number: str) -> bool:
    from stdnum.jp import in_

    return bool(in_.is_valid(number.replace("-", "")))


def _around(plain: str, start: int, end: int) -> str:
    return plain[max(0, start - _NEAR) : start] + "\n" + plain[end : end + _NEAR // 2]


def named_numbers_in(plain: str) -> Iterator[tuple[str, int]]:
    """Numbers that are personal data because the word before them says what they are."""
    for name, word, value in _NAMED:
        for match in re.finditer(word, plain):
            found = re.compile(value).search(plain, match.end(), match.end() + _NEAR)
            if found:
                yield name, found.start()
