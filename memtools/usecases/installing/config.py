"""The part of `init` that registers: our entries of the git config, and the merge driver's lines.

Must not write anything itself: it returns steps.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

from memtools.core.wording import say
from memtools.files import write_whole
from memtools.git import attributes
from memtools.git.place import local_config
from memtools.usecases.installing.record import Part, Record, Step, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memtools.git.place import Place
    from memtools.git.shims import Program


def plan_config(
    place: Place, program: Program, *, is_japanese: bool, is_server: bool = False
) -> Part:
    """Our entries; another machine's interpreters stay, the driver is the one of this machine.

    A server merges nothing.
    """
    now = local_config(place.git)
    several = "memtools.python"
    wanted = {several: program.python}
    if not is_server:
        wanted["merge.memtools.name"] = "memtools: front matter key by key, retracted wins"
        wanted["merge.memtools.driver"] = attributes.driver_command(program)
    if "memtools.lang" not in now and is_japanese:
        wanted["memtools.lang"] = "ja"
    steps, kept, entries = [], [], []
    for key, value in wanted.items():
        if value in now.get(key, ()):
            kept.append(_shown_key(place, key))
            continue
        how = "--add" if key == several else "--replace-all"
        steps.append(config_step(place, how, key, value))
        entries.append((key, value))
    return Part(tuple(steps), tuple(kept), record=Record(config=tuple(entries)))


def config_step(place: Place, how: str, key: str, value: str) -> Step:
    """One `git config --local HOW KEY VALUE`."""
    return Step(
        _shown_key(place, key), partial(place.git.run, "config", "--local", how, key, value)
    )


def _shown_key(place: Place, key: str) -> str:
    return f"{shown(Path(place.common_dir, 'config'), place.top)}: {key}"


def plan_attributes(place: Place) -> Part:
    """Our lines in the common info/attributes, above those of the person."""
    target = Path(place.common_dir, "info", "attributes")
    data = target.read_bytes() if target.is_file() else b""
    wanted = attributes.wanted_block(place.git, place.top, data)
    name = shown(target, place.top)
    if not wanted.block:
        line = say(
            "your attributes set merge={value} for *.md, so the merge driver stays unused; to use "
            "it, write `*.md merge=memtools` there",
            value=wanted.theirs,
        )
        return Part(notices=() if wanted.theirs == attributes.DRIVER else (line,))
    after = attributes.with_block(data, wanted.block)
    if after == data:
        return Part(kept=(name,))
    absent = [("attributes", target), ("info", target.parent)]
    created = tuple(word for word, path in absent if not path.exists())
    mode = target.stat().st_mode & 0o777 if target.exists() else 0o644
    step = Step(name, partial(_write_attributes, target, after, mode))
    return Part((step,), record=Record(created=created))


def _write_attributes(target: Path, data: bytes, mode: int) -> None:
    target.parent.mkdir(exist_ok=True)
    write_whole(str(target), data, mode)
