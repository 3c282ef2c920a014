"""Help for a phrase that hits too much or nothing: longer phrases, and the nearest lines.

Must not decide what is retracted: everything here is text for a hint.
"""

from __future__ import annotations

import unicodedata

from memtools.core.invisible import CJK, is_cjk
from memtools.core.pattern import lazy
from memtools.core.phrase import bare, first_rows, haystack, hits, normalise, phrase_fault

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from memtools.core.phrase import Haystack

    Window = tuple[str, str, bool]  # text, path, may a phrase be taken from it?

MAX_COLUMNS = 120
MAX_OCCURRENCES = 200_000
LEAST_SHARED = 0.5
_QUOTES = "\"'`“”„‘’‚«»‹›「」『』〈〉《》＂＇"
_RUNS = lazy(f"[{CJK}]+|[^\\W_{CJK}]+")


def longer_phrases(
    phrase: str, texts: Mapping[str, tuple[str, str]], min_columns: int
) -> dict[str, str]:
    """For each path that `phrase` hits, the shortest longer phrase that hits it alone ("": none).

    It ends at the end of a word, to the right if that is enough, else to the left; at most
    120 columns. It does not run from the heading into the text below, and none is taken from a
    memory with a secret in it.
    """
    stacks = {path: haystack(title, body) for path, (title, body) in texts.items()}
    found = {path: "" for path, stack in stacks.items() if hits(phrase, stack)}
    plain = bare(phrase)
    told = {path for path in found if _may_be_quoted(*texts[path])}
    parts = [
        (path, part, is_offered and path in told)
        for path in found
        for path, part, is_offered in _parts(path, stacks[path])
    ]
    if not plain or sum(part.count(plain) for _, part, _ in parts) > MAX_OCCURRENCES:
        return found
    for backwards in (False, True):
        windows = sorted(
            (window, path, is_offered)
            for path, part, is_offered in parts
            for window in _windows(part, plain, backwards)
        )
        best: dict[str, str] = {}
        for (window, path, is_offered), shared in _with_shared(windows):
            if found[path] or not is_offered:
                continue
            longer = _cut(window, shared, len(plain), min_columns, backwards)
            if longer and (path not in best or len(longer) < len(best[path])):
                best[path] = longer
        found.update(best)
    return found


def _may_be_quoted(title: str, body: str) -> bool:
    from memtools.core.screen_secrets import quotes_secret

    return not quotes_secret(f"{title}\n{body}")


def _parts(path: str, stack: Haystack) -> Iterator[tuple[str, str, bool]]:
    """(path, text, may a phrase be taken from it?) of what `hits` looks through."""
    title, body = stack.bare_title, stack.bare_body
    text = body.lstrip("# ")
    has_heading = title != "" and text.startswith(title)
    yield path, title, True
    yield path, text.removeprefix(title).lstrip() if has_heading else body, True
    if has_heading:
        yield path, body, False


def _windows(text: str, phrase: str, backwards: bool) -> Iterator[str]:
    """What begins with each occurrence of the phrase; backwards: mirrored, what ends with it."""
    start = text.find(phrase)
    while start >= 0:
        end = start + len(phrase)
        if backwards:
            yield text[max(0, end - MAX_COLUMNS - 1) : end][::-1]
        else:
            yield text[start : start + MAX_COLUMNS + 1]
        start = text.find(phrase, start + 1)


def _with_shared(windows: list[Window]) -> Iterator[tuple[Window, int]]:
    """Each window with the count of characters it shares with any window of another path."""
    shared = [0] * len(windows)
    order = range(len(windows))
    for rows in (order, reversed(order)):
        last, other = -1, -1
        for row in rows:
            if last >= 0 and windows[last][1] != windows[row][1]:
                other = last
            if other >= 0:
                shared[row] = max(shared[row], _common(windows[row][0], windows[other][0]))
            last = row
    return zip(windows, shared, strict=True)


def _common(one: str, two: str) -> int:
    length = 0
    for left, right in zip(one, two, strict=False):
        if left != right:
            break
        length += 1
    return length


def _cut(window: str, shared: int, least: int, min_columns: int, backwards: bool) -> str:
    """The shortest fit phrase in the window that is longer than `shared` and ends with a word."""
    for end in range(max(shared + 1, least), min(len(window), MAX_COLUMNS) + 1):
        if not _ends_word(window, end):
            continue
        phrase = window[:end][::-1] if backwards else window[:end]
        if _columns(phrase) > MAX_COLUMNS:
            return ""
        if bare(phrase) == phrase and not phrase_fault(phrase, min_columns):
            return phrase
    return ""


def _ends_word(text: str, end: int) -> bool:
    last, following = text[end - 1], text[end : end + 1]
    if not (last.isalnum() or _joins(last)):
        return False
    return not (following and _joins(last) and _joins(following))


def _joins(ch: str) -> bool:
    return (ch.isalnum() and not is_cjk(ch)) or unicodedata.combining(ch) > 0


def _columns(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(ch) in "WF" else 1 for ch in text)


def nearest_lines(
    phrase: str, texts: Mapping[str, tuple[str, str]], limit: int = 3
) -> tuple[tuple[str, int, str], ...]:
    """The lines nearest to a phrase that hits nothing, best first, as (path, line, text).

    `line` counts from 1 over the body, 0 is the title. First come lines that differ in letter case,
    width or quotes only (`difference` says in which), then those that share most words or pairs of
    characters. A memory with a secret in it is not quoted.
    """
    wanted = _folded(phrase)
    tokens = _tokens(wanted)
    ranked: list[tuple[float, str, int, str]] = []
    for path, (title, body) in texts.items():
        entry = _all_but_equal(wanted, title, body) or _most_shared(tokens, title, body)
        if entry is not None and _may_be_quoted(title, body):
            score, line, text = entry
            ranked.append((-score, path, line, text[:MAX_COLUMNS]))
    return tuple((path, line, text) for _, path, line, text in sorted(ranked)[:limit])


def difference(phrase: str, text: str) -> str:
    """In what alone the phrase and its place in `text` differ: "case", "width", "quotes" or ""."""
    ways: tuple[tuple[str, Callable[[str], str]], ...] = (
        ("case", str.casefold),
        ("width", lambda part: normalise(unicodedata.normalize("NFKC", part))),
        ("quotes", lambda part: part.strip(_QUOTES + " ")),
    )
    for name, fold in ways:
        wanted = fold(bare(phrase))
        if wanted and wanted in (bare(text) if name == "quotes" else fold(bare(text))):
            return name
    return ""


def _folded(text: str) -> str:
    plain = bare(text.strip().strip(_QUOTES))
    return normalise(unicodedata.normalize("NFKC", plain)).casefold()


def _all_but_equal(wanted: str, title: str, body: str) -> tuple[float, int, str] | None:
    if not wanted:
        return None
    lines = body.split("\n")
    rows = first_rows(lines, lambda part: wanted in _folded(part))
    if rows is not None:
        return 2.0, rows[0] + 1, normalise("\n".join(lines[rows[0] : rows[1]]))
    return (2.0, 0, normalise(title)) if wanted in _folded(title) else None


def _most_shared(tokens: set[str], title: str, body: str) -> tuple[float, int, str] | None:
    if not tokens:
        return None
    best: tuple[float, int, str] | None = None
    for row, line in enumerate([title, *body.split("\n")]):
        score = len(tokens & _tokens(_folded(line))) / len(tokens)
        if score >= LEAST_SHARED and (best is None or score > best[0]):
            best = (score, row, normalise(line))
    return best


def _tokens(folded: str) -> set[str]:
    """Words, and of CJK runs the pairs of neighbours."""
    found: set[str] = set()
    for run in _RUNS.findall(folded):
        if is_cjk(run[0]) and len(run) > 1:
            found.update(run[i : i + 2] for i in range(len(run) - 1))
        else:
            found.add(run)
    return found
