"""Where hooks of git and of agents enter: `python -I -S start.py hook STAGE`, `… start.py turn`.

Python compiles a script anew at each start, so what there is to do stands in `starting.py`.
"""

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_DAMAGED = 70  # not 1: the shims take that for a refusal


def main(argv: list[str]) -> int:
    """Run `hook STAGE`, `turn` or any verb; what cannot even be loaded is no refusal."""
    if HERE not in sys.path:
        sys.path.insert(0, HERE)
    try:
        from memtools.starting import run

        return run(argv)
    except Exception as error:  # all else is caught inside
        what = " ".join(f"{type(error).__name__}: {error}".split())
        sys.stderr.write(f"memtools: this installation is damaged ({what}); install it again\n")
        is_turn = argv[:1] != ["hook"] and "turn" in argv  # an agent sees no other code than 0
        return 0 if is_turn else _DAMAGED


def run_and_leave() -> "NoReturn":
    """The program: run, and end the process at once.

    All is written and flushed by then; taking the modules down would take 5 CPU ms.
    """
    os._exit(main(sys.argv[1:]))


if __name__ == "__main__":
    run_and_leave()
