"""The prompt's ruler: messages, problems and injected marks beside the text, from what other feeds tell."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot

from thinkpane.prompt.destinations import Landmarks
from thinkpane.prompt.prompt import Prompt
from thinkpane.tokens.segments import rows_of
from thinkpane.ui.models.ruler_marks import Boundary, MarkList, RulerMark, Runs
from thinkpane.ui.newest import Newest, let_it_end
from thinkpane.ui.widgets.ruler import Ruler
from thinkpane.ui.widgets.text_view import TextView

if TYPE_CHECKING:
    from thinkpane.analysis.lint.findings import Finding
    from thinkpane.ui.problems import ProblemFeed, Problems

_PAUSE_MS = 100


@dataclass(frozen=True, slots=True)
class _Question:
    """runs_of: the prompt whose runs the ruler shows."""

    landmarks: Landmarks
    findings: "Sequence[Finding]"
    injected: tuple[RulerMark, ...]
    runs_of: Prompt


@dataclass(frozen=True, slots=True)
class _Content:
    """runs: None = those that are shown."""

    prompt: Prompt
    runs: Runs | None
    boundaries: list[Boundary]
    marks: MarkList


class PromptRuler(QObject):
    """Fills the ruler. `show_prompt` is called after the view has its text."""

    _made = Signal(object)

    def __init__(self, view: TextView, problems: "ProblemFeed") -> None:
        super().__init__(view)
        self.ruler = Ruler(view)
        self._landmarks = Landmarks(Prompt())
        self._problems: Problems | None = problems.problems
        self._injected: tuple[RulerMark, ...] = ()
        self._runs_of = Prompt()
        self._later = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._later.timeout.connect(self._show)
        self._made.connect(self._on_newest_made, Qt.ConnectionType.QueuedConnection)
        self._newest = Newest("ruler", _content, self._made.emit, let_it_end, 0.0)
        view.destroyed.connect(self._newest.close)
        problems.changed.connect(self._on_problems_changed)

    def show_prompt(self, landmarks: Landmarks) -> None:
        """Takes a prompt with what is known of its places. It is shown when a person pauses: nobody reads a ruler
        between two keys."""
        if landmarks.prompt.text != self._landmarks.prompt.text:
            self._injected = ()
        self._landmarks = landmarks
        self._later.start()

    def show_injected(self, marks: tuple[RulerMark, ...]) -> None:
        """Special tokens whose characters came from input, in the text that is shown."""
        self._injected = marks
        self._later.start()

    def _show(self) -> None:
        """What is beside a million tokens takes longer to work out than the window has between two keys."""
        problems = self._problems
        findings = problems.findings if problems and problems.prompt.text == self._landmarks.prompt.text else ()
        self._newest.ask(_Question(self._landmarks, findings, self._injected, self._runs_of))

    @Slot(object)
    def _on_newest_made(self, content: _Content) -> None:
        if not self._newest.is_newest(content) or content.prompt.text != self._landmarks.prompt.text:
            return
        if content.runs is not None:
            self.ruler.set_runs(content.runs)
        self._runs_of = content.prompt
        self.ruler.set_boundaries(content.boundaries)
        self.ruler.set_marks(content.marks)

    def _on_problems_changed(self, problems: "Problems") -> None:
        self._problems = problems
        self._later.start()


def _content(question: _Question, _ticket: object) -> _Content:
    prompt, messages = question.landmarks.prompt, question.landmarks.messages
    is_new = prompt.segments != question.runs_of.segments
    runs = Runs((start, role) for start, _, _, role in rows_of(prompt.segments)) if is_new else None
    boundaries = [Boundary(each.start, _words(each.index, each.role)) for each in messages]
    starts = {each.request_index: each.start for each in reversed(messages)}
    marks = [_mark(each, starts, len(prompt.text)) for each in question.findings]
    return _Content(prompt, runs, boundaries, MarkList([*question.injected, *(each for each in marks if each)]))


def _mark(finding: "Finding", starts: Mapping[int, int], end: int) -> RulerMark | None:
    """The finding at its place in the prompt; None where it has none there. starts: of the request's messages."""
    span = finding.span
    at = starts.get(finding.message_index) if finding.message_index is not None else None
    if span is None and at is not None:
        span = at, at + 1
    if span is None or span[1] > end:
        return None
    return RulerMark(span[0], span[1], finding.severity, f"{finding.severity.capitalize()}: {finding.summary}")


def _words(index: int | None, role: str) -> str:
    name = f"Message {index + 1:,}" if index is not None else "A message that was added before rendering"
    return f"{name} · {role}" if role else name
