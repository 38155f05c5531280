"""The template pane's coverage: marks in the gutter, the line that counts, and the conversations it is counted over."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QFileDialog, QWidget

from thinkpane.analysis.coverage_over import CoverageOver, Ran, named_apart
from thinkpane.ui.context import Context
from thinkpane.ui.coverage_feed import CoverageFeed, Member, file_member, sample_member
from thinkpane.ui.document_files import SAMPLES
from thinkpane.ui.widgets.code_editor import CodeEditor
from thinkpane.ui.widgets.conversation_list import ConversationList, ConversationRow
from thinkpane.ui.widgets.coverage_bar import CoverageBar
from thinkpane.workspace.document_file import SUFFIX

_FILTER = f"Documents and request bodies (*{SUFFIX} *.json);;All files (*)"


class TemplateCoverage(QObject):
    """Joins the feed with the editor, the bar and the list. recent: gives the documents that were open last."""

    def __init__(self, context: Context, editor: CodeEditor, pane: QWidget) -> None:
        """pane: within which the keys hold."""
        super().__init__(pane)
        self._document = context.document
        self._editor = editor
        self._pane = pane
        self.recent: Callable[[], Sequence[Path]] = tuple
        self.feed = CoverageFeed(context)
        self.bar = CoverageBar()
        self.list = ConversationList()
        self.list.hide()
        self.bar.list_wanted.connect(self.list.setVisible)
        self.bar.previous.clicked.connect(self.go_to_previous)
        self.bar.next.clicked.connect(self.go_to_next)
        self.list.removed.connect(self.feed.remove)
        self.list.menu.aboutToShow.connect(self.fill_menu)
        self.feed.changed.connect(self._show)
        pane.installEventFilter(self)
        self._show()

    def go_to_next(self) -> None:
        """The next dead branch behind the caret, round to the first."""
        found = self.feed.found
        self._go_to(found.dead_after(self._editor.caret_line[0]) if found is not None else None)

    def go_to_previous(self) -> None:
        """The dead branch before the caret, round to the last."""
        found = self.feed.found
        self._go_to(found.dead_before(self._editor.caret_line[0]) if found is not None else None)

    def ask_files(self) -> None:
        """Asks for files with conversations."""
        path = self._document.path
        folder = str(path.parent if path is not None else Path.home())
        chosen, _ = QFileDialog.getOpenFileNames(self._pane, "Open conversations for coverage", folder, _FILTER)
        self.feed.add([file_member(Path(each)) for each in chosen])

    def fill_menu(self) -> None:
        """What can be added now: files, the documents that were open last, the built-in examples."""
        menu, taken = self.list.menu, {each.key for each in self.feed.members}
        menu.clear()
        menu.addAction("Files…", self.ask_files)
        recent = [file_member(path) for path in self.recent() if path != self._document.path]
        samples = [sample_member(title, name) for title, name in SAMPLES.items()]
        for title, members in (("Recent documents", recent), ("Examples", samples)):
            if members:
                menu.addSection(title)
            names = named_apart([(each.title, each.folder) for each in members])
            for name, each in zip(names, members, strict=True):
                action = menu.addAction(name.replace("&", "&&"), partial(self.feed.add, [each]))
                action.setEnabled(each.key not in taken)
        everything = [each for each in (*recent, *samples) if each.key not in taken]
        if len(everything) > 1:
            menu.addSeparator()
            menu.addAction("All of these", partial(self.feed.add, everything))

    def close(self) -> None:
        """Ends what is under way."""
        self.feed.close()

    def _go_to(self, branch: tuple[int, int] | None) -> None:
        if branch is not None:
            self._editor.go_to(branch[0])
            self._editor.setFocus()

    def _show(self) -> None:
        found, members = self.feed.found, self.feed.members
        self._editor.show_coverage(found)
        self.bar.show_coverage(found, len(members) + 1)
        ran = {each.name: each for each in found.ran} if found is not None else {}
        own = self.feed.own_name
        rows = [_row("", own, "The conversation that is open here", ran.get(own), found)]
        rows += [self._row(each, ran, found) for each in members]
        self.list.show_rows(rows)

    def _row(self, member: Member, ran: dict[str, Ran], found: CoverageOver | None) -> ConversationRow:
        if self.feed.is_own(member):
            return ConversationRow(member.key, self.feed.name_of(member), member.hint, "open here")
        name = self.feed.name_of(member)
        return _row(member.key, name, member.hint, ran.get(name), found)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """F8 and Shift+F8 within the pane, where the window has them too: a second shortcut would end both."""
        is_press = event.type() == QEvent.Type.KeyPress
        if isinstance(event, QKeyEvent) and (is_press or event.type() == QEvent.Type.ShortcutOverride):
            act = {"F8": self.go_to_next, "Shift+F8": self.go_to_previous}.get(
                QKeySequence(event.keyCombination()).toString(QKeySequence.SequenceFormat.PortableText)
            )
            if act is not None:
                event.accept()
                if is_press:
                    act()
                return True
        return super().eventFilter(watched, event)


def _row(key: str, title: str, hint: str, ran: Ran | None, found: CoverageOver | None) -> ConversationRow:
    if ran is None or found is None:
        return ConversationRow(key, title, hint, "")
    if ran.lines is None:
        return ConversationRow(key, title, hint, ran.problem, "bad")
    count = f"{len(ran.lines):,} line{'' if len(ran.lines) == 1 else 's'}"
    if ran.problem:
        return ConversationRow(key, title, hint, f"{count}, then: {ran.problem}", "warning")
    alone = found.only(title)
    return ConversationRow(key, title, hint, f"{count}, {alone:,} of them only here" if alone else count)
