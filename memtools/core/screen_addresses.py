"""Postal addresses in a text, above all those of Japan: a place down to its house number.

Reads the text of `plain_text`. A prefecture, a town or a postal code alone is nobody's address.
"""

from __future__ import annotations

from memtools.core.pattern import lazy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_COUNT = "[0-9一二三四五六七八九十百]{1,4}"
# Also the numbered streets of Sapporo (`北1条`).
_PLACE = r"(?:[\u3041-\u309f\u30a1-\u30fe\u4e00-\u9fff々〇ヶ]|[0-9](?=[0-9]?条))"
_PREFECTURE = (
    "(?:東京都|北海道|(?:京都|大阪)府"
    "|(?:青森|岩手|宮城|秋田|山形|福島|茨城|栃木|群馬|埼玉|千葉|神奈川|新潟|富山|石川|福井|山梨|長野"
    "|岐阜|静岡|愛知|三重|滋賀|兵庫|奈良|和歌山|鳥取|島根|岡山|広島|山口|徳島|香川|愛媛|高知|福岡"
    "|佐賀|長崎|熊本|大分|宮崎|鹿児島|沖縄)県)"
)
# Three figures are a house number; two may count something.
_FIGURES = "[0-9]{1,4}-[0-9]{1,4}-[0-9]{1,5}(?![0-9-])"
_COUNTED = "(?:名|人|日|時|分|秒|個|件|回|月|年|台|本|枚|版|%|ページ|章|階|割|倍|社|行|点|円)"
_HOUSE = (
    rf"(?:{_COUNT}[ ]?(?:丁目|番地|番[ ]?{_COUNT}[ ]?号)|{_FIGURES}"
    rf"|(?<![はがをにでとも])[0-9]{{1,4}}-[0-9]{{1,4}}(?![0-9-]|[ ]?{_COUNTED}))"
)
_ADDRESS = lazy(rf"{_PREFECTURE}[ ]?{_PLACE}{{1,30}}?[ ]?{_HOUSE}")
_TOWN = lazy(
    rf"[市区郡町村]{_PLACE}{{1,12}}?[ ]?"
    rf"(?:{_COUNT}[ ]?丁目[ ]?(?:{_COUNT}[ ]?番|[0-9]{{1,4}}-)"
    rf"|{_COUNT}[ ]?番地|{_COUNT}[ ]?番[ ]?{_COUNT}[ ]?号|{_FIGURES})"
    # within a ward of a city two figures will do
    rf"|市{_PLACE}{{1,6}}?区{_PLACE}{{1,12}}?(?<![はがをにでとも])"
    rf"[0-9]{{1,4}}-[0-9]{{1,4}}(?![0-9-]|[ ]?{_COUNTED})"
)
_CODE = lazy(
    r"(?:〒[ ]?|郵便番号[ :は]{0,3})[0-9]{3}-?[0-9]{4}[ \n]{0,3}"
    rf"{_PLACE}{{2,30}}?[ ]?[0-9一二三四五六七八九十]"
)
_ROMAJI = lazy(
    r"(?<![0-9-])[0-9]{1,4}-[0-9]{1,4}(?:-[0-9]{1,4})?,?[ ](?:[A-Z][\w'-]{1,30},?[ ]){0,3}"
    r"[A-Z][\w']{1,30}-(?:ku|shi|machi|cho|gun|mura)(?![a-z])"
)
_STREET = (
    "(?:Street|St|Avenue|Ave|Road|Rd|Lane|Ln|Drive|Dr|Boulevard|Blvd|Terrace|Court|Ct|Place|Pl"
    "|Square|Way|Close|Crescent|Gardens|Parkway)"
)
# House, street, town and postal code of other countries: only all of them are an address.
_WESTERN = lazy(
    rf"(?<![0-9.-])[0-9]{{1,5}}[A-Z]?[ ](?:[NSEW]\.?[ ])?(?:[A-Z][\w'.]{{0,20}}[ ]){{1,4}}{_STREET}"
    r"(?![a-z])[^\n]{0,60}?(?:[A-Z]{2}[ ][0-9]{5}(?![0-9])"
    r"|(?<![A-Z])[A-Z]{1,2}[0-9][0-9A-Z]?[ ][0-9][A-Z]{2}(?![A-Z0-9]))"
    r"|[A-ZÄÖÜ][\w.-]{1,30}(?:straße|strasse|str\.|weg|platz|allee|gasse)[ ][0-9]{1,4}[ ]?[a-z]?"
    r"[, \n]{1,3}(?:D-|A-|CH-)?[0-9]{4,5}[ ][A-ZÄÖÜ]"
    r"|(?<![0-9])[0-9]{1,4}(?:[ ]?(?:bis|ter))?,?[ ]"
    r"(?:rue|avenue|boulevard|place|quai|allée|chemin)[ ][^\n,]{2,40}[, \n]{1,3}[0-9]{5}[ ][A-Z]"
)
_SHAPES = (_ADDRESS, _TOWN, _CODE, _ROMAJI, _WESTERN)
_VOWEL_MARK = lazy("(?<=[0-9])\u30fc(?=[0-9])")
_DASHES = dict.fromkeys((*range(0x2010, 0x2016), 0x2212, 0x2500, 0xFE58), "-")


def addresses_in(plain: str) -> Iterator[tuple[str, int]]:
    """Offsets of postal addresses."""
    text = _VOWEL_MARK.sub("-", plain.translate(_DASHES))
    shapes = (_ROMAJI, _WESTERN) if text.isascii() else _SHAPES
    for shape in shapes:
        for match in shape.finditer(text):
            yield "postal-address", match.start()
