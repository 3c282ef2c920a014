"""One file per verb; the only room that sees git, core and search."""
