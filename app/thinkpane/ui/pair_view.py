"""Joins a pair of runs with its room in the window, which is made when it is first asked for."""

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QWidget

from thinkpane.prompt.comparison import Side
from thinkpane.prompt.prompt import Prompt
from thinkpane.ui.models.reply_state import Tone, counts_tokens
from thinkpane.ui.output_view import OutputView
from thinkpane.ui.pair_side import PairSide
from thinkpane.ui.panes.diff import DiffPane
from thinkpane.ui.parity import PARITY_WORDS
from thinkpane.ui.run_both import PATHS, Compared, RunBoth
from thinkpane.ui.widgets.pair_panel import PairPanel
from thinkpane.ui.widgets.text_accessible import announce

if TYPE_CHECKING:
    from thinkpane.endpoints.dialects._api import SendPath
    from thinkpane.runs.agreement import Agreement
    from thinkpane.runs.run import Run
    from thinkpane.ui.context import Context
    from thinkpane.ui.session import Session
    from thinkpane.ui.window_layout import WindowLayout

_HINTS: dict["SendPath", tuple[str, str]] = {
    "chat": ("Chat", "the server's template"),
    "raw": ("Raw", "our prompt"),
}
_VERDICTS: dict[str, tuple[str, Tone]] = {
    "agree": ("replies agree", "good"),
    "differ": ("replies differ", "warning"),
    "unfinished": ("unfinished", ""),
    "cannot tell": ("cannot be compared", ""),
}


class PairView(QObject):
    """What the window shows of a pair.

    Signals:
        failed(object): a Problem: a choice about the output could not be kept.
    """

    failed = Signal(object)

    def __init__(self, window: QWidget, session: "Session", layout: "WindowLayout", context: "Context") -> None:
        super().__init__(window)
        self._window = window
        self._session = session
        self._both: RunBoth = session.both
        self._layout = layout
        self._context = context
        self._views: list[OutputView] = []
        self._told: object = None
        self.sides: dict[SendPath, PairSide] = {}
        self.panel: PairPanel | None = None
        self._both.started.connect(self._on_both_started)
        self._both.changed.connect(self._show)
        context.runs.started.connect(self._on_runs_started)

    def close(self) -> None:
        """Ends the threads."""
        for view in self._views:
            view.close()

    def _make(self) -> PairPanel:
        for path in PATHS:
            side = self.sides[path] = PairSide(*_HINTS[path], replace(self._context, runs=self._both.feeds[path]))
            side.stop_pressed.connect(lambda path=path: self._both.stop(path))
            side.take_pressed.connect(lambda path=path: self._session.take(path))
            view = OutputView(side, replace(self._context, runs=self._both.feeds[path]))
            view.failed.connect(self.failed)
            self._views.append(view)
        panel = PairPanel({side.title: side for side in self.sides.values()})
        panel.again_pressed.connect(self._session.run_both_again)
        panel.steady_pressed.connect(lambda: self._session.run_both_again(steady=True))
        panel.difference_pressed.connect(self._on_panel_difference_pressed)
        panel.closed.connect(self._on_panel_closed)
        panel.room_pressed.connect(self._on_panel_room_pressed)
        panel.parity.clicked.connect(self._on_parity_clicked)
        self._layout.below.put(panel)
        self._layout.below.arranged.connect(panel.whole.setChecked)
        return panel

    def _on_both_started(self) -> None:
        if self.panel is None:
            self.panel = self._make()
        for side in self.sides.values():
            side.wire.setChecked(False)
            side.column.follow()
        self._layout.below.open()
        self._told = None

    def _show(self) -> None:
        panel, found = self.panel, self._both.found
        if panel is None or found is None:
            return
        live = self._both.is_live
        for path, side in self.sides.items():
            side.show_run(self._both.run(path), live=live)
        self._show_speeds_alike()
        panel.again.setEnabled(not self._session.is_live)
        panel.difference.setVisible(found.agreement is not None and found.agreement.verdict == "differ")
        self._show_parity(panel, found)
        self._show_agreement(panel, found)

    def _show_speeds_alike(self) -> None:
        """Both in one unit: in tokens only where the server counted those of both."""
        runs = [self._both.run(path) for path in PATHS]
        by_tokens = all(run is not None and counts_tokens(run.transcript) for run in runs)
        for side in self.sides.values():
            side.set_in_characters(not by_tokens)

    def _show_parity(self, panel: PairPanel, found: Compared) -> None:
        if found.parity is None:
            panel.parity.say("prompts: asking…", "", "Asking the server which prompt it makes of these messages")
            return
        text, tone, hint = PARITY_WORDS[found.parity.verdict]
        words = {"= server": "prompts: same", "≠ server": "prompts: differ", "? server": "prompts: cannot tell"}
        panel.parity.say(words[text], tone, " ".join(filter(None, [f"{hint}.", found.parity.cause])))

    def _show_agreement(self, panel: PairPanel, found: Compared) -> None:
        from thinkpane.runs.agreement_words import may_be_chance, outcome, reasons

        agreement = found.agreement
        if agreement is None:
            steady = "With temperature 0 and seed 1, for this comparison only." if self._both.is_steady else ""
            panel.verdict.say("")
            panel.say("", steady)
            panel.steady.hide()
            return
        panel.verdict.say(*_verdict_words(agreement))
        sentence = outcome(agreement)
        steady = "Temperature 0 and seed 1 were sent for this comparison only." if self._both.is_steady else found.about
        why = reasons(agreement, found.sampling, found.parity.verdict if found.parity is not None else "")
        panel.say(sentence, " ".join(filter(None, [steady, why])))
        panel.steady.setVisible(may_be_chance(agreement, found.sampling))
        panel.steady.setEnabled(not self._session.is_live)
        if sentence != self._told:
            self._told = sentence
            announce(panel, sentence)

    def _on_panel_difference_pressed(self) -> None:
        """Both replies in the diff pane, thinking before the answer, as they came."""
        pane = self._layout.panes.get("diff")
        chat, raw = self._both.run("chat"), self._both.run("raw")
        if not isinstance(pane, DiffPane) or chat is None or raw is None or self.panel is None:
            return
        self._layout.below.give_all(False)
        pane.compare(Side("The chat reply", Prompt(text=_text(chat))), Side("The raw reply", Prompt(text=_text(raw))))

    def _on_panel_closed(self) -> None:
        self._layout.below.shut()
        self._both.put_away()

    def _on_runs_started(self, _run: "Run") -> None:
        """The window's own reply is another one now, and is to be seen."""
        self._layout.show_reply()
        if self._layout.below.is_open and not self._layout.below.give_way():
            self._both.put_away()

    def _on_panel_room_pressed(self, whole: bool) -> None:
        self._layout.below.give_all(whole)

    def _on_parity_clicked(self) -> None:
        from thinkpane.ui.dialogs.parity import ParityDialog

        found = self._both.found
        if found is None or found.parity is None:
            return
        dialog = ParityDialog(found.parity, self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()


def _verdict_words(found: "Agreement") -> tuple[str, Tone]:
    """The chip's words; while more of one might have come its colour says nothing."""
    words, tone = _VERDICTS[found.verdict]
    if found.verdict == "unfinished" and found.is_same_so_far:
        words = "same so far"
    return words, tone if found.whole else ""


def _text(run: "Run") -> str:
    """The whole reply as one text, in its order."""
    thinking, answer = run.transcript.thinking.strip(), run.transcript.answer.strip()
    calls = [f"{call.name} {call.arguments}" for call in run.transcript.tool_calls]
    return "\n\n".join(filter(None, [thinking, answer, *calls])) + "\n"
