"""JSON that is safe wherever it is shown.

Imported only for `--json`, since json costs a start as much as two git calls.
"""

from __future__ import annotations

import json
import re

# What JSON leaves as it is but a terminal would act on, or cannot show: C1, bidi, lone surrogates.
_UNSAFE = re.compile(
    "[\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff"
    "\U000e0000-\U000e007f]"
)


def encode(values: object, codec: str) -> str:
    """One line of JSON; readable where `codec` can hold any character, else in plain ASCII."""
    plain = json.dumps(values, ensure_ascii=not codec.lower().startswith("utf"))
    return _UNSAFE.sub(lambda found: json.dumps(found[0])[1:-1], plain)
