"""Writes Markdown into a QTextDocument through formats alone: no HTML is ever made or read, so nothing can be loaded.

Raw HTML and pictures stand as the text they are; links keep their address and open nothing by themselves.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextFrameFormat,
    QTextLength,
    QTextOption,
    QTextTable,
    QTextTableFormat,
)

from thinkpane.ui import theme
from thinkpane.ui.widgets.code_colours import coloured
from thinkpane.ui.widgets.plain_tip import plain_tip
from thinkpane.ui.widgets.text_layout import without_ligatures
from thinkpane.ui.widgets.text_shown import shown

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

MOST_NESTED = 6
"""Levels of lists and quotes that are indented; deeper ones stand where these do."""

SCHEMES = ("http://", "https://")
"""What a link may lead to; all others stand as text."""

_LINE = "\u2028"
_HEADS = {"h1": 18, "h2": 16, "h3": 14}
_POINTS, _CODE_POINTS = 13, 12
_GAP = 6
_INDENT = 20
_LINE_HEIGHT = 125


@cache
def parser() -> "MarkdownIt":
    """CommonMark with tables and strikethrough; raw HTML is text."""
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark", {"html": False, "maxNesting": 20}).enable(["table", "strikethrough"])


@dataclass(slots=True)
class _List:
    """A list that is open. number: of the next item, None = bullets."""

    number: int | None


class MarkdownWriter:
    """Appends rendered Markdown to one document, in the colours and sizes that the theme has then."""

    def __init__(self, cursor: QTextCursor) -> None:
        """cursor: at the end of a document that nobody else writes to."""
        self._cursor = cursor
        self._open: list[_List | None] = []  # lists, and None for each quote
        self._item: _List | None = None
        self._is_empty = True
        self._formats: list[QTextCharFormat] = []

    def write(self, source: str) -> None:
        """Appends `source`: whole blocks."""
        self._open, self._item, self._formats = [], None, [_text_format()]
        self._cursor.beginEditBlock()
        try:
            self._write(parser().parse(source))
        finally:
            self._cursor.endEditBlock()

    def _write(self, tokens: "Sequence[Token]") -> None:
        place = 0
        while place < len(tokens):
            if tokens[place].type == "table_open":
                end = next(at for at in range(place, len(tokens)) if tokens[at].type == "table_close")
                self._table(tokens[place:end])
                place = end
            else:
                self._block(tokens[place])
            place += 1

    def _block(self, token: "Token") -> None:
        match token.type:
            case "ordered_list_open":
                start = token.attrGet("start")
                self._open.append(_List(1 if start is None else int(start)))
            case "bullet_list_open":
                self._open.append(_List(None))
            case "blockquote_open":
                self._open.append(None)
            case "ordered_list_close" | "bullet_list_close" | "blockquote_close":
                self._open.pop()
            case "list_item_open":
                self._item = self._open[-1]
            case "list_item_close" if self._item is not None:
                self._begin()  # an item without a word
            case "heading_close":
                self._formats.pop()
            case _:
                self._content(token)

    def _content(self, token: "Token") -> None:
        match token.type:
            case "heading_open":
                self._begin()
                self._formats.append(_heading_format(token.tag))
            case "paragraph_open":
                self._begin(0 if token.hidden else _GAP)
            case "inline":
                self._inline(token.children or [])
            case "fence" | "code_block":
                self._code(token.content.removesuffix("\n"), token.info)
            case "hr":
                self._begin()
                self._insert("⸻", _dim_format())

    # Text.

    def _inline(self, tokens: "Sequence[Token]") -> None:
        for token in tokens:
            match token.type:
                case "text" | "html_inline":
                    self._insert(token.content)
                case "softbreak" | "hardbreak":
                    self._cursor.insertText(_LINE, self._formats[-1])
                    self._put_marks(None)
                case "code_inline":
                    self._insert(token.content, _inline_code_format(self._formats[-1]))
                case "image":
                    self._insert(f"![{token.content}]({token.attrGet('src') or ''})", _dim_format())
                case "link_open":
                    self._formats.append(_link_format(self._formats[-1], str(token.attrGet("href") or "")))
                case "em_open" | "strong_open" | "s_open":
                    self._formats.append(_emphasis(self._formats[-1], token.type))
                case "link_close" | "em_close" | "strong_close" | "s_close":
                    self._formats.pop()

    def _insert(self, text: str, format: QTextCharFormat | None = None) -> None:
        """Control characters, bidi marks and the like show as they do in the own text view."""
        self._cursor.insertText(shown(text).text, format or self._formats[-1])

    def _code(self, source: str, info: str) -> None:
        """A line of the document for each line of code: one long block would be laid out anew as a whole."""
        base = _code_format()
        lines: list[list[tuple[str, str]]] = [[]]
        for text, colour in coloured(source, info.split()[0] if info.strip() else ""):
            first, *others = text.split("\n")
            lines[-1].append((first, colour))
            lines.extend([(each, colour)] for each in others)
        for number, line in enumerate(lines):
            self._begin(_GAP if number == 0 else 0)
            format = self._cursor.blockFormat()
            format.setBackground(QColor(theme.current().pane))
            format.setLeftMargin(format.leftMargin() + 4)
            # Any other height leaves stripes between the grounds of the lines.
            format.setLineHeight(0, QTextBlockFormat.LineHeightTypes.SingleHeight.value)
            self._cursor.setBlockFormat(format)
            for text, colour in line:
                look = QTextCharFormat(base)
                if colour:
                    look.setForeground(QColor(colour))
                self._insert(text, look)

    # Tables.

    def _table(self, tokens: "Sequence[Token]") -> None:
        rows: list[list[Token]] = []
        for token in tokens:
            if token.type == "tr_open":
                rows.append([])
            elif token.type == "inline":
                rows[-1].append(token)
        self._begin()
        table = self._cursor.insertTable(len(rows), max(map(len, rows)), _table_format())
        for down, row in enumerate(rows):
            for across, cell in enumerate(row):
                self._fill(table, down, across, cell)
        self._cursor.movePosition(QTextCursor.MoveOperation.End)
        self._is_empty = False

    def _fill(self, table: QTextTable, row: int, column: int, cell: "Token") -> None:
        outer, self._cursor = self._cursor, table.cellAt(row, column).firstCursorPosition()
        self._formats.append(_emphasis(self._formats[-1], "strong_open") if row == 0 else self._formats[-1])
        self._inline(cell.children or [])
        self._formats.pop()
        self._cursor = outer

    # Lines.

    def _begin(self, gap: int = _GAP) -> None:
        """A new line of the document, inside the lists and quotes that are open; an item begins with its mark."""
        item, self._item = self._item, None
        depth = min(len(self._open), MOST_NESTED)
        format = QTextBlockFormat()
        format.setTopMargin(0 if self._is_empty else gap)
        format.setLeftMargin(_INDENT * depth)
        format.setLineHeight(_LINE_HEIGHT, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        if item is not None:
            format.setTextIndent(-_INDENT)
            format.setTabPositions([QTextOption.Tab(_INDENT, QTextOption.TabType.LeftTab)])
        if self._is_empty:
            self._cursor.setBlockFormat(format)
        else:
            self._cursor.insertBlock(format, self._formats[0])
        self._is_empty = False
        self._put_marks(item)

    def _put_marks(self, item: _List | None) -> None:
        """What a list or a quote is known by, as text, so that it is copied too."""
        if None in self._open:
            self._cursor.insertText("▏", _dim_format())
        if item is not None and item.number is None:
            lists = sum(each is not None for each in self._open)
            self._cursor.insertText("•\t" if lists % 2 else "◦\t", _dim_format())
        elif item is not None and item.number is not None:
            self._cursor.insertText(f"{item.number}.\t", _dim_format())
            item.number += 1


def _text_format() -> QTextCharFormat:
    found = QTextCharFormat()
    found.setFont(without_ligatures(theme.ui_font(_POINTS)))
    found.setForeground(QColor(theme.current().text))
    return found


def _dim_format() -> QTextCharFormat:
    found = _text_format()
    found.setForeground(QColor(theme.current().dim))
    return found


def _heading_format(tag: str) -> QTextCharFormat:
    found = _text_format()
    found.setFont(without_ligatures(theme.ui_font(_HEADS.get(tag, _POINTS), bold=True)))
    return found


def _code_format() -> QTextCharFormat:
    found = QTextCharFormat()
    found.setFont(theme.mono_font(_CODE_POINTS))
    found.setForeground(QColor(theme.current().text))
    return found


def _inline_code_format(around: QTextCharFormat) -> QTextCharFormat:
    found = QTextCharFormat(around)
    found.setFont(theme.mono_font(_CODE_POINTS))
    found.setBackground(QBrush(QColor(theme.current().chip)))
    return found


def _emphasis(around: QTextCharFormat, kind: str) -> QTextCharFormat:
    found = QTextCharFormat(around)
    if kind == "strong_open":
        found.setFontWeight(QFont.Weight.Bold)
    elif kind == "em_open":
        found.setFontItalic(True)
    else:
        found.setFontStrikeOut(True)
    return found


def _link_format(around: QTextCharFormat, address: str) -> QTextCharFormat:
    """A link that can be asked for; an address that may not be opened leaves the text as it is."""
    found = QTextCharFormat(around)
    if address.lower().startswith(SCHEMES):
        found.setAnchor(True)
        found.setAnchorHref(address)
        found.setForeground(QColor(theme.current().accent))
        found.setFontUnderline(True)
        found.setToolTip(plain_tip(shown(address).text))
    return found


def _table_format() -> QTextTableFormat:
    found = QTextTableFormat()
    found.setBorder(1)
    found.setBorderCollapse(True)
    found.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
    found.setBorderBrush(QBrush(QColor(theme.current().line)))
    found.setCellPadding(5)
    found.setCellSpacing(0)
    found.setTopMargin(4)
    found.setBottomMargin(4)
    found.setWidth(QTextLength())
    found.setAlignment(Qt.AlignmentFlag.AlignLeft)
    return found
