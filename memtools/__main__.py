"""`python -m memtools`."""

from memtools.entrypoints.main import run_and_leave

run_and_leave()
