"""Postal addresses of Japan in a text: a place down to its house number.

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
)
_CODE = lazy(
    r"(?:〒[ ]?|郵便番号[ :は]{0,3})[0-9]{3}-?[0-9]{4}[ \n]{0,3}"
    rf"{_PLACE}{{2,30}}?[ ]?[0-9一二三四五六七八九十]"
)
_DASHES = dict.fromkeys((*range(0x2010, 0x2016), 0x2212, 0x2500, 0xFE58), "-")


def addresses_in(plain: str) -> Iterator[tuple[str, int]]:
    """Offsets of postal addresses."""
    text = plain.translate(_DASHES)
    for shape in (_ADDRESS, _TOWN, _CODE):
        for match in shape.finditer(text):
            yield "postal-address", match.start()
