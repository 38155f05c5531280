"""An excerpt as a picture in one piece: PNG, or SVG whose text stays text."""

import re
from html import unescape
from typing import Final

from PySide6.QtCore import QBuffer, QIODevice, QRectF, QSize
from PySide6.QtGui import QFont, QFontMetricsF, QImage, QPainter
from PySide6.QtSvg import QSvgGenerator

from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.ui import theme
from thinkpane.ui.excerpts.sheet import Sheet

MOST_HEIGHT: Final = 8_000
"""Pixels of a picture's height; slides and trackers shrink higher ones until nobody can read them."""

MOST_CHARACTERS: Final = 400_000
"""Characters of a picture: no more fit in that height."""

_SHARP_UP_TO: Final = 4_000
"""Pixels of height up to which a PNG has two dots a pixel."""

_TEXT = re.compile(r"<text([^>]*)>([^<]*)</text>")
_ATTRIBUTE = re.compile(r'([\w-]+)="([^"]*)"')
_FAMILY = re.compile(r'font-family="([^"]*)"')
_FACES = """<style>@supports (display: block) {
text[font-family="%s"] { font-family: %s; }
}</style>"""
"""Simple readers know no list of families in an attribute, and none of them knows @supports: they take the first."""


def png(sheet: Sheet) -> bytes:
    """The picture's file. Raises ThinkpaneError (kind "size") where it would be too high."""
    height = _height(sheet)
    scale = 2 if height <= _SHARP_UP_TO else 1
    picture = QImage(sheet.look.width * scale, int(height) * scale, QImage.Format.Format_RGB32)
    if picture.isNull():
        raise _no_memory()
    picture.setDevicePixelRatio(scale)
    # Readers of the file take its inches for its size.
    picture.setDotsPerMeterX(round(scale * 96 / 0.0254))
    picture.setDotsPerMeterY(round(scale * 96 / 0.0254))
    painter = QPainter(picture)
    sheet.paint(painter, sheet.first(), sheet.count_rows(MOST_HEIGHT), height)
    painter.end()
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    if not picture.save(buffer, "PNG"):  # type: ignore[call-overload]  # Qt takes a device, too
        raise _no_memory()
    return bytes(buffer.data().data())


def svg(sheet: Sheet) -> bytes:
    """The picture's file, text as text. Raises ThinkpaneError (kind "size") where it would be too high."""
    height = _height(sheet)
    buffer = QBuffer()
    generator = QSvgGenerator()
    generator.setOutputDevice(buffer)
    generator.setSize(QSize(sheet.look.width, int(height)))
    generator.setViewBox(QRectF(0, 0, sheet.look.width, int(height)))
    generator.setResolution(96)
    generator.setTitle("Prompt")
    generator.setDescription("")
    painter = QPainter(generator)
    sheet.paint(painter, sheet.first(), sheet.count_rows(MOST_HEIGHT), height)
    painter.end()
    return _with_widths(bytes(buffer.data().data()).decode("utf-8")).encode("utf-8")


def _no_memory() -> ThinkpaneError:
    return ThinkpaneError(Problem("memory", "There was not enough memory for the picture: select less."))


def _height(sheet: Sheet) -> float:
    most = int(MOST_HEIGHT // sheet.row_height)
    if sheet.estimated_rows() > 20 * most or sheet.count_rows(most + 1) > most:
        raise ThinkpaneError(
            Problem(
                "size",
                f"A picture would be more than {MOST_HEIGHT:,} pixels high: export as PDF or HTML, or select less.",
            )
        )
    return sheet.height(sheet.count_rows(most))


def _with_widths(text: str) -> str:
    """The SVG with each text's width told, so that chips fit it in whatever fixed-width font the reader has."""
    found = _FAMILY.sub(_first_family, _TEXT.sub(_with_width, text))
    families = theme.mono_font().families()
    listed = ", ".join(f'"{each}"' for each in families if each != "monospace")
    return found.replace("<defs>", f"{_FACES % (families[0], f'{listed}, monospace')}\n<defs>", 1)


def _first_family(found: re.Match[str]) -> str:
    first = found[1].split(",")[0]
    return f'font-family="{"sans-serif" if first == "Sans Serif" else first}"'


def _with_width(found: re.Match[str]) -> str:
    attributes = dict(_ATTRIBUTE.findall(found[1]))
    words = unescape(found[2])
    if not words.strip():
        return found[0]
    font = QFont()
    font.setFamilies(attributes["font-family"].split(","))
    font.setPixelSize(round(float(attributes["font-size"])))
    font.setWeight(QFont.Weight(int(attributes["font-weight"])))
    width = QFontMetricsF(font).horizontalAdvance(words)
    return f'<text{found[1]} textLength="{width:.2f}" lengthAdjust="spacingAndGlyphs">{found[2]}</text>'
