"""How many tokens the model's context holds: asked of the template's files and of the endpoint's list of models."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal, Slot

from thinkpane.errors import ThinkpaneError
from thinkpane.templates import own
from thinkpane.templates.context_files import lengths_beside
from thinkpane.templates.context_length import ContextLength, length_in_force
from thinkpane.templates.files import near_path
from thinkpane.templates.template import Template
from thinkpane.ui.newest import Newest, let_it_end
from thinkpane.workspace.document import Change, Document

if TYPE_CHECKING:
    from thinkpane.endpoints.profile import Endpoint
    from thinkpane.ui.bridge import PromptFeed
    from thinkpane.ui.model_lists import ModelLists


class ContextLengths(QObject):
    """Follows the document's template, endpoint and model. named: finds an endpoint, or raises ThinkpaneError.

    Signals:
        changed(): `current` may be another one.
    """

    changed = Signal()
    _found = Signal(object)

    def __init__(
        self, document: Document, prompts: "PromptFeed", lists: "ModelLists", named: "Callable[[str], Endpoint]"
    ) -> None:
        super().__init__()
        self._document = document
        self._prompts = prompts
        self._lists = lists
        self._named = named
        self._files: tuple[ContextLength, ...] = ()
        self._found.connect(self._on_newest_found, Qt.ConnectionType.QueuedConnection)
        self._newest = Newest[Path, tuple[ContextLength, ...]](
            "context", lambda path, _ticket: lengths_beside(path), self._found.emit, let_it_end, 0.0
        )
        prompts.template_changed.connect(self._on_template_changed)
        lists.found.connect(lambda _endpoint, _names: self.changed.emit())
        self._end_listening = document.listen(self._on_document_changed)

    @property
    def current(self) -> ContextLength | None:
        """The length that counts, None where nobody says one."""
        listed, told = self._listed(), self._prompts.template.context
        files = (*self._files, told) if told is not None else self._files
        return length_in_force([listed] if listed is not None else [], files)

    def close(self) -> None:
        """Ends the thread; nothing is told any more."""
        self._end_listening()
        self._newest.close()

    def _listed(self) -> ContextLength | None:
        """What the endpoint's list of models says of the model, where it was asked for."""
        state = self._document.state
        try:
            endpoint = self._named(state.endpoint)
        except ThinkpaneError:
            return None
        return self._lists.length(endpoint, state.model or endpoint.model)

    @Slot(object)
    def _on_template_changed(self, template: Template) -> None:
        path = None if template.built_in or own.is_own(template.id) else near_path(template.id)
        self._files = ()
        if path is not None:
            self._newest.ask(path)
        else:
            self._newest.drop()
        self.changed.emit()

    @Slot(object)
    def _on_newest_found(self, found: tuple[ContextLength, ...]) -> None:
        if not self._newest.is_newest(found):
            return
        self._files = found
        self.changed.emit()

    def _on_document_changed(self, change: Change) -> None:
        if change.parts & {"endpoint", "params"}:
            self.changed.emit()
