"""A person's choice of a template: one that cannot be had is not taken, and the one before stays in force."""

from dataclasses import dataclass, replace

from PySide6.QtCore import QObject, Signal

from thinkpane.errors import Problem
from thinkpane.ui.context import Context
from thinkpane.ui.models.source_facts import short_name, title_of
from thinkpane.workspace.document import Change
from thinkpane.workspace.kept_edits import with_template
from thinkpane.workspace.state import DocumentState

TAKEN_BACK = "template not had"
"""Who changed the document, where a choice was taken back."""


@dataclass(frozen=True, slots=True)
class Refused:
    """A choice that was not taken, and the sentence that says why and what stays."""

    ref: str
    sentence: str


@dataclass(frozen=True, slots=True)
class _Trial:
    """A choice that is not known to be had yet. before: the document's state, whose template was in force.

    was_ready: whether that template was there itself, not only an edited text of it.
    """

    ref: str
    serial: int
    before: DocumentState
    was_ready: bool


class TemplateChoice(QObject):
    """Makes a REF the document's template.

    It is the document's at once; where its source cannot be read, the choice is taken back as if it had never been.
    With nothing in force before it stays, and the source's own fault is said.

    Signals:
        changed(): `refused` is another one.
    """

    changed = Signal()

    def __init__(self, parent: QObject, context: Context) -> None:
        super().__init__(parent)
        self._document = context.document
        self._prompts = context.prompts
        self._feed = context.prompts.templates
        self._trial: _Trial | None = None
        self._refused: Refused | None = None
        self._feed.changed.connect(self._on_feed_changed)
        self.destroyed.connect(self._document.listen(self._on_document_changed))

    @property
    def refused(self) -> Refused | None:
        """The choice that was not taken last; None once another template came, or it was put away."""
        return self._refused

    def use(self, ref: str) -> None:
        """Makes `ref` the document's template, with the edit of it that was kept; it may be fetched."""
        self._take_back()
        self.forget()
        state = self._document.state
        if ref != state.template and self._prompts.has_template:
            self._trial = _Trial(ref, self._document.serial, state, self._feed.is_ready)
        self._feed.choose(ref)
        if ref != state.template:
            self._document.change(with_template(state, ref), ["template"], "window", "Choose template")

    def forget(self) -> None:
        """Says no more of a choice that was not taken."""
        self._refuse(None)

    def _refuse(self, refused: Refused | None) -> None:
        if refused != self._refused:
            self._refused = refused
            self.changed.emit()

    def _take_back(self) -> None:
        """The choice that is not known to be had is the document's no more."""
        trial, self._trial = self._trial, None
        if trial is None:
            return
        before = trial.before
        if trial.was_ready:
            self._feed.go_back()

        def edit(state: DocumentState) -> DocumentState:
            return replace(
                state,
                template=before.template,
                template_name=before.template_name,
                edited=before.edited,
                kept_edits=before.kept_edits,
            )

        self._document.take_back(before, ["template"], TAKEN_BACK, edit)

    def _on_feed_changed(self) -> None:
        trial, problem = self._trial, self._feed.problem
        if trial is None or self._feed.wanted != trial.ref or self._feed.is_loading:
            return
        edited = self._document.state.edited
        if problem is None or (edited is not None and edited.variables is not None):
            # An edited text that knows its special tokens holds without its original (templates/edited.py).
            self._trial = None
            return
        self._take_back()
        self._refuse(Refused(trial.ref, _sentence(trial, problem)))

    def _on_document_changed(self, change: Change) -> None:
        trial, document = self._trial, self._document
        if trial is not None and (document.serial, document.state.template) != (trial.serial, trial.ref):
            self._trial = None
        if "template" in change.parts and change.by != TAKEN_BACK:
            self.forget()


def _sentence(trial: _Trial, problem: Problem) -> str:
    why = (
        problem.message
        if problem.kind == "cancelled"
        else f"“{short_name(trial.ref)}” was not taken. {problem.message}"
    )
    return f"{why} “{title_of(trial.before.template)}” stays in force."
