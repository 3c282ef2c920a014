"""Use cases, grouped by what a person is doing; the only room that sees git, core and search."""
