"""Status words nobody mapped: which, in how many memories, and the settings line that maps each.

Must not map any of them: whether a word lets a memory speak is the person's to say.
"""

from __future__ import annotations

from pathlib import Path

from memtools.config import SETTINGS_FILE, parse_config
from memtools.core.memory import read_memory
from memtools.core.wording import Said, say

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from memtools.core.problem import Problem
    from memtools.git.run import Git

_MOST = 10  # words a person is shown at once


def count_unknown_words(problems: Iterable[Problem]) -> dict[str, int]:
    """Word -> how often the problems of memories name it, the most frequent first."""
    found: dict[str, int] = {}
    for problem in problems:
        if problem.rule == "status-unknown" and isinstance(problem.message, Said):
            word = str(problem.message.values["word"])
            found[word] = found.get(word, 0) + 1
    return dict(sorted(found.items(), key=lambda item: (-item[1], item[0])))


def mapping_lines(words: Mapping[str, int]) -> tuple[Said, ...]:
    """What to type for each word; of very many words the most frequent ones."""
    lines = [
        say(
            "the status `{word}` is not in the vocabulary, so memories with it stay hidden (here: "
            "{count}); to map it, put below a line [vocabulary.status] (without a #) in "
            '.memtools.toml, and commit that: {key} = "active" (or "candidate", or "retracted")',
            count=count,
            word=word,
            key=_toml_text(word),
        )
        for word, count in list(words.items())[:_MOST]
    ]
    if len(words) > _MOST:
        rest = len(words) - _MOST
        lines.append(say("further status words outside the vocabulary: {count}", count=rest))
    return tuple(lines)


def unknown_words_in(git: Git, notes: str) -> tuple[Said, ...]:
    """The lines for the notes on disk in the folder `notes`, without the files git ignores."""
    if not Path(notes).is_dir():
        return ()
    settings = Path(notes, SETTINGS_FILE)
    config, _ = parse_config(settings.read_bytes() if settings.is_file() else None)
    asked = ("ls-files", "-z", "--cached", "--others", "--exclude-standard")
    paths = dict.fromkeys(git.names(f"--work-tree={notes}", *asked))
    files = (Path(notes, path) for path in paths if config.selection.holds(path))
    readable = (file for file in files if file.is_file() and not file.is_symlink())
    read = (read_memory(str(file), file.read_bytes(), config.vocabulary) for file in readable)
    return mapping_lines(count_unknown_words(found for note in read for found in note.problems))


def _toml_text(word: str) -> str:
    """The word as a TOML string."""
    plain = word.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(c if c.isprintable() else f"\\u{ord(c):04X}" for c in plain) + '"'
