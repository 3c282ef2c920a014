"""What the hooks of git do about a commit: judge it, write its tombstones, follow it."""
