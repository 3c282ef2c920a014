"""`erase`: bytes of a memory taken out of history, and the proof that they are gone."""
