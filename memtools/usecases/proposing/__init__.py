"""What enters: candidates, sorted by the write gate, kept in quarantine."""
