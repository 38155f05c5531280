"""Shows a window's budget: in the prompt pane, and on the cards of messages, tools and documents."""

from PySide6.QtCore import QObject

from thinkpane.prompt.budget import Budget
from thinkpane.ui.budget_feed import BudgetFeed
from thinkpane.ui.card_counts import CardCounts
from thinkpane.ui.context_lengths import ContextLengths
from thinkpane.ui.link_targets import LISTS
from thinkpane.ui.models.context_room import Room, asked_tokens
from thinkpane.ui.models.told_budget import ToldBudget
from thinkpane.ui.panes.messages import MessagesPane
from thinkpane.ui.panes.prompt import PromptPane
from thinkpane.ui.widgets.items_pane import ItemsPane
from thinkpane.ui.window_layout import WindowLayout
from thinkpane.workspace.body_sampling import given_params
from thinkpane.workspace.document import Document


class BudgetView(QObject):
    """Joins the panes of one window with its budgets."""

    def __init__(self, layout: WindowLayout, budgets: BudgetFeed, lengths: ContextLengths, document: Document) -> None:
        super().__init__(layout)
        prompt = layout.panes["prompt"]
        self._prompt = prompt if isinstance(prompt, PromptPane) else None
        self._status = layout.status
        self._lengths = lengths
        self._document = document
        self._budget: Budget | None = None
        budgets.changed.connect(self._on_budgets_changed)
        lengths.changed.connect(self._show_room)
        for kind, id in LISTS:
            pane = layout.panes[id]
            if isinstance(pane, MessagesPane | ItemsPane):
                CardCounts(pane.list, kind, budgets)

    @property
    def room(self) -> Room | None:
        """How much of the context is taken; None where its length, or the prompt's, is not known."""
        length, budget = self._lengths.current, self._budget
        if length is None or budget is None:
            return None
        state = self._document.state
        return Room(budget.total, budget.measure == "estimate", asked_tokens(given_params(state), state.path), length)

    def _on_budgets_changed(self, told: ToldBudget | None) -> None:
        self._budget = told.budget if told is not None else None
        if self._prompt is not None:
            self._prompt.show_budget(told)
        self._show_room()

    def _show_room(self) -> None:
        room = self.room
        if self._prompt is not None:
            self._prompt.show_room(room)
        if room is not None and room.tone:
            self._status.set_fact("context", room.short, f"{room.words}. {room.hint}", room.tone)
        else:
            self._status.set_fact("context", "")
