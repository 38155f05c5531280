"""Shows special tokens that came from input: red in the prompt, counted above it, one after the other on demand."""

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QWidget

from thinkpane.analysis.sanitized_prompt import SanitizedPrompt
from thinkpane.prompt.prompt import Prompt
from thinkpane.ui.context import Context
from thinkpane.ui.dialogs.sanitized import SanitizedDialog
from thinkpane.ui.injection_feed import Injected, InjectionFeed
from thinkpane.ui.panes.prompt import PromptPane
from thinkpane.ui.widgets.injection_bar import InjectionBar
from thinkpane.ui.widgets.text_accessible import announce


class InjectionView(QObject):
    """Joins a window's prompt pane with its injections. feed: finds them."""

    def __init__(self, window: QWidget, pane: QWidget, context: Context) -> None:
        super().__init__(window)
        self._window = window
        self.feed = InjectionFeed(context.prompts, context.tokens)
        self._injected = Injected(Prompt())
        self._at = -1
        self._asked = False
        self.bar = InjectionBar()
        self._pane = pane if isinstance(pane, PromptPane) else None
        if self._pane is not None:
            self._pane.put_above(self.bar)
        self.bar.stepped.connect(self._go)
        self.bar.asked.connect(self.show_sanitized)
        self.feed.changed.connect(self._on_feed_changed)
        self.feed.sanitized.connect(self._on_feed_sanitized)

    def go_on(self) -> None:
        """To the next one, round to the first."""
        self._go(1)

    def go_back(self) -> None:
        """To the one before, round to the last."""
        self._go(-1)

    def show_sanitized(self) -> None:
        """Shows what the model would get with sanitised input, once that is worked out."""
        self._asked = True
        self.feed.ask_sanitized()

    def close(self) -> None:
        """Ends the threads."""
        self.feed.close()

    def _on_feed_changed(self, injected: Injected) -> None:
        self._at = self._at if injected.tokens == self._injected.tokens else -1
        self._injected = injected
        if self._pane is not None:
            self._pane.view.set_lit("forged", injected.lit)
            self._pane.overview.show_injected(injected.marks)
        self._tell()

    def _go(self, by: int) -> None:
        found = self._injected.found
        if self._pane is None or self._pane.view.text != self._injected.prompt.text:
            return
        if not found:
            announce(self._pane.view, "No special token came from input")
            return
        self._at = (max(self._at, 0 if by < 0 else -1) + by) % len(found)
        self._pane.view.select(found[self._at].start, found[self._at].end)
        self._tell()
        announce(self._pane.view, self.bar.sentence.whole)

    def _tell(self) -> None:
        found = self._injected.found
        self.bar.tell(at_hand_words(self._injected, self._at) if 0 <= self._at < len(found) else self._injected.words)

    def _on_feed_sanitized(self, found: SanitizedPrompt) -> None:
        if not self._asked:
            return
        self._asked = False
        assembled = sum(each.kind == "assembled" for each in self._injected.found)
        dialog = SanitizedDialog(found, assembled, self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()


def at_hand_words(injected: Injected, number: int) -> str:
    """Which one it is: its token, where its input stands, and the template line that wrote it."""
    each = injected.found[number]
    place = injected.prompt.origins.place(each.given)
    whence = str(place) if place is not None else each.path
    how = f"typed in {whence}" if each.kind == "typed" else f"assembled with {whence}"
    line = f", by template line {each.line:,}" if each.line else ""
    return f"{number + 1:,} of {len(injected.found):,}: {each.token} {how}{line}"
