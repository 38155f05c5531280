"""The budget of the newest prompt, counted beside the window once its owners and its tokens are known."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot

from thinkpane.prompt.budget import budget_of
from thinkpane.prompt.owners import Stretch
from thinkpane.prompt.prompt import Prompt
from thinkpane.ui.models.told_budget import ToldBudget, told
from thinkpane.ui.newest import Newest, let_it_end
from thinkpane.ui.widgets.text_change import change_between

if TYPE_CHECKING:
    from thinkpane.analysis.effects import Effects
    from thinkpane.tokens.encoding import Encoding
    from thinkpane.ui.bridge import PromptFeed
    from thinkpane.ui.effects import EffectFeed
    from thinkpane.ui.token_feed import TokenFeed

_AGAIN_MS = 250
"""Places of tokens come one segment at a time."""


@dataclass(frozen=True, slots=True)
class _TierText:
    """What tiers and variables brought, as it was found in `text`."""

    text: str = ""
    stretches: tuple[Stretch, ...] = ()

    def of(self, text: str) -> tuple[Stretch, ...]:
        """Where it is in another text, until it is found anew there."""
        if text == self.text or not self.stretches:
            return self.stretches
        change = change_between(self.text, text)
        moved = ((change.moved(start), change.moved(end)) for start, end in self.stretches)
        return tuple(each for each in moved if each[0] < each[1])


@dataclass(frozen=True, slots=True)
class _Question:
    prompt: Prompt
    encoding: "Encoding | None"
    tier: _TierText


class BudgetFeed(QObject):
    """Counts again with each prompt that is traced and encoded, and when its tier text is found.

    Signals:
        changed(object): the ToldBudget of the newest prompt, None where nothing can be known of it.
        outdated(): the prompt is another one now; what is shown may not hold any more.
    """

    changed = Signal(object)
    outdated = Signal()
    _made = Signal(object)

    def __init__(self, prompts: "PromptFeed", tokens: "TokenFeed", effects: "EffectFeed") -> None:
        super().__init__()
        self._prompts = prompts
        self._tokens = tokens
        self._tier = _TierText()
        self._text: str | None = None
        self._is_near = self._is_shown = False
        self._made.connect(self._on_newest_made, Qt.ConnectionType.QueuedConnection)
        self._newest = Newest[_Question, ToldBudget]("budget", self._answer, self._made.emit, let_it_end, 0.0)
        self._again = QTimer(self, singleShot=True, interval=_AGAIN_MS)
        self._again.timeout.connect(self._ask)
        tokens.placed.connect(self._on_tokens_placed)
        prompts.changed.connect(self._on_prompts_changed)
        tokens.encoded.connect(self._ask)
        effects.changed.connect(self._on_effects_changed)

    def close(self) -> None:
        """Ends the thread; nothing is told any more."""
        self._newest.close()

    def _ask(self) -> None:
        prompt, tokens = self._prompts.prompt, self._tokens.current
        if (prompt.owners is None and not prompt.untraced) or (tokens is None and self._is_shown):
            return
        # A tokenizer may take seconds to load; until there is anything else to show, an estimate does.
        encoding = tokens.encoding if tokens is not None else None
        if encoding is None or encoding.text == prompt.text:
            self._newest.ask(_Question(prompt, encoding, self._tier))

    def _answer(self, question: _Question, _ticket: object) -> ToldBudget:
        tier = question.tier.of(question.prompt.text)
        return told(budget_of(question.prompt, question.encoding, tier, self._tokens.ask))

    @Slot(object)
    def _on_prompts_changed(self, prompt: Prompt) -> None:
        if prompt.text != self._text:
            self._text = prompt.text
            self._newest.drop()
            self.outdated.emit()
        if not prompt.text:
            self._newest.drop()
            self._is_shown = False
            self.changed.emit(None)
        else:
            self._ask()

    @Slot(object)
    def _on_effects_changed(self, effects: "Effects") -> None:
        prompt = self._prompts.prompt
        found = _TierText(prompt.text, effects.in_force.tier_text)
        if effects.serial == prompt.serial and not prompt.stale and found != self._tier:
            self._tier = found
            self._ask()

    @Slot()
    def _on_tokens_placed(self) -> None:
        if self._is_near and not self._again.isActive():
            self._again.start()

    @Slot(object)
    def _on_newest_made(self, found: ToldBudget) -> None:
        if not self._newest.is_newest(found):
            return
        self._is_near = found.budget.measure == "near"
        if found.budget.prompt.text == self._prompts.prompt.text:
            self._is_shown = True
            self.changed.emit(found)
