"""The prompt's ruler: messages, problems and injected marks beside the text, from what other feeds tell."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from thinkpane.prompt.destinations import Landmarks
from thinkpane.prompt.prompt import Prompt
from thinkpane.ui.models.ruler_marks import Boundary, MarkList, RulerMark, Runs
from thinkpane.ui.widgets.ruler import Ruler
from thinkpane.ui.widgets.text_view import TextView

if TYPE_CHECKING:
    from thinkpane.analysis.lint.findings import Finding
    from thinkpane.ui.problems import ProblemFeed, Problems

_PAUSE_MS = 100


class PromptRuler(QObject):
    """Fills the ruler. `show_prompt` is called after the view has its text."""

    def __init__(self, view: TextView, problems: "ProblemFeed") -> None:
        super().__init__(view)
        self.ruler = Ruler(view)
        self._landmarks = Landmarks(Prompt())
        self._problems: Problems | None = problems.problems
        self._injected: list[RulerMark] = []
        self._runs_of = Prompt()
        self._later = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._later.timeout.connect(self._show)
        problems.changed.connect(self._on_problems_changed)

    def show_prompt(self, landmarks: Landmarks) -> None:
        """Takes a prompt with what is known of its places. It is shown when a person pauses: nobody reads a ruler
        between two keys."""
        if landmarks.prompt.text != self._landmarks.prompt.text:
            self._injected = []
        self._landmarks = landmarks
        self._later.start()

    def show_injected(self, marks: list[RulerMark]) -> None:
        """Special tokens whose characters came from input, in the text that is shown."""
        self._injected = marks
        self._later.start()

    def _show(self) -> None:
        prompt = self._landmarks.prompt
        if prompt.segments != self._runs_of.segments:
            self.ruler.set_runs(Runs((each.start, each.role) for each in prompt.segments))
        self._runs_of = prompt
        messages = self._landmarks.messages
        self.ruler.set_boundaries([Boundary(each.start, _words(each.index, each.role)) for each in messages])
        found = [*self._injected]
        problems = self._problems
        if problems is not None and problems.prompt.text == prompt.text:
            found += [mark for each in problems.findings if (mark := self._mark(each)) is not None]
        self.ruler.set_marks(MarkList(found))

    def _mark(self, finding: "Finding") -> RulerMark | None:
        """The finding at its place in the prompt; None where it has none there."""
        span = finding.span
        if span is None and finding.message_index is not None:
            at = next((e.start for e in self._landmarks.messages if e.request_index == finding.message_index), None)
            span = (at, at + 1) if at is not None else None
        if span is None or span[1] > len(self._landmarks.prompt.text):
            return None
        return RulerMark(span[0], span[1], finding.severity, f"{finding.severity.capitalize()}: {finding.summary}")

    def _on_problems_changed(self, problems: "Problems") -> None:
        self._problems = problems
        self._later.start()


def _words(index: int | None, role: str) -> str:
    name = f"Message {index + 1:,}" if index is not None else "A message that was added before rendering"
    return f"{name} · {role}" if role else name
