"""The memories as files: blocks of AGENTS.md and the like, a folder of copies, rows to export."""
