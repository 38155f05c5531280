"""Shows Markdown, as high as its text. It loads nothing, reads no file, and opens a link only when a person says so."""

from PySide6.QtCore import QByteArray, QMimeData, QSize, Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QResizeEvent, QTextCursor, QWheelEvent
from PySide6.QtWidgets import QFrame, QMessageBox, QSizePolicy, QTextBrowser

from thinkpane.ui import theme
from thinkpane.ui.widgets.markdown_writer import SCHEMES, MarkdownWriter


class RichText(QTextBrowser):
    """A read-only text to which blocks of Markdown are appended.

    Signals:
        link_chosen(str): a link was clicked, and shall be asked about.
    """

    link_chosen = Signal(str)

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setProperty("kind", "rich")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setReadOnly(True)
        self.setOpenLinks(False)
        self.setOpenExternalLinks(False)
        self.setAcceptDrops(False)
        self.setUndoRedoEnabled(False)
        self.document().setDocumentMargin(1)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._blocks: list[str] = []
        self._writer = self._begin()
        self.anchorClicked.connect(self._on_anchor_clicked)
        theme.state().changed.connect(self._on_theme_changed)

    @property
    def markdown(self) -> str:
        """All Markdown that it shows."""
        return "".join(self._blocks)

    def append_block(self, source: str) -> None:
        """Adds whole blocks at the end."""
        self._blocks.append(source)
        self._writer.write(source)
        self.updateGeometry()

    def empty(self) -> None:
        """Shows nothing any more."""
        self._blocks = []
        self._writer = self._begin()
        self.updateGeometry()

    def _begin(self) -> MarkdownWriter:
        self.clear()
        cursor = QTextCursor(self.document())
        return MarkdownWriter(cursor)

    def _on_anchor_clicked(self, address: QUrl) -> None:
        self.link_chosen.emit(address.toString(QUrl.ComponentFormattingOption.FullyEncoded))

    def _on_theme_changed(self) -> None:
        """Colours and sizes are in the text itself."""
        self._writer = self._begin()
        for each in self._blocks:
            self._writer.write(each)
        self.updateGeometry()

    def loadResource(self, _type: int, _name: QUrl | str) -> object:
        """Nothing, whatever is asked for: no picture, no style sheet, no page."""
        return QByteArray()

    def createMimeDataFromSelection(self) -> QMimeData:
        """Plain text only: what was formatted here shall not be read as markup elsewhere."""
        found = QMimeData()
        found.setText(self.textCursor().selection().toPlainText())
        return found

    def sizeHint(self) -> QSize:
        """The height of its text."""
        return QSize(200, self._height())

    def minimumSizeHint(self) -> QSize:
        """The same: it never scrolls by itself."""
        return QSize(80, self._height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Takes the height that the new width asks for."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """The column scrolls, not the text in it."""
        event.ignore()

    def _height(self) -> int:
        bar = self.horizontalScrollBar()
        return round(self.document().size().height()) + (bar.height() if bar.maximum() > 0 else 0)


def ask_and_open(parent: RichText, address: str) -> None:
    """Asks about a link, with its whole address to be seen, and opens it in the browser if a person says so."""
    url = QUrl(address, QUrl.ParsingMode.StrictMode)
    if not address.lower().startswith(SCHEMES) or not url.isValid():
        return
    host = bytes(QUrl.toAce(url.host()).data()).decode("ascii") or url.host()
    box = QMessageBox(parent)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setIcon(QMessageBox.Icon.Question)
    box.setWindowTitle("Open a link")
    box.setText(f"The model's answer links to {host}. Open it in the browser?")
    box.setInformativeText(address)
    box.setStandardButtons(QMessageBox.StandardButton.Open | QMessageBox.StandardButton.Cancel)
    box.setDefaultButton(QMessageBox.StandardButton.Cancel)
    if box.exec() == QMessageBox.StandardButton.Open:
        QDesktopServices.openUrl(url)
