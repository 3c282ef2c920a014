"""The faces: parse, dispatch, turn values into text; no decisions."""
