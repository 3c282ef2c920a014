"""Personal data in a text: mail addresses, numbers of cards, accounts and persons, addresses.

Reads the text of `plain_text`. Telephone numbers are in screen_phones. Must not load a library
before something in the text has the shape of what that library knows.
"""

from __future__ import annotations

import re

from memtools.core.named_numbers import NAMED
from memtools.core.pattern import lazy
from memtools.core.screen_phones import is_other_number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_NEAR = 48  # characters before a number, or after it, in which a word says what it is

_LETTER = "A-Za-z0-9\u00c0-\u024f"
_AT = r"(?:@|%40|[ ]?[\[({](?i:at|アット(?:マーク)?)[\])}][ ]?)"
_DOT = r"(?:\.|[ ]?[\[({](?i:dot|ドット)[\])}][ ]?)"
_MAIL = lazy(
    rf"(?<![{_LETTER}._%+@~{{}}$-])(?P<name>[{_LETTER}_](?:[{_LETTER}._+'-]|%(?!40)){{0,63}}){_AT}"
    rf"(?P<domain>(?:[{_LETTER}](?:[{_LETTER}-]{{0,61}}[{_LETTER}])?{_DOT})+"
    rf"(?P<top>[A-Za-z]{{2,24}}))(?![{_LETTER}-])(?P<after>:[A-Za-z0-9_.~-]{{0,80}}/)?"
)
# The dots of these are written out, or the name is in another script: the end has to be a domain's.
_TOP = "(?:com|net|org|info|io|dev|app|example|jp|de|fr|uk|us|eu|it|es|ch|at|kr|cn|tw|ru|br|in)"
_SPOKEN = lazy(
    rf"(?i:(?<![A-Za-z0-9._+-])[A-Za-z0-9._+-]{{1,64}}[ ]at[ ][A-Za-z0-9-]{{1,40}}"
    rf"(?:[ ]dot[ ][A-Za-z0-9-]{{1,40}}){{0,3}}[ ]dot[ ]{_TOP}(?![A-Za-z0-9]))"
    rf"|(?<=[\u3005-\u30ff\u4e00-\u9fff\uac00-\ud7a3\u0400-\u04ff])@[A-Za-z0-9-]{{1,40}}"
    rf"(?:\.[A-Za-z0-9-]{{1,40}}){{0,3}}\.{_TOP}(?![A-Za-z0-9.(_-])"
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
    r"(?<![A-Za-z0-9_./#-])(?:4[0-9]|5[0-9]|2[2-7]|3[0-9]|6[0-9]|81)[0-9]"
    r"(?:(?:[ -]?[0-9]){10,16}|[0-9](?:\.[0-9]{4}){3})(?![A-Za-z0-9_]|[-.][0-9])"
)
_ISSUER = lazy(
    r"4(?:[0-9]{15}|[0-9]{18})|(?:5[1-5]|222[1-9]|22[3-9][0-9]|2[3-6][0-9]{2}|27[01][0-9]"
    r"|2720)[0-9]{12,14}|3[47][0-9]{13}|35(?:2[89]|[3-8][0-9])[0-9]{12}|3(?:0[0-5]|[689][0-9])"
    r"[0-9]{11}|6(?:011|4[4-9][0-9]|5[0-9]{2})[0-9]{12}|(?:62|81)[0-9]{14,17}"
    # Maestro shares its first figures with much else: only as printed, in groups of four
    r"|(?:50(?:18|20|38)|5612|5893|6304|67(?:59|6[1-3]))[0-9]{12}"
)
_NO_GAPS = dict.fromkeys(map(ord, " .-"))
_IBAN = lazy(
    r"(?<![A-Za-z0-9])[A-Z]{2}[0-9]{2}(?:[ -]?[A-Z0-9]){11,30}"
    r"|(?i:(?:iban|konto|account|口座)[\w.]{0,8}[ :=は]{1,3})"
    r"(?P<small>[a-z]{2}[0-9]{2}(?:[ -]?[a-z0-9]){11,30})"
)

_TWELVE = lazy(
    r"(?<![A-Za-z0-9_./#-])(?<![0-9][ :])(?<!::)[0-9]{4}(?P<gap>[ -]?)[0-9]{4}(?P=gap)[0-9]{4}"
    r"(?![A-Za-z0-9_]|[-./: ][0-9])"
)
_MY_NUMBER = lazy(r"(?i:マイ[ ]?ナンバー|個人番号|my[ ]?number|individual[ ]number)")


def mail_addresses_in(plain: str) -> Iterator[tuple[str, int]]:
    """Offsets of mail addresses; logins, URLs with a user, versions and file names are none."""
    if not any(map(plain.__contains__, ("@", "at", "AT", "%40", "アット"))):
        return
    for match in _SPOKEN.finditer(plain):
        yield "mail-address", match.start()
    for match in _MAIL.finditer(plain):
        if match["name"].lower() in _NOBODY or match["top"].lower() in _NO_DOMAIN:
            continue
        if match["name"] == "git" or match["domain"].lower().endswith("users.noreply.github.com"):
            continue
        if _VERSION.match(match["domain"]) or match["after"]:
            continue
        before = plain[max(0, match.start() - 60) : match.start()]
        is_value = "%40" in match.group() or before.endswith(("mail=", "to="))
        if (is_value or not _is_in_url(plain, match.start())) and not _LOGIN.search(before):
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
        digits = match.group().translate(_NO_GAPS)
        if (
            _ISSUER.fullmatch(digits)
            and not _is_in_url(plain, match.start())
            and _fits_luhn(digits)
        ):
            groups = [len(group) for group in re.split("[ .-]", match.group())]
            is_spaced = len(groups) > 1 and groups[:2] != [4, 6] and set(groups[:-1]) != {4}
            is_doubtful = is_spaced or is_other_number(plain, match.start())
            yield "card-number-like" if is_doubtful else "card-number", match.start()


def _fits_luhn(digits: str) -> bool:
    from stdnum import luhn

    return bool(luhn.is_valid(digits)) and len(set(digits)) > 1


def ibans_in(plain: str) -> Iterator[tuple[str, int]]:
    """Offsets of international bank account numbers with a check sum that fits."""
    for match in _IBAN.finditer(plain):
        groups = re.split(
            "[ -]", (match["small"] or match.group()).upper()
        )  # words in capitals may follow the number
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
    lowered = plain.lower()
    for name, needed, word, value in NAMED:
        if not any(map(lowered.__contains__, needed)):
            continue
        for match in re.finditer(word, plain):
            found = re.compile(value).search(plain, match.end(), match.end() + _NEAR)
            if found:
                yield name, found.start()
