"""Japanese twins of the sentences people read, by their English template.

Loaded only when Japanese is spoken. A new `say` template gets its twin in the module of its topic
(a test demands it).
"""

from __future__ import annotations

from memtools.entrypoints.japanese import (
    activating,
    agents,
    authority,
    changing,
    checking,
    erasing,
    headers,
    hooks,
    installing,
    markers,
    proposing,
    reading,
    rendering,
    settings,
    tending,
)

JA: dict[str, str] = {
    **settings.JA,
    **headers.JA,
    **markers.JA,
    **hooks.JA,
    **installing.JA,
    **checking.JA,
    **changing.JA,
    **erasing.JA,
    **proposing.JA,
    **reading.JA,
    **activating.JA,
    **rendering.JA,
    **agents.JA,
    **tending.JA,
    **authority.JA,
}
