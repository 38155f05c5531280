"""The endpoint and model pickers, joined to the document and to the endpoints that are kept."""

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from thinkpane.endpoints.profile import DEMO, Endpoint
from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.ui.context import Context
from thinkpane.ui.model_lists import ModelLists
from thinkpane.ui.widgets.top_bar import TopBar
from thinkpane.workspace.document import Change

if TYPE_CHECKING:
    from thinkpane.ui.services import Services

DEMO_TITLE = "Demo (recorded)"
_BY = "window"
_ADD = object()


class EndpointChoices(QObject):
    """Endpoint and model.

    Signals:
        failed(object): a Problem to be told.
    """

    failed = Signal(object)

    def __init__(self, window: QWidget, top: TopBar, context: Context, services: "Services") -> None:
        super().__init__(window)
        self._window = window
        self._top = top
        self._context = context
        self._services = services
        self.lists = ModelLists(services)
        top.endpoint.picked.connect(self._on_endpoint_picked)
        top.model_entered.connect(self._on_model_entered)
        top.models_asked.connect(self._ask_models)
        self.lists.found.connect(self._on_lists_found)
        self._end_listening = context.document.listen(self._on_document_changed)
        self._end_store = services.endpoints.listen(self._show)
        self.destroyed.connect(self._end_listening)
        self.destroyed.connect(self._end_store)
        self._show()

    @property
    def may_edit(self) -> bool:
        """Whether the chosen endpoint is one that is kept."""
        chosen = self._context.document.state.endpoint
        return chosen != DEMO and chosen in [each.name for each in self._saved()]

    def add(self) -> None:
        """Asks for a new endpoint and chooses it."""
        self._dialog(None)

    def edit(self) -> None:
        """Edits the chosen endpoint."""
        self._dialog(self._current())

    def remove(self) -> None:
        """Forgets the chosen endpoint and its key; the document goes to the Demo."""
        endpoint = self._current()
        if endpoint is None or not self.may_edit:
            return
        try:
            self._services.keys.forget(endpoint)
            self._services.endpoints.remove(endpoint.name)
        except ThinkpaneError as error:
            self.failed.emit(error.problem)
        self._choose(DEMO)

    def _dialog(self, endpoint: Endpoint | None) -> None:
        from thinkpane.ui.dialogs.endpoint import NEW, EndpointDialog

        dialog = EndpointDialog(self._services, self.lists, endpoint or NEW, self._window)
        if dialog.exec():
            self._choose(dialog.endpoint.name)

    def _saved(self) -> tuple[Endpoint, ...]:
        try:
            return self._services.endpoints.all()
        except ThinkpaneError as error:
            self.failed.emit(error.problem)
            return ()

    def _current(self) -> Endpoint | None:
        try:
            return self._services.endpoints.named(self._context.document.state.endpoint)
        except ThinkpaneError:
            return None

    def _show(self) -> None:
        state = self._context.document.state
        entries: list[tuple[str, str, object]] = [(DEMO_TITLE, "no network", DEMO)]
        entries += [(each.name, each.origin.partition("://")[2], each.name) for each in self._saved()]
        entries.append(("Add endpoint…", "", _ADD))
        current = self._current()
        shown = DEMO_TITLE if state.endpoint == DEMO else state.endpoint
        hint = current.base_url if current is not None else f"There is no endpoint “{state.endpoint}” here."
        self._top.endpoint.show_value(shown, "Replays recorded replies" if state.endpoint == DEMO else hint)
        self._top.endpoint.set_entries(entries, state.endpoint)
        models = list(self.lists.known(current)) if current is not None else []
        own = "recorded" if state.endpoint == DEMO else current.model if current is not None else ""
        self._top.show_models(models, state.model, own)

    def _choose(self, name: str) -> None:
        state = self._context.document.state
        if name != state.endpoint:
            changed = replace(state, endpoint=name, model=state.model if state.keeps_model else "")
            self._context.document.change(changed, ["endpoint"], _BY, "Choose endpoint")
            self._tell_unlisted()
        self._show()
        self._ask_models()

    def _ask_models(self) -> None:
        """Asks the chosen endpoint for its models, where they are not known yet."""
        current = self._current()
        if current is None or current.name == DEMO or self.lists.known(current):
            return
        try:
            self.lists.ask(current, self._services.keys.key(current))
        except ThinkpaneError as error:
            self.failed.emit(error.problem)

    def _on_endpoint_picked(self, name: object) -> None:
        if name is _ADD:
            self.add()
        elif isinstance(name, str):
            self._choose(name)

    def _on_model_entered(self, model: str) -> None:
        state = self._context.document.state
        if model.strip() != state.model:
            changed = replace(state, model=model.strip())
            self._context.document.change(changed, ["endpoint"], _BY, "Choose model")

    def _tell_unlisted(self) -> None:
        """Says where the chosen endpoint does not list the model that a body brought; it is asked for all the same."""
        current, state = self._current(), self._context.document.state
        names = self.lists.known(current) if current is not None else ()
        if current is not None and names and state.keeps_model and state.model not in names:
            sentence = f"“{current.name}” does not list the model “{state.model}” of the request body, which is kept."
            self.failed.emit(Problem("model", sentence))

    def _on_lists_found(self, endpoint: Endpoint, _names: tuple[str, ...]) -> None:
        self._show()
        if endpoint == self._current():
            self._tell_unlisted()

    def _on_document_changed(self, change: Change) -> None:
        if "endpoint" in change.parts:
            self._show()
