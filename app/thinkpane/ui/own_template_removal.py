"""Removes an own template: after a question, with a way back, and never from under a document that has it."""

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QMessageBox, QWidget

from thinkpane.errors import ThinkpaneError
from thinkpane.templates import own
from thinkpane.templates.edited import edit_of
from thinkpane.ui.choices import Choices
from thinkpane.ui.context import Context
from thinkpane.ui.dialogs.question import plain_words
from thinkpane.ui.widgets.banner import Banner
from thinkpane.workspace.own_templates import put_back, remove_own
from thinkpane.workspace.state import DocumentState

_BY = "window"
_BUTTON = QMessageBox.StandardButton


class OwnTemplateRemoval(QObject):
    """What removes own templates.

    Signals:
        failed(object): a Problem to be told where a person looks.
    """

    failed = Signal(object)

    def __init__(self, window: QWidget, context: Context, choices: Choices, banner: Banner) -> None:
        super().__init__(window)
        self._window = window
        self._context = context
        self._choices = choices
        self._banner = banner

    @property
    def is_own(self) -> bool:
        """Whether the document's template is an own one."""
        return own.is_own(self._context.document.state.template)

    def remove_current(self) -> None:
        """Removes the document's template, after a question."""
        self.remove(self._context.document.state.template)

    def remove(self, ref: object) -> None:
        """Removes the own template `ref`, after a question; a document that has it keeps its text."""
        if not isinstance(ref, str) or not own.is_own(ref):
            return
        try:
            title = own.load(ref).title or ref
        except ThinkpaneError:
            title = ref  # one that cannot be read can still be removed
        if not self._may_remove(title, ref):
            return
        before, left = self._context.document.state, self._without(ref)
        try:
            kept = remove_own(ref)
        except ThinkpaneError as error:
            self.failed.emit(error.problem)
            return
        if left is not before:
            self._context.document.change(left, ["template"], _BY, "Remove own template")
        self._choices.show_own()
        sentence = f"“{title}” was removed from your own templates."
        self._banner.tell(sentence, "", [("Put it back", lambda: self._put_back(ref, kept, left))])

    def _may_remove(self, title: str, ref: str) -> bool:
        used = ref == self._context.document.state.template
        more = "\n\nThis document keeps its text." if used else ""
        answer = QMessageBox.question(
            self._window,
            "Remove own template",
            plain_words(f"Remove “{title}” from your own templates?{more}"),
            _BUTTON.Yes | _BUTTON.Cancel,
            _BUTTON.Cancel,
        )
        return answer == _BUTTON.Yes

    def _without(self, ref: str) -> DocumentState:
        """The document's state without that template: what it had of it is its own text from now on."""
        state, original = self._context.document.state, self._context.prompts.original
        if state.template != ref:
            return state
        if state.edited is None and original is None:
            return state
        edited = state.edited or edit_of(self._context.prompts.template, self._context.prompts.template.source)
        return replace(state, template="", template_name="", edited=edited)

    def _put_back(self, ref: str, kept: Path, left: DocumentState) -> None:
        try:
            put_back(ref, kept)
        except ThinkpaneError as error:
            self.failed.emit(error.problem)
            return
        document = self._context.document
        if document.state is left and left.template != ref and document.undo_label == "Remove own template":
            document.undo()
        self._choices.show_own()
