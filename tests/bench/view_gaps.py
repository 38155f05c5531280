"""How long the window stands still while a worker renders for more than half a second, and the prompt then arrives."""

import threading
from itertools import pairwise
from time import perf_counter

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QApplication

from bench.corpus import conversation, tools
from bench.figures import Figure
from thinkpane.conversation.conversation import Conversation, conversation_from_body
from thinkpane.engine.host import Engine
from thinkpane.prompt.job import PromptJob
from thinkpane.prompt.making import PromptMaker
from thinkpane.prompt.prompt import Prompt
from thinkpane.templates.library import load
from thinkpane.ui.panes._prompt_words import marks
from thinkpane.ui.widgets.text_view import TextView

TEMPLATE = "protium-1.0"
"""It looks ahead over tool calls, so that 2,000 messages cost it more than half a second."""

LONGEST = 33.0
"""Milliseconds: two pictures of 60 a second."""

_ROUNDS = 3
_SECONDS = 60.0


class _Arrival(QObject):
    """Signals:
    made(object): a Prompt, for the window's thread.
    """

    made = Signal(object)


def measure(view: TextView) -> list[Figure]:
    """The longest gap between two beats of a timer, in the calmest of some rounds: the machine has other work, too."""
    engine = Engine(deadline=_SECONDS)
    talk = conversation_from_body({"messages": conversation(2_000, 1_750), "tools": tools()})
    try:
        maker = PromptMaker(engine)
        found = [_round(view, maker, talk) for _ in range(_ROUNDS)]
    finally:
        engine.close()
    gap, milliseconds = min(found)
    name = f"longest stillness of the window while a render of {milliseconds:.0f} ms runs and its prompt is shown"
    return [Figure(f"{name}, over 33 ms", gap, LONGEST, bound="at most", goal=1.0)]


def _round(view: TextView, maker: PromptMaker, talk: Conversation) -> tuple[float, float]:
    arrival = _Arrival()
    beats: list[float] = [perf_counter()]
    shown: list[Prompt] = []

    def arrive(prompt: Prompt) -> None:
        view.set_text(prompt.text, marks(prompt))
        shown.append(prompt)

    arrival.made.connect(arrive, Qt.ConnectionType.QueuedConnection)
    timer = QTimer(interval=1, timerType=Qt.TimerType.PreciseTimer)
    timer.timeout.connect(lambda: beats.append(perf_counter()))
    timer.start()
    job = PromptJob(load(TEMPLATE), talk)
    worker = threading.Thread(target=lambda: arrival.made.emit(maker.make(job)), daemon=True)
    worker.start()
    end = perf_counter() + _SECONDS
    after = 0.0
    while perf_counter() < end and (not shown or perf_counter() < after):
        QApplication.processEvents()
        if shown and not after:
            after = perf_counter() + 0.1
    timer.stop()
    worker.join(_SECONDS)
    assert shown, "the prompt must arrive"
    assert shown[0].problem is None, shown[0].problem
    gaps = [(later - before) * 1000 for before, later in pairwise(beats)]
    return max(gaps), shown[0].milliseconds
