"""What the template pane does with files: back to the file it came from, and as a template of one's own."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QMessageBox, QWidget

from thinkpane.errors import ThinkpaneError
from thinkpane.templates import own
from thinkpane.templates.edited import with_source
from thinkpane.templates.files import is_network_path, is_there, local_path, read_template, with_line_feeds
from thinkpane.templates.sources._registry import all_sources
from thinkpane.templates.template import Template
from thinkpane.ui.context import Context
from thinkpane.ui.dialogs.question import plain_words
from thinkpane.ui.trying import done
from thinkpane.workspace.own_templates import save_own, write_back

_BY = "template"
_ENDINGS = (".jinja", ".jinja2", ".j2", ".txt", ".json", ".gguf")
_BUTTON = QMessageBox.StandardButton


class TemplateSaving(QObject):
    """Saves the text that the pane shows.

    Signals:
        failed(object): a Problem to be told.
        saved(str): what was done, in words.
        own_changed(): the own templates are others now.
    """

    failed = Signal(object)
    saved = Signal(str)
    own_changed = Signal()

    def __init__(self, context: Context, window: QWidget) -> None:
        """window: what questions stand before."""
        super().__init__(window)
        self._context = context
        self._window = window
        self._base: tuple[str, str] | None = None
        self.destroyed.connect(context.document.listen(lambda _: self._note_base()))
        context.prompts.templates.changed.connect(self._note_base)

    @property
    def file(self) -> Path | None:
        """The file that the document's template was read from and can be written back to; None where there is none."""
        ref = self._context.document.state.template
        if own.is_own(ref):
            return own.folder_of(ref) / own.TEMPLATE_FILE
        if is_network_path(ref) and not self._context.prompts.templates.is_ready:
            return None
        source = next((each.name for each in all_sources() if each.accepts(ref)), "")
        return local_path(ref) if source == "jinja-file" else None

    @property
    def file_name(self) -> str:
        """What the file is called, "" where there is none."""
        file, ref = self.file, self._context.document.state.template
        if file is None:
            return ""
        return f"own template “{self._title(ref)}”" if own.is_own(ref) else file.name

    def to_file(self, text: str) -> None:
        """Writes the text back to where it came from, after a question; the document has no edit of it then."""
        file = self.file
        if file is not None and self._may_write(file) and self._try(lambda: write_back(file, text)):
            self.saved.emit(f"Saved to {self.file_name}.")
            self.own_changed.emit()
            self._take(self._context.document.state.template, "Save template")

    def as_own(self, text: str) -> None:
        """Asks for a title and keeps the text as an own template, which the document has from then on."""
        from thinkpane.ui.dialogs.own_template import OwnTemplateDialog

        dialog = OwnTemplateDialog(self._proposed_title(), self._window)
        if dialog.exec():
            self.keep_as(dialog.id, dialog.title, text)

    def keep_as(self, id: str, title: str, text: str) -> None:
        """Keeps the text as the own template `id`, with all that is known of the template at hand."""
        template = with_source(self._context.prompts.template, text)
        origin = f"edited from {template.title or template.id}; {template.origin}".rstrip("; ")
        is_same = self._context.document.state.template == id
        kept = template if is_same else replace(template, origin=origin)
        if self._try(lambda: save_own(id, kept, title)):
            self.saved.emit(f"Saved as own template “{title}”.")
            self.own_changed.emit()
            self._take(id, "Save template as own")

    def _proposed_title(self) -> str:
        ref = self._context.document.state.template
        title = self._title(ref)
        if own.is_own(ref):
            return title
        return f"{Path(title).stem if title.endswith(_ENDINGS) else title} (mine)"

    def _title(self, ref: str) -> str:
        template: Template = self._context.prompts.template
        return template.title or Path(ref).stem or "Template"

    def _may_write(self, file: Path) -> bool:
        lost = ""
        try:
            if not is_there(file):
                lost = "\n\nThe file is no longer there; it will be made anew."
            elif self._base is not None and read_template(file) != with_line_feeds(self._base[1]):
                lost = "\n\nThe file was changed elsewhere since it was edited here; those changes will be lost."
        except ThinkpaneError as error:
            lost = f"\n\n{error.problem.message}"
        answer = QMessageBox.question(
            self._window,
            "Save template",
            plain_words(f"Replace what “{file}” holds with the edited template?{lost}"),
            _BUTTON.Save | _BUTTON.Cancel,
            _BUTTON.Save,
        )
        return answer == _BUTTON.Save

    def _note_base(self) -> None:
        """Remembers what the edit at hand was made of: the file may be read anew while the edit stays."""
        state, original = self._context.document.state, self._context.prompts.original
        if state.edited is None or (self._base is not None and self._base[0] != state.template):
            self._base = None
        is_its = self._context.prompts.templates.wanted == state.template
        if self._base is None and original is not None and is_its:
            self._base = (state.template, original.source)

    def _take(self, ref: str, label: str) -> None:
        """The document has what was saved, without an edit; undo brings the edit back."""
        document = self._context.document
        if document.state.template == ref:
            # First, so that what was read before the writing is never shown again.
            self._context.prompts.reload_template()
        state = replace(document.state, template=ref, template_name="", edited=None)
        document.change(state, ["template"], _BY, label)

    def _try(self, work: Callable[[], object]) -> bool:
        return done(work, self.failed.emit)
