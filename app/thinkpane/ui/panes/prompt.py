"""The prompt: exactly the string that is sent, with its special tokens as chips, or why there is no current one."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QStackedLayout, QVBoxLayout, QWidget

from thinkpane.errors import Problem
from thinkpane.prompt.prompt import Prompt
from thinkpane.ui import theme
from thinkpane.ui.context import Context
from thinkpane.ui.models.context_room import Room
from thinkpane.ui.models.told_budget import ToldBudget
from thinkpane.ui.panes._api import Area
from thinkpane.ui.panes._owner_labels import labels_of
from thinkpane.ui.panes._prompt_going import PromptGoing
from thinkpane.ui.panes._prompt_menu import Entry, add_entries, copy_button
from thinkpane.ui.panes._prompt_owners import PromptOwners
from thinkpane.ui.panes._prompt_ruler import PromptRuler
from thinkpane.ui.panes._prompt_tokens import PromptTokens
from thinkpane.ui.panes._prompt_words import characters, counts, marks, note, problem_line
from thinkpane.ui.panes._tokenizer_row import TokenizerRow
from thinkpane.ui.prompt_copies import PromptCopies
from thinkpane.ui.prompt_copy import copy_prompt
from thinkpane.ui.widgets.context_gauge import ContextGauge
from thinkpane.ui.widgets.elided_label import ElidedLabel
from thinkpane.ui.widgets.find_bar import FindBar
from thinkpane.ui.widgets.flat_button import flat_button
from thinkpane.ui.widgets.folding_row import FoldingRow
from thinkpane.ui.widgets.output_card import plain_label
from thinkpane.ui.widgets.owner_bar import OwnerBar
from thinkpane.ui.widgets.plain_tip import plain_tip
from thinkpane.ui.widgets.text_accessible import announce
from thinkpane.ui.widgets.text_change import changed_as
from thinkpane.ui.widgets.text_spoken import words_at_caret
from thinkpane.ui.widgets.text_view import TextView

_EMPTY = "The prompt appears here while you type, exactly as it will be sent: choose a template and write a message."


_RANKS = (5, 3, 4, 6, 2, 1)
"""Which of the tools goes into the menu first where the pane is narrow, in their order."""
_LEGEND_FROM = 540
"""Pixels of height, before the zoom, from which the bar has its legend."""
_COUNTS_FROM = 300
"""The same for the counts of characters, lines and tokens; below that, the prompt has their room."""


class PromptPane(QWidget):
    """Shows the feed's prompt. The view holds the prompt's own string; copying takes that string.

    Signals:
        warned(object): a Problem to be told of what was copied.
    """

    warned = Signal(object)

    def __init__(self, context: Context) -> None:
        super().__init__()
        self.setProperty("kind", "pane")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._prompts = context.prompts
        self._effects = context.effects
        self._prompt = Prompt()
        self.view = TextView("Prompt")
        self.view.set_gutter(True)
        self.problem = _wrapped("", "error")
        self._problem_box = _boxed(self.problem)
        self.empty = _wrapped(_EMPTY, "dim")
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.empty.setContentsMargins(32, 32, 32, 32)
        self.bar = OwnerBar()
        self.legend = ElidedLabel("dim")
        self.counts = ElidedLabel("dim")
        self.tokens = TokenizerRow(context.tokens, self.warned.emit)
        self.room = _wrapped("", "dim")
        self.room.hide()
        self.gauge = ContextGauge()
        self.untraced = _wrapped("", "remark")
        self.missing = _wrapped("", "remark")
        self.missing.hide()
        self.chosen = plain_label("", "dim")
        self.came_from = ElidedLabel("title")
        self.written_by = ElidedLabel("dim")
        self.find_bar = FindBar(self.view, self)
        self.token = ElidedLabel("dim")
        self.stream = PromptTokens(self.view, context.tokens, context.settings)
        self.going = PromptGoing(self.view, self, context.tokens)
        self.overview = PromptRuler(self.view, context.problems)
        self.copies = PromptCopies(self.view, context.tokens)
        self.pin = flat_button(
            "Pin", "Keep this prompt as A in the Diff pane, to see what changes from here (Ctrl+Alt+P)"
        )
        self._lay_out()
        self.owners = PromptOwners(self.view, self.bar, context.links)
        self.owners.told.connect(self._on_owners_told)
        self.view.set_pointing(self._tip)
        self.stream.told.connect(self._on_stream_told)
        self.stream.missing_told.connect(self._on_stream_missing_told)
        self.stream.failed.connect(self.warned)
        self.view.selection_changed.connect(self._on_view_selection_changed)
        self._effects.changed.connect(self._show_note)
        self._prompts.changed.connect(self._on_prompts_changed)
        self._join_rows()
        self._on_prompts_changed(self._prompts.prompt)

    def copy(self) -> None:
        """Puts the whole prompt on the clipboard, as `TextView.copy` does; says so where it is the last good one."""
        problem = copy_prompt(self._prompt)
        if problem is not None:
            self.warned.emit(problem)

    def tell_owner(self) -> None:
        """Puts the keyboard into the prompt, where the owner at the caret is told, also to screen readers."""
        self.view.setFocus(Qt.FocusReason.ShortcutFocusReason)
        at = self.view.selection.caret
        self.owners.say_at_caret(words_at_caret(self.view), *self.stream.words_at(min(at, len(self.view.text) - 1)))

    def export(self) -> None:
        """Asks how what is selected, or all, is to be exported, and does it."""
        from thinkpane.ui.dialogs.export_prompt import ExportDialog
        from thinkpane.ui.excerpts.excerpt import excerpt_of

        if not self._prompt.text:
            self.warned.emit(Problem("export", "There is no prompt to export yet."))
            return
        at = self.view.selection
        start, end = (at.start, at.end) if at.end > at.start else (0, len(self._prompt.text))
        template = self._prompts.template
        labels = labels_of(self._prompt)
        title, forged = template.title or template.id, self.view.lit("forged")
        excerpt = excerpt_of(self._prompt, self.stream.layer, labels, start, end, title, forged)
        dialog = ExportDialog(excerpt, self)
        dialog.exported.connect(lambda path: self._on_copies_told(f"Exported to {path}"))
        dialog.exec()
        dialog.deleteLater()

    def put_below(self, panel: QWidget) -> None:
        """Gives somebody's panel a place right below the counts."""
        self._column.insertWidget(self._column.indexOf(self.tokens) + 1, panel)

    def put_above(self, notice: QWidget) -> None:
        """Gives somebody's notice a place between the tools and the prompt."""
        self._column.insertWidget(1, notice)

    def set_tokens(self, words: str, hint: str) -> None:
        """How many tokens the prompt has; "" = nothing is known of it."""
        self.tokens.tell(words, hint)

    def show_budget(self, budget: ToldBudget | None) -> None:
        """How many tokens each owner has, once they are counted; None = nothing is known of it."""
        self.owners.show_budget(budget)
        self.legend.set_whole(budget.legend if budget is not None else "")
        self.legend.setToolTip(plain_tip(self.legend.whole))
        self._fit_lines()

    def show_room(self, room: Room | None) -> None:
        """How much of the model's context is taken; None = its length, or the prompt's, is not known."""
        self.gauge.show_room(room)
        self.room.setVisible(room is not None)
        if room is None:
            return
        self.room.setText(room.words)
        self.room.setToolTip(plain_tip(room.hint))
        self.gauge.setToolTip(plain_tip(f"{room.words}. {room.hint}"))
        kind = {"warning": "remark", "bad": "error"}.get(room.tone, "dim")
        if self.room.property("kind") != kind:
            self.room.setProperty("kind", kind)
            self.room.style().unpolish(self.room)
            self.room.style().polish(self.room)

    def _lay_out(self) -> None:
        find = flat_button("Find", "Find in the prompt (Ctrl+F)")
        find.clicked.connect(self.find_bar.start)
        go = flat_button("Go to", "Go to a token, message, line, character or special token (Ctrl+G)")
        go.clicked.connect(self.going.bar.start)
        self.pin.setCheckable(True)
        copy = copy_button(self.copy, self._entries())
        self.tools = FoldingRow()
        self.tools.row.setContentsMargins(8, 4, 8, 0)
        self.tools.add_stretch()
        stream = self.stream
        for each, rank in zip((stream.shade, stream.number, stream.invisible, find, go, self.pin), _RANKS, strict=True):
            self.tools.add(each, rank)
        self.tools.close_row()
        self.tools.add(copy)
        self._stack = QStackedLayout()
        self._text = QWidget(self)
        beside = QHBoxLayout(self._text)
        beside.setContentsMargins(0, 0, 0, 0)
        beside.setSpacing(0)
        beside.addWidget(self.view, 1)
        beside.addWidget(self.overview.ruler)
        self._stack.addWidget(self._text)
        self._stack.addWidget(self.empty)
        bar = QVBoxLayout()
        bar.setContentsMargins(8, 2, 8, 0)
        bar.setSpacing(2)
        bar.addWidget(self.bar)
        bar.addWidget(self.gauge)
        below = (
            self.room,
            self.legend,
            self.counts,
            self.tokens,
            self.untraced,
            _rule(),
            self.came_from,
            self.written_by,
            self.token,
            self.chosen,
        )
        for line in below:
            line.setContentsMargins(8, 0, 8, 0)
        self.chosen.setContentsMargins(8, 0, 8, 6)
        column = self._column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(self.tools)
        self.missing.setContentsMargins(8, 0, 8, 2)
        column.addWidget(self.missing)
        column.addWidget(self._problem_box)
        column.addLayout(self._stack, 1)
        column.addWidget(self.find_bar)
        column.addWidget(self.going.bar)
        column.addWidget(_rule())
        column.addLayout(bar)
        for line in below:
            column.addWidget(line)

    def _join_rows(self) -> None:
        # A low window has room for one of them; hits stay marked, and F3 goes on.
        self.going.bar.opened.connect(self.find_bar.hide)
        self.find_bar.opened.connect(self.going.bar.hide)
        self.copies.warned.connect(self.warned)
        self.copies.told.connect(self._on_copies_told)
        self.view.menu_opening.connect(lambda menu, _position: add_entries(menu, self._entries()[1:]))

    def _entries(self) -> list[Entry]:
        """The ways to copy what is selected, else all."""
        return [
            ("Copy as text", "", self.copies.copy_text),
            ("Copy token ids", "copy_ids", self.copies.copy_ids),
            ("Copy tokens as JSON", "copy_json", self.copies.copy_json),
            ("Export as picture or pages…", "export", self.export),
        ]

    def _on_copies_told(self, words: str) -> None:
        if words:
            self.chosen.setText(words)
            announce(self.view, words)
        else:
            self._on_view_selection_changed()

    def _tip(self, position: int) -> str:
        """What a character's tooltip says: its tokens, and its owner."""
        return "\n".join(each for each in (*self.stream.words_at(position), self.owners.tip(position)) if each)

    def _show_note(self) -> None:
        """Where generation starts; said anew once the template's own marks of thinking are found."""
        prompt = self._prompt
        self.view.set_note("" if prompt.problem is not None else note(prompt, self._effects.template))

    def _on_prompts_changed(self, prompt: Prompt) -> None:
        with self.view.together():
            self._show_prompt(prompt)

    def _show_prompt(self, prompt: Prompt) -> None:
        change = None
        if prompt.text != self._prompt.text or prompt.segments != self._prompt.segments:
            same = prompt.change if prompt.earlier is self.view.text else None
            known = changed_as(same, prompt.earlier, prompt.text) if same is not None else None
            change = self.view.set_text(prompt.text, marks(prompt), known)
        self._prompt = prompt
        self._show_note()
        self.view.set_stale(prompt.stale)
        is_fault = prompt.problem is not None and not prompt.is_unwritten
        self._problem_box.setVisible(is_fault)
        if prompt.problem is not None:
            self.problem.setText(problem_line(prompt.problem))
        nothing = not prompt.text and not is_fault
        is_early = prompt.request is None or prompt.is_unwritten
        self.empty.setText(_EMPTY if is_early else "This template makes an empty prompt of it.")
        self._stack.setCurrentWidget(self.empty if nothing else self._text)
        # One line, whatever a render took: the text would jump where the words needed a second one at some keys.
        self.counts.set_whole(counts(prompt, self.view.rows.lines.line_count()))
        self.counts.setToolTip(plain_tip(self.counts.whole))
        self.owners.show_prompt(prompt, change)
        self.stream.show_prompt(prompt)
        self.going.show_prompt(prompt)
        self.copies.show_prompt(prompt)
        self.overview.show_prompt(self.going.landmarks)
        self._show_owners(prompt)
        self._on_view_selection_changed()

    def _show_owners(self, prompt: Prompt) -> None:
        """Whether they are known; until the tokens are counted, the bar shows those before."""
        self._fit_lines()
        self.untraced.setText(f"Owners not known: {prompt.untraced}." if prompt.untraced else "")
        self.untraced.setVisible(bool(prompt.untraced) and bool(prompt.text))

    def _fit_lines(self) -> None:
        """Where the pane is low the legend gives way first, which each part of the bar tells too, then the counts."""
        height = self.height() / theme.state().zoom
        self.legend.setVisible(bool(self.bar.shares) and height >= _LEGEND_FROM)
        self.counts.setVisible(height >= _COUNTS_FROM)
        self.tokens.show_count(height >= _COUNTS_FROM)

    def _on_stream_told(self, words: str) -> None:
        _tell(self.token, words)

    def _on_stream_missing_told(self, words: str) -> None:
        """Below the buttons that do nothing."""
        if words != self.missing.text():
            self.missing.setText(words)
            self.missing.setVisible(bool(words))

    def _on_owners_told(self, came_from: str, written_by: str) -> None:
        for label, words in ((self.came_from, came_from), (self.written_by, written_by)):
            _tell(label, words)

    def _on_view_selection_changed(self) -> None:
        at = self.view.selection
        line = self.view.rows.lines.line_number(at.start)
        if at.start == at.end:
            self.chosen.setText(f"Line {line:,} · character {at.start + 1:,}" if self._prompt.text else " ")
        else:
            self.chosen.setText(f"Line {line:,} · {characters(self.view.selected_text)} selected")

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A low pane does without the legend."""
        super().resizeEvent(event)
        self._fit_lines()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Return chooses the owner at the caret, as a click does."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.view.hasFocus():
            self.owners.choose_at_caret()
        else:
            super().keyPressEvent(event)


class _PromptPane:
    id = "prompt"
    title = "Prompt"
    area: Area = "inspect"
    order = 10

    def build(self, context: Context) -> QWidget:
        return PromptPane(context)


PANE = _PromptPane()


def _tell(label: ElidedLabel, words: str) -> None:
    label.set_whole(words[:1].upper() + words[1:])
    label.setAccessibleName(label.whole)
    label.setToolTip(plain_tip(label.whole))


def _wrapped(text: str, kind: str) -> QLabel:
    found = plain_label(text, kind)
    found.setWordWrap(True)
    return found


def _rule() -> QFrame:
    found = QFrame()
    found.setProperty("kind", "rule")
    return found


def _boxed(label: QWidget) -> QFrame:
    found = QFrame()
    found.setProperty("kind", "problem")
    row = QHBoxLayout(found)
    row.setContentsMargins(8, 4, 8, 4)
    row.addWidget(label)
    return found
