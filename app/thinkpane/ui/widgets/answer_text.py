"""One run of answer text: rendered where its blocks are complete, plain where they are not, or all of it raw."""

from collections import deque
from time import perf_counter

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QVBoxLayout, QWidget

from thinkpane.streaming.blocks import GrowingText
from thinkpane.ui.models.markdown_blocks import MarkdownBlocks
from thinkpane.ui.pace import Pace
from thinkpane.ui.widgets.output_card import plain_label
from thinkpane.ui.widgets.rich_text import RichText, ask_and_open
from thinkpane.ui.widgets.text_view import TextView

MOST_ROWS = 40
LONGEST_RICH = 100_000
"""Characters that are rendered at most; what follows stays plain, in a view that lays out only what is in sight."""

_SLICE_SECONDS = 0.006
_LATER_MS = 8


class AnswerText(QWidget):
    """Shows a text that grows at its end. `view` holds the block that is not complete, or all while it is shown raw.

    Blocks that wait to be rendered, for some milliseconds, are in neither.
    """

    def __init__(self, name: str) -> None:
        super().__init__()
        self._text = GrowingText()
        self._blocks = MarkdownBlocks()
        self._waiting: deque[str] = deque()
        self._rendered = 0
        self._is_raw = False
        self._is_full = False
        self._shown_from = 0
        self._pace = Pace(self._bring_up, self)
        self.rich = RichText(name)
        self.rich.hide()
        self.rich.link_chosen.connect(self._on_rich_link_chosen)
        self.note = plain_label("", "dim")
        self.note.setWordWrap(True)
        self.note.hide()
        self.view = TextView(f"{name}, plain text")
        self.view.set_ground("card")
        self.view.set_prose()
        self.view.set_most_rows(MOST_ROWS)
        self.view.set_follow(True)
        self.view.hide()
        self._timer = QTimer(self, singleShot=True, interval=_LATER_MS)
        self._timer.timeout.connect(self._render)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        for each in (self.rich, self.note, self.view):
            column.addWidget(each)

    @property
    def length(self) -> int:
        """Characters so far."""
        return self._text.size

    @property
    def text(self) -> str:
        """The text, exactly."""
        return str(self._text)

    @property
    def is_rendered(self) -> bool:
        """Whether no complete block waits to be rendered."""
        return self._is_raw or not self._waiting

    def append(self, text: str) -> None:
        """More of it came."""
        self._text.append(text)
        if not self._is_full:
            self._waiting.extend(self._blocks.feed(text))
            self._render()
        self._show_plain()

    def end(self) -> None:
        """Nothing more comes, so the last block is complete."""
        rest = "" if self._is_full else self._blocks.close()
        if rest:
            self._waiting.append(rest)
        self._render()
        self._pace.now()

    def set_text(self, text: str) -> None:
        """Another text takes its place."""
        self._timer.stop()
        self._text, self._blocks = GrowingText(), MarkdownBlocks()
        self._waiting.clear()
        self._rendered, self._is_full, self._shown_from = 0, False, 0
        self.rich.empty()
        self.view.set_text("")
        self._pace.begin()
        if text:
            self.append(text)
        else:
            self._arrange()

    def set_raw(self, raw: bool) -> None:
        """Shows the text as it is, or rendered."""
        if raw != self._is_raw:
            self._is_raw = raw
            self._render()
            self._pace.now()

    def _render(self) -> None:
        """Renders what waits, for a few milliseconds; then the window has its turn."""
        until = perf_counter() + _SLICE_SECONDS
        while self._waiting and not self._is_full and not self._is_raw and perf_counter() < until:
            self._render_block(self._waiting.popleft())
        if not self._waiting and self._rendered + self._blocks.rest_length > LONGEST_RICH:
            self._stop_rendering()
        if self._waiting and not self._is_raw:
            self._timer.start()
        self._arrange()

    def _render_block(self, block: str) -> None:
        if self._rendered + len(block) > LONGEST_RICH:
            self._stop_rendering()
            return
        self.rich.append_block(block)
        self._rendered += len(block)

    def _stop_rendering(self) -> None:
        self._is_full = True
        self._waiting.clear()
        self._blocks.close()
        self._show_plain()

    @property
    def _plain_from(self) -> int:
        """Where what is shown plain begins: what is neither rendered nor about to be."""
        if self._is_raw:
            return 0
        return self._rendered if self._is_full else self._text.size - self._blocks.rest_length

    def _show_plain(self) -> None:
        """What is plain grows at the window's pace; what was rendered leaves it at once."""
        if self._plain_from != self._shown_from:
            self._pace.now()
        else:
            self._pace.ask()

    def _bring_up(self) -> None:
        begin = self._plain_from
        shown = len(self.view.text)
        if begin == self._shown_from and shown <= self._text.size - begin:
            self.view.append(self._text.tail(begin + shown))
        else:
            self._shown_from = begin
            self.view.set_text(self._text.tail(begin))
        self._arrange()

    def _arrange(self) -> None:
        self.rich.setVisible(not self._is_raw and self._rendered > 0)
        self.view.setVisible(bool(self.view.text.strip()) or (self._is_raw and bool(self.view.text)))
        cut = self._is_full and not self._is_raw
        self.note.setVisible(cut)
        if cut:
            self.note.setText(
                f"Rendered up to character {self._rendered:,}: the answer is too long to be rendered whole. "
                "What follows is the plain text."
            )

    def _on_rich_link_chosen(self, address: str) -> None:
        ask_and_open(self.rich, address)
