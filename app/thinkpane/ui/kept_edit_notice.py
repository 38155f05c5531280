"""Says that a template's edited text is kept when another template is chosen, or that it is in force again."""

from dataclasses import replace

from PySide6.QtCore import QObject

from thinkpane.ui.choices import Choices
from thinkpane.ui.models.source_facts import title_of
from thinkpane.ui.template_choice import TAKEN_BACK
from thinkpane.ui.widgets.banner import Banner
from thinkpane.workspace.document import Change, Document
from thinkpane.workspace.state import DocumentState

_BY = "window"
_SILENT = ("new", "open", "restore", "undo", "redo", TAKEN_BACK)


class KeptEditNotice(QObject):
    """Watches the document; a person who chose a template hears of the edit that went, and has it back by a click."""

    def __init__(self, document: Document, choices: Choices, banner: Banner) -> None:
        super().__init__(choices)
        self._document = document
        self._choices = choices
        self._banner = banner
        self._before = document.state
        self._told = ""
        self.destroyed.connect(document.listen(self._on_document_changed))

    def _on_document_changed(self, change: Change) -> None:
        before, self._before = self._before, self._document.state
        if "template" not in change.parts:
            return
        if self._told and self._banner.sentence.text() == self._told:
            self._banner.put_away()
        self._told = ""
        if change.by not in _SILENT:
            self._tell(before, self._document.state)

    def _tell(self, before: DocumentState, now: DocumentState) -> None:
        if (before.template, before.template_name) == (now.template, now.template_name):
            return
        if now.edited is not None and any(each.edited is now.edited for each in before.kept_edits):
            self._say(f"Your edited text of “{title_of(now.template)}” is in force again.", "Take the original")
        elif before.edited is not None and any(each.edited is before.edited for each in now.kept_edits):
            name = title_of(before.template)
            sentence = f"The edited text of “{name}” is kept in this document, and comes back with that template."
            self._say(sentence, "Bring it back", before.template)

    def _say(self, sentence: str, choice: str, ref: str | None = None) -> None:
        self._told = sentence
        act = self._revert if ref is None else lambda: self._choices.use_template(ref)
        self._banner.tell(sentence, "", [(choice, act)])

    def _revert(self) -> None:
        self._document.change(replace(self._document.state, edited=None), ["template"], _BY, "Revert template")
