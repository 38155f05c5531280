"""How many tokens the model's context holds: asked of the template's files and of the endpoint's list of models."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal, Slot

from thinkpane.errors import ThinkpaneError
from thinkpane.templates import own
from thinkpane.templates.context_length import PROPS, ContextLength, length_in_force, lengths_beside
from thinkpane.templates.files import near_path
from thinkpane.templates.template import Template
from thinkpane.ui.newest import Newest
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
            "context", lambda path, _ticket: lengths_beside(path), self._found.emit, _ignore, 0.0
        )
        prompts.template_changed.connect(self._on_template_changed)
        lists.found.connect(lambda _endpoint, _names: self.changed.emit())
        self._end_listening = document.listen(self._on_document_changed)

    @property
    def current(self) -> ContextLength | None:
        """The length that counts, None where nobody says one."""
        return length_in_force(self._of_servers(), self._files)

    def close(self) -> None:
        """Ends the thread; nothing is told any more."""
        self._end_listening()
        self._newest.close()

    def _of_servers(self) -> list[ContextLength]:
        state, template = self._document.state, self._prompts.template
        found = [ContextLength(template.context_length, *PROPS)]
        try:
            endpoint = self._named(state.endpoint)
        except ThinkpaneError:
            listed = None
        else:
            listed = self._lists.length(endpoint, state.model or endpoint.model)
        return [each for each in (*found, listed) if each is not None and each.tokens]

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
        self._files = found
        self.changed.emit()

    def _on_document_changed(self, change: Change) -> None:
        if change.parts & {"endpoint", "params"}:
            self.changed.emit()


def _ignore(_ticket: object) -> None:
    """Reading takes too little time to be worth ending."""
