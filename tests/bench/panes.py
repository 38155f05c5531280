"""What a stream costs the window's thread: 1,000 deltas a second into panes that hold much already.

The share is processor time of the thread over the time that the stream takes, painting included, so another process on
the machine does not count. A gap is how long the thread is busy from one batch (16 ms) to the next. `measure` is for
the whole bench; run as a script, this prints a table.
"""

import random
import sys
from pathlib import Path
from time import thread_time

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication

TOP = Path(__file__).parents[2]
if str(TOP / "tests") not in sys.path:
    sys.path.insert(0, str(TOP / "tests"))

from bench.corpus import prose  # noqa: E402 - found only once the folder is on the path
from bench.figures import Figure, told  # noqa: E402
from support.fake_runs import Runs, context_of  # noqa: E402
from thinkpane.streaming.events import AnswerDelta, Event, ThinkingDelta  # noqa: E402
from thinkpane.ui.bridge import DRAIN_MILLISECONDS, TICK_MILLISECONDS  # noqa: E402
from thinkpane.ui.panes.answer import PANE as ANSWER  # noqa: E402
from thinkpane.ui.panes.thinking import PANE as THINKING  # noqa: E402
from thinkpane.ui.widgets.output_column import OutputColumn  # noqa: E402

HELD = 1_000_000
THOUGHT = 200_000
DELTAS_A_SECOND = 1_000
SECONDS = 3
MOST_WITH_LINES, MOST_IN_ONE_PARAGRAPH = 0.12, 0.25
MOST_GAP_MS = 33.0


def measure(application: QApplication) -> list[Figure]:
    """All figures."""
    text = prose(random.Random(1), HELD + 20 * DELTAS_A_SECOND * SECONDS)
    paragraph = text.replace("\n", " ")
    lines, single = _answered(application, text), _answered(application, paragraph)
    thought = _thought(application, paragraph[:THOUGHT])
    return [
        _share("1,000 deltas/s into 1 MB with lines", lines, MOST_WITH_LINES),
        _share("1,000 deltas/s into 1 MB, one paragraph", single, MOST_IN_ONE_PARAGRAPH),
        _gap("gap p99, 1 MB with lines", lines),
        _gap("gap p99, 1 MB in one paragraph", single),
        _gap("gap p99, 200 KB of thinking in one paragraph", thought),
        _share("200 KB of thinking at 1,000 deltas/s", thought, MOST_IN_ONE_PARAGRAPH),
    ]


def _answered(application: QApplication, text: str) -> list[float]:
    """Milliseconds that each batch took, of an answer that is shown rendered as far as it is."""
    runs, column = _window(application)
    runs.begin()
    for at in range(0, HELD, 50_000):
        runs.give(AnswerDelta(text[at : at + 50_000]))
        for _ in range(40):
            application.processEvents()
    deltas = [AnswerDelta(text[at : at + 4]) for at in range(HELD, HELD + 4 * DELTAS_A_SECOND * SECONDS, 4)]
    found = _stream(application, runs, list(deltas))
    column.close()
    return found


def _thought(application: QApplication, text: str) -> list[float]:
    runs, column = _window(application)
    runs.begin()
    size = max(4, THOUGHT // (DELTAS_A_SECOND * SECONDS * 2))
    found = _stream(
        application, runs, [ThinkingDelta(text[at : at + size], "field: x") for at in range(0, THOUGHT, size)]
    )
    column.close()
    return found


def _window(application: QApplication) -> tuple[Runs, OutputColumn]:
    runs = Runs()
    column = OutputColumn([pane.build(context_of(runs)) for pane in (THINKING, ANSWER)])
    column.resize(480, 700)
    column.show()
    application.processEvents()
    return runs, column


def _stream(application: QApplication, runs: Runs, events: list[Event]) -> list[float]:
    """Gives the events at their pace, and tells how long the thread was busy from one batch to the next."""
    batch = DELTAS_A_SECOND * DRAIN_MILLISECONDS // 1000
    batches = iter([events[at : at + batch] for at in range(0, len(events), batch)])
    times: list[float] = []
    before = thread_time()

    def on_tick() -> None:
        nonlocal before
        now = thread_time()
        times.append((now - before) * 1000)
        before = now
        found = next(batches, None)
        if found is None:
            application.quit()
        else:
            runs.give(*found, at=1.0 + len(times) * DRAIN_MILLISECONDS / 1000)

    timer = QTimer(interval=DRAIN_MILLISECONDS)
    timer.setTimerType(Qt.TimerType.PreciseTimer)
    timer.timeout.connect(on_tick)
    timer.start()
    ticks = QTimer(interval=TICK_MILLISECONDS)
    ticks.timeout.connect(lambda: runs.tick.emit(runs.run))
    ticks.start()
    application.exec()
    ticks.stop()
    return times


def _share(name: str, times: list[float], most: float) -> Figure:
    return Figure(f"{name}: busy", sum(times), len(times) * DRAIN_MILLISECONDS, "ms", "at most", most)


def _gap(name: str, times: list[float]) -> Figure:
    return Figure(name, sorted(times)[int(len(times) * 0.99)], MOST_GAP_MS, "ms", "at most", 1.0)


def main() -> int:
    """Prints the table; 1 where a goal is missed."""
    from thinkpane.ui import theme
    from thinkpane.ui.application import make_application

    application = make_application()
    theme.use(application, "dark")
    figures = measure(application)
    width = max(len(each.name) for each in figures)
    for each in figures:
        print(told(each, width))
    return 0 if all(each.met for each in figures) else 1


if __name__ == "__main__":
    sys.exit(main())
