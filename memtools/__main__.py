"""`python -m memtools`."""

import sys

from memtools.entrypoints.main import main

sys.exit(main())
