"""What comes to the window from outside, dropped or named on the command line: each goes where it belongs."""

from pathlib import Path

from PySide6.QtCore import QMimeData, QObject, Signal

from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats import strict_json
from thinkpane.formats.json_values import JsonValue
from thinkpane.ui.context import Context
from thinkpane.ui.document_files import DocumentFiles
from thinkpane.ui.drops import exact_text, files_in
from thinkpane.ui.template_opening import TemplateOpening
from thinkpane.workspace.atomic_file import read_file
from thinkpane.workspace.body_sampling import with_talk
from thinkpane.workspace.document_file import SUFFIX, document_from_json

_TEMPLATE_FILES = ("tokenizer_config.json", "chat_template.json")
_CONVERSATION = {"messages", "tools", "documents"}
"""What a body may hold that is no whole request."""
_LARGEST = 16 * 2**20


class Arrivals(QObject):
    """Documents open, after the question where there is unsaved work; templates and conversations can be undone.

    Signals:
        failed(object): a Problem to be told where a person looks.
    """

    failed = Signal(object)

    def __init__(self, parent: QObject, context: Context, files: DocumentFiles, templates: TemplateOpening) -> None:
        super().__init__(parent)
        self._context = context
        self._files = files
        self._templates = templates

    @staticmethod
    def takes(data: QMimeData) -> bool:
        """Whether there is anything in it for the window."""
        return bool(files_in(data) or exact_text(data).strip())

    def take(self, data: QMimeData) -> None:
        """Opens the first file, else takes the text."""
        files = files_in(data)
        if files:
            self.open_path(files[0])
        else:
            self.take_text(exact_text(data))
        if len(files) > 1:
            sentence = f"Only “{files[0].name}” was opened; {len(files) - 1} more were dropped with it."
            self.failed.emit(Problem("file", sentence))

    def open_path(self, path: Path) -> None:
        """Opens a document, or takes a template into use."""
        if path.is_dir() or path.name.endswith(_TEMPLATE_FILES):
            self._templates.open_path(path)
        elif path.name.endswith(SUFFIX):
            self._files.open(path)
        elif path.suffix.lower() == ".json":
            self._open_json(path)
        else:
            self._templates.open_path(path)

    def take_text(self, text: str) -> None:
        """A document's text, a request body, or a template."""
        value = _json(text)
        if isinstance(value, dict) and "thinkpane" in value:
            self._try_document(value)
        elif _is_talk(value):
            self._try_talk(value)
        else:
            self._templates.use_text(text)

    def _open_json(self, path: Path) -> None:
        """A JSON file by what it holds: a template, else a document or a body."""
        try:
            text = read_file(path, at_most=_LARGEST).decode("utf-8-sig")
        except (ThinkpaneError, UnicodeDecodeError):
            text = ""
        value = _json(text)
        if isinstance(value, dict) and "chat_template" in value and "messages" not in value:
            self._templates.use_text(text)
        else:
            self._files.open(path)

    def _try_document(self, value: JsonValue) -> None:
        try:
            state = document_from_json(value)
        except ThinkpaneError as error:
            self.failed.emit(error.problem)
            return
        if self._files.may_discard():
            self._context.document.new(state)

    def _try_talk(self, value: JsonValue) -> None:
        body: JsonValue = {"messages": value} if isinstance(value, list) else value
        try:
            found = document_from_json(body)
        except ThinkpaneError as error:
            self.failed.emit(error.problem)
            return
        document = self._context.document
        is_request = isinstance(value, dict) and not value.keys() <= _CONVERSATION
        state = with_talk(document.state, found.conversation, found.model, is_request=is_request)
        parts = ["messages", "tools", "documents", "raw_text", "params", "endpoint"]
        document.change(state, parts, "window", "Drop conversation")


def _json(text: str) -> JsonValue:
    if not text.lstrip().startswith(("{", "[")):
        return None
    try:
        return strict_json.parse(text)
    except ThinkpaneError:
        return None


def _is_talk(value: JsonValue) -> bool:
    if isinstance(value, dict):
        return "messages" in value
    return isinstance(value, list) and bool(value) and all(isinstance(each, dict) and "role" in each for each in value)
