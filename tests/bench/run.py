"""`make bench`: speed as ratios, both sides in one run. Prints a table and writes build/bench.json."""

import json
import sys
from pathlib import Path

TOP = Path(__file__).parents[2]
sys.path.insert(0, str(TOP / "tests"))

from bench import keystroke, tokens, tracing, view  # noqa: E402 - found only once the folder is on the path
from bench.figures import Figure  # noqa: E402
from thinkpane.ui import theme  # noqa: E402
from thinkpane.ui.application import make_application  # noqa: E402


def main() -> int:
    """Runs every bench."""
    application = make_application()
    theme.use(application, "dark")
    figures: list[Figure] = [
        *keystroke.measure(application),
        *tokens.measure(),
        *tracing.measure(),
        *view.measure(application),
    ]
    width = max(len(each.name) for each in figures)
    print(f"{'':{width}}  {'ours ms':>9}  {'other ms':>9}  {'ratio':>7}")
    for each in figures:
        print(f"{each.name:{width}}  {each.ours:9.2f}  {each.theirs:9.2f}  {each.ratio:6.1f}x")
    report = [{"name": each.name, "ours": each.ours, "theirs": each.theirs, "ratio": each.ratio} for each in figures]
    (TOP / "build").mkdir(exist_ok=True)
    (TOP / "build" / "bench.json").write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
