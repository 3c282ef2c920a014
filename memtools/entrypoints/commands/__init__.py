"""One module a verb: its options as a Verb, the call of its use case, the printing of what came."""
