"""`check`: a whole tree, staging or a range, judged without the kept ledger."""
