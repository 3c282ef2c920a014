"""`init` and `uninstall`: into a repository and out of it again."""
