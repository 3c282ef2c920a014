"""`python -m memtools`."""

from memtools.start import run_and_leave

run_and_leave()
