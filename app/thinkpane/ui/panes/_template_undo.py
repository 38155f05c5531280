"""Undo and redo from within the template's editor: they stay within this template's text."""

from PySide6.QtCore import QObject

from thinkpane.ui.widgets.code_editor import CodeEditor
from thinkpane.ui.widgets.remark_line import RemarkLine
from thinkpane.workspace.document import Document
from thinkpane.workspace.state import DocumentState


class TemplateUndo(QObject):
    """What took this template in place of another one is undone where that was done: by the Edit menu."""

    def __init__(self, document: Document, editor: CodeEditor, remark: RemarkLine) -> None:
        super().__init__(editor)
        self._document = document
        self._remark = remark
        editor.undo_requested.connect(self._on_editor_undo_requested)
        editor.redo_requested.connect(self._on_editor_redo_requested)

    def _on_editor_undo_requested(self) -> None:
        if _is_other_template(self._document.undo_states):
            label = self._document.undo_label
            self._remark.say(f"There is no edit of this text left to undo; Edit → Undo takes back “{label}”.")
        else:
            self._document.undo()

    def _on_editor_redo_requested(self) -> None:
        if _is_other_template(self._document.redo_states):
            label = self._document.redo_label
            self._remark.say(f"There is no edit of this text to redo; Edit → Redo does “{label}” again.")
        else:
            self._document.redo()


def _is_other_template(states: tuple[DocumentState, DocumentState] | None) -> bool:
    return states is not None and states[0].template != states[1].template
