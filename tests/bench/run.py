"""`make bench`: speed as ratios, both sides in one run. Prints a table and writes build/bench.json.

`make bench ARGS="view tokens"` runs those parts alone. The status is 0 whether the goals are kept or not: the machines
are noisy, and the table says which were missed.
"""

import json
import sys
from importlib import import_module
from pathlib import Path
from typing import cast

from PySide6.QtWidgets import QApplication

TOP = Path(__file__).parents[2]
sys.path.insert(0, str(TOP / "tests"))

from bench.figures import Figure, told  # noqa: E402 - found only once the folder is on the path
from thinkpane.ui import theme  # noqa: E402
from thinkpane.ui.application import make_application  # noqa: E402

PARTS = ("keystroke", "tokens", "tracing", "view", "panes", "window", "diff", "decoding")
"""The modules of this folder that hold a `measure(application)`, in the order in which they run."""


def main(wanted: list[str]) -> int:
    """Runs the wanted parts, all where none is named."""
    unknown = [each for each in wanted if each not in PARTS]
    if unknown:
        print(f"There is no part “{unknown[0]}” of the bench; there are {', '.join(PARTS)}.", file=sys.stderr)
        return 2
    application = make_application()
    theme.use(application, "dark")
    figures = [each for part in wanted or PARTS for each in _measured(part, application)]
    _print(figures)
    report = TOP / "build" / "bench.json"
    report.parent.mkdir(exist_ok=True)
    report.write_text(json.dumps([each.as_json() for each in figures], indent=2) + "\n", encoding="utf-8")
    return 0


def _measured(part: str, application: QApplication) -> list[Figure]:
    print(f"measuring {part} …", file=sys.stderr)
    return cast("list[Figure]", import_module(f"bench.{part}").measure(application))


def _print(figures: list[Figure]) -> None:
    width = max((len(each.name) for each in figures), default=0)
    print(f"{'':{width}}  {'ours':>9}  {'theirs':>9}     {'theirs/ours':>8}   goal")
    for each in figures:
        print(told(each, width))
    goals = [each for each in figures if each.bound]
    print(f"goals kept: {sum(each.met for each in goals)} of {len(goals)}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
