"""Shows a window's budget: in the prompt pane, and on the cards of messages, tools and documents."""

from PySide6.QtCore import QObject

from thinkpane.ui.budget_feed import BudgetFeed
from thinkpane.ui.card_counts import CardCounts
from thinkpane.ui.link_targets import LISTS
from thinkpane.ui.panes.messages import MessagesPane
from thinkpane.ui.panes.prompt import PromptPane
from thinkpane.ui.widgets.items_pane import ItemsPane
from thinkpane.ui.window_layout import WindowLayout


class BudgetView(QObject):
    """Joins the panes of one window with its budgets."""

    def __init__(self, layout: WindowLayout, budgets: BudgetFeed) -> None:
        super().__init__(layout)
        prompt = layout.panes["prompt"]
        if isinstance(prompt, PromptPane):
            budgets.changed.connect(prompt.show_budget)
        for kind, id in LISTS:
            pane = layout.panes[id]
            if isinstance(pane, MessagesPane | ItemsPane):
                CardCounts(pane.list, kind, budgets)
