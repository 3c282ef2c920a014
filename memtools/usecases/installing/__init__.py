"""`init`, `connect` and `uninstall`: into a repository and agents' settings, and out again."""
