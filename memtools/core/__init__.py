"""Pure values and decisions: bytes and values in, values out; no I/O, clock, git or tantivy."""
