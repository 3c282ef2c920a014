"""`NamedTuple`, the base of every value, at a price a hook can pay.

The same as `typing.NamedTuple`, which a type checker is shown: a tuple with named fields. Made
without `typing`, whose import takes 8 CPU ms, and without `collections.namedtuple`, which compiles
code for each class: with some fifty values both together take as long as bare Python to start.
"""

from __future__ import annotations

from _operator import itemgetter  # `operator` itself is a module more

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple as NamedTuple
else:

    class _AsNamedTuple(type):
        """Turns annotated fields and their defaults into places of a tuple."""

        def __new__(cls, name, bases, body):
            if not bases:
                return super().__new__(cls, name, (tuple,), body)
            fields = tuple(body.get("__annotations__", ()))
            body["_fields"] = body["__match_args__"] = fields
            body["_field_defaults"] = {field: body[field] for field in fields if field in body}
            for place, field in enumerate(fields):
                body[field] = property(itemgetter(place))
            body["__slots__"] = ()
            return super().__new__(cls, name, bases, body)

    class NamedTuple(metaclass=_AsNamedTuple):
        """An immutable value with named fields."""

        __slots__ = ()
        _fields = ()

        def __new__(cls, *values, **named):
            """A value of its fields, given by place or by name; those with a default may lack."""
            if named or len(values) != len(cls._fields):
                values = cls._complete(values, named)
            return tuple.__new__(cls, values)

        @classmethod
        def _complete(cls, values, named):
            """All values in their order: those given by place, by name, and the defaults."""
            if len(values) > len(cls._fields):
                raise TypeError(f"{cls.__name__} takes at most {len(cls._fields)} values")
            rest = cls._fields[len(values) :]
            known = {**cls._field_defaults, **named}
            missing = [field for field in rest if field not in known]
            if missing or not set(named) <= set(rest):
                wrong = missing or sorted(set(named) - set(rest))
                raise TypeError(f"{cls.__name__}: missing, unknown or given twice: {wrong}")
            return (*values, *(known[field] for field in rest))

        @classmethod
        def _make(cls, values):
            """A value of a sequence that holds every field."""
            made = tuple.__new__(cls, values)
            if len(made) != len(cls._fields):
                raise TypeError(f"{cls.__name__}: {len(made)} values for {len(cls._fields)} fields")
            return made

        def _replace(self, **changes):
            """The same with some fields changed."""
            return type(self)(**{**self._asdict(), **changes})

        def _asdict(self):
            """Field name -> value."""
            return dict(zip(self._fields, self, strict=True))

        def __repr__(self):
            shown = ", ".join(f"{name}={value!r}" for name, value in self._asdict().items())
            return f"{type(self).__name__}({shown})"

        def __getnewargs__(self):
            return tuple(self)
