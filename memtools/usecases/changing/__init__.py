"""Commands that change memories, in commits of our own: retract, restore, sweep, new."""
