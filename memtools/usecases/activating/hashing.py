"""One hash, at the price of one small module of C.

`hashlib` loads OpenSSL first, which takes a quarter of the time a turn has.
"""

from __future__ import annotations

try:
    from _blake2 import blake2b
except ImportError:  # another Python than CPython
    from hashlib import blake2b


def hashed(data: bytes) -> bytes:
    """16 bytes that stand for `data`."""
    return blake2b(data, digest_size=16).digest()
