"""One fuzz target under atheris: `python -m tests.fuzz.target NAME SECONDS [libFuzzer options]`."""

import sys
from pathlib import Path

HERE = Path(__file__).parent


def main(name: str, seconds: str, *more: str) -> None:
    import atheris

    # libFuzzer looks at what is loaded here and at no package of others.
    with atheris.instrument_imports(include=["memtools"]):
        from tests.fuzz.promises import TARGETS
    kept = HERE / "corpus" / name
    kept.mkdir(parents=True, exist_ok=True)
    found = HERE / "found"
    found.mkdir(exist_ok=True)
    options = [
        f"-max_total_time={seconds}",
        "-timeout=10",
        "-rss_limit_mb=1024",
        "-max_len=20000",
        "-use_value_profile=1",
        f"-artifact_prefix={found}/{name}-",
    ]
    atheris.Setup([sys.argv[0], *options, *more], TARGETS[name])
    atheris.Fuzz()


if __name__ == "__main__":
    main(*sys.argv[1:])
