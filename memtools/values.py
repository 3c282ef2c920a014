"""`NamedTuple`, the base of every value, at a price a hook can pay.

The same as `typing.NamedTuple`, which a type checker is shown. Importing `typing` takes 8 CPU ms,
each class made with it 0.3 more, since it compiles every annotation: with some fifty values twice
what bare Python takes to start.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple as NamedTuple
else:
    from collections import namedtuple

    class _AsNamedTuple(type):
        """Turns the body of a class (annotated fields, defaults, methods) into a namedtuple."""

        def __new__(cls, name, bases, body):
            if not bases:
                return super().__new__(cls, name, bases, body)
            fields = body["__annotations__"]
            defaults = [body.pop(field) for field in fields if field in body]
            made = namedtuple(name, fields, defaults=defaults, module=body["__module__"])
            for key, value in body.items():
                setattr(made, key, value)
            return made

    class NamedTuple(metaclass=_AsNamedTuple):
        """An immutable value with named fields."""
