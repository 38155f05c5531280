"""What differs between two prompts: the one at hand, pinned ones, the one before, and variants of the document."""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Literal, TypeAlias

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QStackedLayout, QVBoxLayout, QWidget

from thinkpane.prompt.comparison import Comparer, Comparison, Given, Side
from thinkpane.prompt.prompt import Prompt
from thinkpane.ui.context import Context
from thinkpane.ui.diff_choices import DiffChoices, settled
from thinkpane.ui.models.diff_texts import ShownDiff, shown_diff
from thinkpane.ui.models.diff_words import count_words, owner_words, place_words
from thinkpane.ui.newest import Newest
from thinkpane.ui.panes._api import Area
from thinkpane.ui.widgets.diff_view import DiffView
from thinkpane.ui.widgets.flat_button import flat_button
from thinkpane.ui.widgets.folding_row import FoldingRow
from thinkpane.ui.widgets.output_card import plain_label
from thinkpane.ui.widgets.picker import Picker
from thinkpane.ui.widgets.segmented import Segmented

Letter: TypeAlias = Literal["A", "B"]

PAUSE = 0.05
"""Seconds without a new prompt before a comparison starts."""

BURST = 2.0
"""Seconds between two prompts from which what was there counts as “before the last edit”."""

_LIVE, _BEFORE = "The prompt at hand", "Before the last edit"
_EMPTY = (
    "What differs between two prompts appears here. Choose A above, or pin the prompt at hand and change something."
)


@dataclass(frozen=True, slots=True)
class _Question:
    one: Given
    other: Given
    tokenizer: Path | None


class DiffPane(QWidget):
    """Compares A with B; both follow what they stand for. Works only while it is seen.

    Signals:
        compared(object): a Comparison is shown now.
        wanted(): somebody asked for a comparison, so that the pane should come to the front.
        pinned(bool): A is a pinned prompt now, or is not any more.
    """

    compared = Signal(object)
    wanted = Signal()
    pinned = Signal(bool)
    _found = Signal(object)

    def __init__(self, context: Context) -> None:
        super().__init__()
        self.setProperty("kind", "pane")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._context = context
        self._choices = DiffChoices(context)
        self._prompt = context.prompts.prompt
        self._before: Prompt | None = None
        self._since = 0.0
        self._given: dict[Letter, Given | Literal["before"] | None] = {"A": "before", "B": None}
        self._outdated = True
        self._goal = -1
        self._asked: _Question | None = None
        self._file: Path | None = None
        self._then: Callable[[], None] | None = None
        self._server: Callable[[], Side | None] | None = None
        self.shown: Comparison | None = None
        self.view = DiffView()
        self.pickers: dict[Letter, Picker] = {"A": Picker("A"), "B": Picker("B")}
        self.form = Segmented("Form of the difference", [("Side by side", False), ("Inline", True)])
        self.form.set_value(False)
        self.where = plain_label("", "dim")
        self.previous = flat_button("↑", "Previous difference (Shift+F9)")
        self.next = flat_button("↓", "Next difference (F9)")
        self.swap = flat_button("⇄", "Swap A and B")
        self.invisible = flat_button("¶", "Show spaces, tabs, newlines and other invisible characters")
        self.invisible.setCheckable(True)
        self.counts = plain_label(" ", "dim")
        self.owners = plain_label(" ", "dim")
        self.empty = plain_label(_EMPTY, "dim")
        self._comparer = Comparer(context.prompts.engine, context.tokens.tokenizers)
        self._newest = Newest[_Question, tuple[Comparison, ShownDiff | None]](
            "differences", self._answer, self._found.emit, context.prompts.engine.overtake, PAUSE
        )
        self._lay_out()
        self._connect()
        self._show_names()

    # --- what is compared

    @property
    def has_differences(self) -> bool:
        """Whether there is a difference to go to."""
        return self.view.count > 0

    @property
    def may_pin(self) -> bool:
        """Whether there is a current prompt to pin."""
        return self._prompt.is_current and bool(self._prompt.text)

    @property
    def has_pinned(self) -> bool:
        """Whether A is a pinned prompt."""
        return isinstance(self._given["A"], Side)

    def pin_a(self) -> None:
        """Keeps the prompt at hand as A, and compares it with the one at hand from now on."""
        self._pin("A")

    def pin_b(self) -> None:
        """Keeps the prompt at hand as B."""
        self._pin("B")

    def unpin(self) -> None:
        """Lets go of a pinned A: the prompt before the last edit takes its place."""
        if self.has_pinned:
            self._choose("A", "before")

    def offer_server(self, server: Callable[[], Side | None]) -> None:
        """Offers the prompt that the endpoint's server makes of the document. server: it, None = not known now."""
        self._server = server

    def compare(self, one: Given | None, other: Given | None = None, position: int = -1) -> None:
        """Compares these and comes to the front; None = the prompt at hand. position: in B, what to go to."""
        self._given = {"A": one, "B": other}
        self._goal = position
        self._show_names()
        self.wanted.emit()
        self.refresh()

    def compare_before(self) -> None:
        """Compares the prompt at hand with the one before the last edit."""
        self._choose("A", "before")
        self._choose("B", None)
        self.wanted.emit()

    def swap_sides(self) -> None:
        """Makes A of B and B of A."""
        self._given = {"A": self._given["B"], "B": self._given["A"]}
        self._show_names()
        self.refresh()

    def next_difference(self) -> None:
        """To the next difference, with the pane in front."""
        self._step(self.view.next)

    def previous_difference(self) -> None:
        """To the difference before, with the pane in front."""
        self._step(self.view.previous)

    def refresh(self) -> None:
        """Asks for the comparison anew; at once where the pane is seen, else when it is."""
        self._outdated = True
        if not self.isVisible():
            return
        one, other = self._side(self._given["A"]), self._side(self._given["B"])
        if one is None or other is None:
            self._newest.drop()
            self._asked = self._then = None
            self._show(None, None)
            return
        self._outdated = False
        self._asked = _Question(settled(one), settled(other), self._context.tokens.file)
        self._newest.ask(self._asked)

    def close_down(self) -> None:
        """Ends the thread and the tokenizer."""
        # Before, so that what is at work ends; and after, should it have opened another tokenizer meanwhile.
        self._comparer.close()
        self._newest.close()
        self._comparer.close()

    # --- inside

    def _step(self, go: Callable[[], None]) -> None:
        """Goes at once where the differences are known, else as soon as they are."""
        self.wanted.emit()
        if self._outdated or self._asked is not None:
            self._then = go
        else:
            go()

    def _pin(self, letter: Letter) -> None:
        if not self.may_pin:
            return
        other: Letter = "B" if letter == "A" else "A"
        self._given[letter] = Side(f"Pinned at {time.strftime('%H:%M:%S')}", self._prompt)
        if self._given[other] == "before":
            self._given[other] = None
        self._show_names()
        self.refresh()

    def _side(self, given: Given | Literal["before"] | None) -> Given | None:
        """None where there is no such prompt."""
        if given == "before":
            return Side(_BEFORE, self._before) if self._before is not None else None
        if given is None:
            return Side(_LIVE, self._prompt) if self._prompt.text else None
        return given

    def _answer(self, question: _Question, ticket: object) -> tuple[Comparison, ShownDiff | None]:
        found = self._comparer.compare(question.one, question.other, question.tokenizer, ticket)
        if found.found is None:
            return found, None
        return found, shown_diff(found.found, found.one.prompt.segments, found.other.prompt.segments)

    def _lay_out(self) -> None:
        self.empty.setWordWrap(True)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.empty.setContentsMargins(32, 32, 32, 32)
        sides = QHBoxLayout()
        sides.setContentsMargins(8, 6, 8, 0)
        sides.setSpacing(4)
        sides.addWidget(self.pickers["A"], 100)
        sides.addWidget(self.swap)
        sides.addWidget(self.pickers["B"], 100)
        sides.addStretch(1)
        tools = FoldingRow()
        tools.row.setContentsMargins(8, 0, 8, 0)
        tools.add(self.form, 4, self.form.fill)
        tools.add_stretch()
        tools.add(self.where)
        for each, rank in ((self.previous, 2), (self.next, 3), (self.invisible, 1)):
            tools.add(each, rank)
        tools.close_row()
        stack = QWidget()
        self._stack = QStackedLayout(stack)
        self._stack.addWidget(self.view)
        self._stack.addWidget(self.empty)
        rule = QFrame()
        rule.setProperty("kind", "rule")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addLayout(sides)
        column.addWidget(tools)
        column.addWidget(stack, 1)
        column.addWidget(rule)
        for label, below in ((self.counts, 0), (self.owners, 6)):
            label.setWordWrap(True)
            label.setContentsMargins(8, 0, 8, below)
            column.addWidget(label)

    def _connect(self) -> None:
        for letter, picker in self.pickers.items():
            picker.menu_of_entries.aboutToShow.connect(partial(self._fill, letter))
        self.swap.clicked.connect(self.swap_sides)
        self.previous.clicked.connect(self.view.previous)
        self.next.clicked.connect(self.view.next)
        self.form.chosen.connect(self._on_form_chosen)
        self.invisible.toggled.connect(self.view.set_invisible)
        self.view.current_changed.connect(self._on_view_current_changed)
        self._found.connect(self._on_newest_found, Qt.ConnectionType.QueuedConnection)
        self._context.prompts.changed.connect(self._on_prompts_changed)
        self._context.tokens.encoded.connect(self._on_tokens_encoded)
        self._context.links.comparison_asked.connect(self.compare)

    def _fill(self, letter: Letter) -> None:
        menu = self.pickers[letter].menu_of_entries
        menu.clear()
        menu.addAction(_LIVE, partial(self._choose, letter, None))
        menu.addAction(_BEFORE, partial(self._choose, letter, "before")).setEnabled(self._before is not None)
        pin = menu.addAction("Pin the prompt at hand", partial(self._pin, letter))
        pin.setEnabled(self.may_pin)
        server = self._server() if self._server is not None else None
        asked = menu.addAction("The server’s prompt", partial(self._choose, letter, server))
        asked.setEnabled(server is not None)
        menu.addSeparator()
        self._choices.fill(menu, partial(self._choose, letter))
        menu.addAction("Without the &steps", lambda: self._choose(letter, self._choices.steps()))

    def _choose(self, letter: Letter, given: Given | Literal["before"] | None) -> None:
        self._given[letter] = given
        self._show_names()
        self.refresh()

    def _show_names(self) -> None:
        for letter, picker in self.pickers.items():
            given = self._given[letter]
            picker.show_value(_LIVE if given is None else _BEFORE if isinstance(given, str) else given.title)
        self.pinned.emit(self.has_pinned)

    def _on_prompts_changed(self, prompt: Prompt) -> None:
        for letter, given in self._given.items():
            if isinstance(given, Side) and given.prompt.serial == prompt.serial and prompt.owners is not None:
                self._given[letter] = replace(given, prompt=prompt)
        if not prompt.is_current:
            return
        if prompt.text != self._prompt.text:
            now = time.monotonic()
            if self._prompt.text:
                if now - self._since > BURST:
                    self._before = self._prompt
                self._since = now
        self._prompt = prompt
        if not all(isinstance(given, Side) for given in self._given.values()):
            self.refresh()

    def _on_tokens_encoded(self) -> None:
        """Another tokenizer was chosen, maybe."""
        file, self._file = self._file, self._context.tokens.file
        if file != self._file:
            self.refresh()

    @Slot(object)
    def _on_newest_found(self, found: tuple[Comparison, ShownDiff | None]) -> None:
        if self._newest.is_newest(found):
            self._asked = None
            self._show(*found)

    def _show(self, found: Comparison | None, shown: ShownDiff | None) -> None:
        self.shown = found
        if found is not None and found.problem is not None:
            self.empty.setText(f"There is nothing to compare: {found.problem.message}")
        else:
            self.empty.setText(_EMPTY)
        self.view.set_shown(shown)
        self._stack.setCurrentWidget(self.view if shown is not None else self.empty)
        self.counts.setText(count_words(found) if found is not None else " ")
        # A blank keeps the line's place while the owners are still to come.
        self.owners.setText((owner_words(found) if found is not None else "") or " ")
        if found is None:
            return
        if self._goal >= 0 and shown is not None:
            self.view.show_position(self._goal)
            self._goal = -1
        then, self._then = self._then, None
        if then is not None:
            then()
        self.compared.emit(found)

    def _on_form_chosen(self, inline: object) -> None:
        self.view.set_inline(bool(inline))

    def _on_view_current_changed(self, number: int) -> None:
        self.where.setText(place_words(number, self.view.count))
        for each in (self.previous, self.next):
            each.setEnabled(self.view.count > 0)

    def showEvent(self, event: QShowEvent) -> None:
        """What changed while it was hidden is compared now."""
        super().showEvent(event)
        if self._outdated:
            self.refresh()


class _DiffPane:
    id = "diff"
    title = "Diff"
    area: Area = "inspect"
    order = 15

    def build(self, context: Context) -> QWidget:
        return DiffPane(context)


PANE = _DiffPane()
