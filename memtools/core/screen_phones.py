"""Telephone numbers in a text: international ones, those of Japan and the US, others by a word.

Reads the text of `plain_text`. phonenumbers judges a candidate; what is no candidate by its shape
(dates, versions, hashes, addresses of machines) never reaches it.
"""

from __future__ import annotations

from memtools.core.pattern import lazy

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

# Dashes that NFKC leaves alone, and the long vowel mark people type for one, between digits.
_DASH = lazy("(?<=[0-9)])[\u2010-\u2015\u2212\u30fc\u2500\ufe58](?=[0-9(])")
# `TEL:03-…`: a colon or an equals sign belongs to other numbers, unless a word is before it.
_LABEL = lazy(
    r"(?i:((?<![a-z])(?:tel|phone|telephone|mobile|cell|fax|sms|whatsapp|telefon[eo]?|handy|mobil"
    r"|t[ée]l(?:[ée]phone)?|portable|m[óo]vil|тел(?:ефон)?)"
    r"(?:[ _-]?(?:no|number))?\.?|電話(?:番号)?|携帯(?:電話|番号)?|ファックス|ファクス|直通"
    r"|代表(?:番号)?|☎|手[机機]|电话|전화|휴대폰)[*_]{0,2})[ ]?[:=](?=[(0-9])"
)
_START = r"(?<![A-Za-z0-9_+/#=.:&?%-])(?<![A-Za-z_]\()"
_END = r"(?![A-Za-z0-9_]|[-./:][0-9])"
_INTERNATIONAL = lazy(
    r"(?:(?<![A-Za-z0-9_+])\+|(?<![A-Za-z0-9_+.:/-])00(?=[1-9][0-9]{0,2}[ -]))"
    r"(?![0-9]{4}-[0-9]{2}-)[1-9][0-9]{0,2}(?:[ .-]?\(?[0-9]{1,5}\)?){2,6}" + _END
)
_JAPAN = lazy(
    _START + r"\(?0(?!10)[1-9][0-9]{0,3}\)?[ .-]?\(?[0-9]{1,4}[).-]?[ -]?[0-9]{3,4}" + _END,
)
# Lengths of the groups as Japan writes them; numbers never given out have them too.
_JAPAN_SHAPE = lazy(
    r"0[5-9]0-[0-9]{4}-[0-9]{4}|0120-[0-9]{3}-[0-9]{3}|0120-[0-9]{2}-[0-9]{4}"
    r"|0800-[0-9]{3}-[0-9]{4}"
    r"|\(?0[1-9]\)?-?[0-9]{4}-[0-9]{4}|\(?0[1-9][0-9]\)?-?[0-9]{3}-[0-9]{4}"
    r"|\(?0[1-9][0-9]{2}\)?-?[0-9]{2}-[0-9]{4}|0[1-9]\([0-9]{4}\)[0-9]{4}"
    r"|0[5-9]0[ .]?[0-9]{4}[ .]?[0-9]{4}"
)
_AMERICA = lazy(
    r"(?<![A-Za-z0-9_+/#=:&?%)-])(?<![0-9]\.)(?:1[ .-])?"
    r"(?:\([0-9]{3}\)[ .-]?|[0-9]{3}(?P<gap>[ .-]))[0-9]{3}[ .-][0-9]{4}" + _END
)
# Nine digits or more, no date: a number of some country when a word says so.
_ANY = lazy(
    _START
    + r"(?!(?:19|20)[0-9]{2}[-.][01]?[0-9][-.])\(?[0-9](?:[()]?[ ./-]{0,2}[()]?[0-9]){8,13}"
    + _END
)
_WORD = lazy(
    r"(?i:(?<![a-z])(?:tel|phone|telephone|mobile|cell(?![ ][A-Z]?[0-9])|call|fax|dial|sms|whatsapp"
    r"|reach|text)(?:[ ]?(?:no|number))?(?![a-z])|電話|携帯|ファックス|ファクス|内線|直通|代表番号"
    r"|☎|℡|📞"
    r"|(?<![a-z])(?:telefon[eo]?|handy|mobil|anrufen|ruf(?:nummer|t|e)?"
    r"|t[ée]l(?:[ée]phone)?"
    r"|portable|appele[zr]?|m[óo]vil|ll[aá]ma(?:me|r)?|telefoon)(?![a-zé])|тел(?:ефон)?|звони"
    r"|手[机機]|电话|전화|휴대폰|(?<![a-z])ring(?:[ ]me)?(?:[ ](?:on|at))?[ ]\Z)"
)
# A word that says that a number is no telephone's, though it has its shape.
_OTHER = lazy(
    r"(?i:(?<!電話)(?<!携帯)(?<!代表)(?<!ax)(?<!話|帯|通|絡|ド)番号"
    r"|(?:伝票|受付|申請|注文|管理|整理)[ ]?no\.?|型番|品番|品名|シリアル"
    r"|(?<![a-z])(?:sku|serial|part|order|model|invoice|ticket|case|item|ref|id|batch|version)"
    r"(?:[ ]?(?:no|number|code))?[.:#]?)[ ]?[:は]?[ ]{0,2}\Z"
)
_NEAR = 24


def phones_in(plain: str) -> Iterator[tuple[str, int]]:
    """Offsets of telephone numbers; "phone-like" behind a word that says it is another number."""
    text = _LABEL.sub(r"\1 ", _DASH.sub("-", plain)).replace("wa.me/", "wa.me/ +")
    for shape, is_phone in _SHAPES:
        for match in shape.finditer(text):
            if is_phone(text, match):
                other = is_other_number(text, match.start())
                yield "phone-like" if other else "phone-number", match.start()


def is_other_number(text: str, at: int) -> bool:
    """Does a word just before say that a number is that of an order, a part, a ticket …?"""
    return _OTHER.search(text[max(0, at - _NEAR) : at]) is not None


def _is_international(text: str, match: re.Match[str]) -> bool:
    number = match.group()
    if number.startswith("00"):
        return _is_valid(f"+{number[2:]}", None)
    return _is_possible_abroad(number)


def _is_american(text: str, match: re.Match[str]) -> bool:
    return "(" in match.group() or _is_valid(match.group(), "US") or _is_named(text, match)


def _is_japanese(text: str, match: re.Match[str]) -> bool:
    number = match.group()
    if _JAPAN_SHAPE.fullmatch(number):
        return True
    has_gaps = not number.isdigit()
    return (has_gaps or _is_named(text, match)) and _is_valid(number, "JP")


def _is_named(text: str, match: re.Match[str]) -> bool:
    """Does a word shortly before say that this is a telephone number?"""
    before = text[max(0, match.start() - _NEAR) : match.start()]
    after = text[match.end() : match.end() + 8]
    return bool(_WORD.search(before) or _WORD.search(after))


def _is_possible_abroad(number: str) -> bool:
    import phonenumbers

    try:
        return phonenumbers.is_possible_number(phonenumbers.parse(number))
    except phonenumbers.NumberParseException:
        return False


def _is_valid(number: str, region: str | None) -> bool:
    import phonenumbers

    try:
        return phonenumbers.is_valid_number(phonenumbers.parse(number, region))
    except phonenumbers.NumberParseException:
        return False


_SHAPES = (
    (_INTERNATIONAL, _is_international),
    (_JAPAN, _is_japanese),
    (_AMERICA, _is_american),
    (_ANY, _is_named),
)
