"""`doctor`: the health of a repository, and the mending of what can be mended safely."""
