"""Many targets tried on many memories at once point at what each points at alone."""

from memtools.core.facts import STEM, study, target_hits, targets_hit
from memtools.core.memory import read_memory

FILES = {
    "a.md": b"---\nid: one\ntitle: Cache\n---\nThe disk cache was **the root** cause.\n",
    "sub/b.md": "# 同期\n\nキャッシュが本当の原因だった。\n".encode(),
    "c.md": b"# C\n\nRETRACTS: the disk cache was the root\n\nIt was the pool.\n",
}
TARGETS = (
    *(
        "disk cache was the root cause",
        "was **the root**",
        "本当の原因",
        "It was the pool",
        "nowhere",
    ),
    *("Cache", "a.md", "[[b]]", "[[Cache]]", "id:one", f"{STEM}b", "", "RETRACTS: the disk"),
)


def test_targets_tried_together_hit_what_each_hits_alone():
    studied = [study(read_memory(path, raw), path) for path, raw in FILES.items()]
    together = set(targets_hit(TARGETS, studied))
    alone = {(t, s.facts.path) for t in TARGETS for s in studied if target_hits(t, s)}
    assert together == alone
    assert ("disk cache was the root cause", "a.md") in together
    assert ("[[b]]", "sub/b.md") in together
