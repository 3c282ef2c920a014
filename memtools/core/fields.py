"""What the fields of a header mean to memtools, each with its problems.

Must not know how a header is parsed; it works on the entries of `header.py`.
"""

from __future__ import annotations

from memtools.core.header import Header
from memtools.core.header_lines import OTHER, Entry, Value
from memtools.core.invisible import strip_invisible
from memtools.core.pattern import lazy
from memtools.core.problem import Problem, problem
from memtools.core.vocabulary import Priority, Status, Vocabulary, read_priority, read_status
from memtools.core.wording import say

# Of several statuses the first of these counts: a memory never speaks by mistake.
_MOST_RESTRICTIVE = (Status.RETRACTED, Status.UNKNOWN, Status.CANDIDATE, Status.ACTIVE)
_QUIETEST = (Priority.LOW, Priority.NORMAL, Priority.HIGH)
_LEAST_SURE = ("external", "inferred", "extracted", "stated")
_NULLS = frozenset(("~", "null", "Null", "NULL"))
_NUMBER = lazy(r"[0-9]{0,9}\.?[0-9]{1,18}\Z")


class Fields:
    """The fields of one header, read one by one; `problems` grows as they are read."""

    __slots__ = ("_header", "_line", "_path", "_repeated", "_vocabulary", "problems")

    def __init__(self, path: str, header_line: int, header: Header, vocabulary: Vocabulary) -> None:
        self._path = path
        self._line = header_line
        self._header = header
        self._vocabulary = vocabulary
        self._repeated = len(header.entries) > len({entry.key for entry in header.entries})
        self.problems: list[Problem] = []

    def _values(self, key: str) -> list[Value]:
        """Every value of a key: more than one only where the key is repeated."""
        if self._repeated:
            return [e.value for e in self._header.entries if e.key == key and e.value != ""]
        value = self._header.fields.get(key)
        return [] if value is None else [value]

    def _at(self, key: str) -> int:
        lines = [entry.line for entry in self._header.entries if entry.key == key]
        return self._line + (lines[0] if lines else 0)

    def _report(self, key: str, line: int, rule: str, message: str, hint: str) -> None:
        self.problems.append(problem(self._path, line or self._at(key), rule, message, hint))

    def text(self, key: str) -> str:
        """A field's text, trimmed; "" when absent, null, or not text (a problem)."""
        value = self._header.fields.get(key)
        if value is None:
            return ""
        if isinstance(value, str):
            return "" if value in _NULLS else value.strip()
        self._not_text(key)
        return ""

    def _not_text(self, key: str) -> None:
        message = say("`{key}` is not one text", key=key)
        self._report(key, 0, "field-invalid", message, say("write the value on one line"))

    def texts(self, key: str) -> tuple[str, ...]:
        """A field that is one text or a list of texts."""
        value = self._header.fields.get(key)
        if value is None:
            return ()
        if value is OTHER:
            message = say("`{key}` is neither a text nor a list of texts", key=key)
            self._report(key, 0, "field-invalid", message, say("write one entry a line"))
            return ()
        given = (value,) if isinstance(value, str) else value
        return tuple(text.strip() for text in given if text.strip() and text not in _NULLS)

    def tags(self) -> tuple[str, ...]:
        """Tags without `#`; one text may hold several, parted by commas, else by blanks."""
        value = self._header.fields.get("tags")
        if value is None:
            return ()
        given = self.texts("tags")
        if isinstance(value, str) and given:
            given = tuple(given[0].split("," if "," in given[0] else None))
        return tuple(tag for tag in (text.strip().lstrip("#") for text in given) if tag)

    def source(self) -> str:
        """One of our words; of several the least sure one counts.

        "" for anything else: in wild notes the key is often theirs.
        """
        values = [value for value in self._values("source") if isinstance(value, str)]
        words = [value.strip().lower() for value in values]
        return next((word for word in _LEAST_SURE if word in words), "")

    def failure_cost(self) -> str:
        """`low`, `high`, or "" when not stated; of two values the high one counts."""
        values = [value for value in self._values("failure_cost") if value not in _NULLS]
        costs = [value.strip().lower() if isinstance(value, str) else "" for value in values]
        if any(cost not in ("low", "high") for cost in costs):
            message = say("`failure_cost` is neither low nor high")
            self._report("failure_cost", 0, "field-invalid", message, say("write low or high"))
        return "high" if "high" in costs else "low" if "low" in costs else ""

    def confidence(self) -> float | None:
        """A number from 0 to 1; of two values the smaller one counts."""
        numbers: list[float] = []
        for value in self._values("confidence"):
            text = value.strip() if isinstance(value, str) else ""
            number = float(text) if _NUMBER.match(text) else -1.0
            if 0.0 <= number <= 1.0:
                numbers.append(number)
            elif text not in _NULLS:
                message = say("`confidence` is not a number from 0 to 1")
                hint = say("write it like 0.8, or remove the line")
                self._report("confidence", 0, "field-invalid", message, hint)
        return min(numbers) if numbers else None

    def priority(self) -> Priority:
        """The quietest priority stated; normal when none is, or when the word is unknown."""
        values = self._values("priority")
        if not values:
            return Priority.NORMAL
        found: list[Priority] = []
        for value in values:
            read = read_priority(value, self._vocabulary) if isinstance(value, str) else None
            if read is None and value not in _NULLS:
                word = value if isinstance(value, str) else say("a list")
                message = say("the priority `{word}` is not in the vocabulary", word=word)
                hint = say("write high, normal or low, or map the word in [vocabulary.priority]")
                self._report("priority", 0, "priority-unknown", message, hint)
            found.append(read or Priority.NORMAL)
        return min(found, key=_QUIETEST.index)

    def scope(self) -> tuple[str, bool]:
        """The scope ("": none), and whether that is sure.

        It is not where several are stated, something else than one text, or one nobody can see.
        `Scope` in other capitals counts only while no lower-case `scope` stands beside it.
        """
        values = self._values("scope")
        if not values:
            entries = self._in_capitals("scope")
            values = [entry.value for entry in entries if entry.value != ""]
        if len(set(values)) != 1:
            return "", not values
        value = values[0]
        if not isinstance(value, str):
            self._not_text("scope")
            return "", False
        text = "" if value in _NULLS else value.strip()
        return text, not text or strip_invisible(text).strip() != ""

    def status(self) -> Status:
        """The most restrictive status stated; active when none is.

        `Status` in other capitals counts only while no lower-case `status` stands beside it.
        """
        lanes = self._header.fields
        if not self._repeated and isinstance(lanes.get("status"), str):
            quick = read_status(str(lanes["status"]).strip(), self._vocabulary)
            if quick is not Status.UNKNOWN:
                return quick
        entries = self._header.entries
        stated = [entry for entry in entries if entry.key == "status"]
        if not stated:
            stated = self._in_capitals("status")
        found = [self._one_status(e.value, self._line + e.line) for e in stated if e.value != ""]
        return min(found, key=_MOST_RESTRICTIVE.index, default=Status.ACTIVE)

    def _in_capitals(self, key: str) -> list[Entry]:
        """The entries of a key that restricts, written in other capitals; each is reported."""
        found = [e for e in self._header.entries if e.key != key == e.key.strip().casefold()]
        for entry in found:
            message = say("`{key}` is read like `{meant}`", key=entry.key, meant=key)
            hint = say("write the key in lower case")
            self._report("", self._line + entry.line, "header-key-case", message, hint)
        return found

    def _one_status(self, value: Value, line: int) -> Status:
        if not isinstance(value, str):
            message = say("`status` is not one word")
            hint = say("write `status: active`, candidate or retracted")
            self._report("status", line, "status-not-text", message, hint)
            return Status.UNKNOWN
        status = read_status(value.strip(), self._vocabulary)
        if status is Status.UNKNOWN and value.strip():
            message = say("the status `{word}` is not in the vocabulary", word=value.strip())
            hint = say(
                'map it: in .memtools.toml put "{word}" = "active" '
                "below a line [vocabulary.status]",
                word=value.strip(),
            )
            self._report("status", line, "status-unknown", message, hint)
        return status if value.strip() else Status.ACTIVE
