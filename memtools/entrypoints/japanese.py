"""Japanese twins of the sentences people read, by their English template."""

from __future__ import annotations

from memtools.core.wording import Said

JA: dict[str, str] = {}


def translate(said: str) -> str:
    """A sentence in Japanese; what was not made by `say`, or has no twin, stays English.

    Values that are sentences themselves are translated too.
    """
    if not isinstance(said, Said) or said.template not in JA:
        return said
    values = {
        name: translate(value) if isinstance(value, str) else value
        for name, value in said.values.items()
    }
    return JA[said.template].format(**values) if values else JA[said.template]
