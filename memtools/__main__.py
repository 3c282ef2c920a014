"""`python -m memtools`.

Python looks for modules in the folder one stands in first, which may be a repository of somebody
else's: from there nothing is loaded, unless memtools itself was.
"""

import sys

from memtools import start

if not sys.flags.safe_path and sys.path[0] != start.HERE:
    del sys.path[0]

start.run_and_leave()
