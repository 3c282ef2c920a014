"""The version of this package; a test holds it equal to the one in pyproject.toml.

Must not read package metadata: that costs a hook more than all its other imports.
"""

from __future__ import annotations

VERSION = "0.1.0"
