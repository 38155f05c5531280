"""Colours and fonts by role, light and dark, and the one style sheet. Follows the system's scheme unless told.

Qt's own colour-scheme switch does nothing on offscreen or bare X platforms, so the palette is ours.
"""

import re
from dataclasses import dataclass
from typing import Literal, TypeAlias

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication

Scheme: TypeAlias = Literal["dark", "light"]


@dataclass(frozen=True, slots=True)
class Theme:
    """The colours of one scheme, as #rrggbb by role. `role` gives the colour of a message role."""

    scheme: Scheme
    window: str
    pane: str
    card: str
    line: str
    chip: str
    text: str
    dim: str
    accent: str
    accent_ground: str
    accent_text: str
    selection: str
    good: str
    warning: str
    bad: str
    system: str
    user: str
    assistant: str
    tool: str
    thinking_ground: str

    def role(self, name: str) -> str:
        """The colour of a role, or of what is removed and added; any other name gets the dim text's colour."""
        known = {
            "system": self.system,
            "developer": self.system,
            "user": self.user,
            "assistant": self.assistant,
            "tool": self.tool,
            "thinking": self.system,
            "removed": self.bad,
            "added": self.good,
            "plain": self.good,
        }
        return known.get(name, self.dim)

    def color(self, value: str, share: float = 1.0) -> QColor:
        """`value` as a QColor, `share` of it opaque."""
        found = QColor(value)
        found.setAlphaF(share)
        return found


DARK = Theme(
    scheme="dark",
    window="#14161a",
    pane="#1a1d23",
    card="#20242c",
    line="#2b303a",
    chip="#262b35",
    text="#d7dbe3",
    dim="#8b93a3",
    accent="#6ea8fe",
    accent_ground="#1f2f4a",
    accent_text="#0e1116",
    selection="#2f4a78",
    good="#58c48d",
    warning="#e0b04c",
    bad="#e5716f",
    system="#b48ead",
    user="#6ea8fe",
    assistant="#58c48d",
    tool="#e0b04c",
    thinking_ground="#23202b",
)
LIGHT = Theme(
    scheme="light",
    window="#f3f4f7",
    pane="#fbfbfd",
    card="#ffffff",
    line="#dde1e8",
    chip="#eceff4",
    text="#1d2330",
    dim="#5d6575",
    accent="#1f64d6",
    accent_ground="#e2ecfd",
    accent_text="#ffffff",
    selection="#b9d3fb",
    good="#157f4f",
    warning="#8a5a00",
    bad="#b3302e",
    system="#7a3f8f",
    user="#1f64d6",
    assistant="#157f4f",
    tool="#8a5a00",
    thinking_ground="#f3effa",
)


class ThemeState(QObject):
    """Which theme is in force.

    Signals:
        changed: the theme or the zoom is another one now; whoever paints by hand repaints.
    """

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.theme: Theme = DARK
        self.zoom: float = 1.0


_state: ThemeState | None = None


def state() -> ThemeState:
    """The one theme state of the process, made on first use."""
    global _state
    if _state is None:
        _state = ThemeState()
    return _state


def current() -> Theme:
    """The theme in force."""
    return state().theme


def system_scheme() -> Scheme:
    """The system's scheme; where it does not say, by the lightness of the palette it gives."""
    hints = QGuiApplication.styleHints()
    scheme = hints.colorScheme()
    if scheme == Qt.ColorScheme.Dark:
        return "dark"
    if scheme == Qt.ColorScheme.Light:
        return "light"
    return "dark" if QGuiApplication.palette().color(QPalette.ColorRole.Window).lightness() < 128 else "light"


def ui_font(points: int = 13, *, bold: bool = False) -> QFont:
    """The interface font at `points` px (scaled by the zoom)."""
    font = QFont(QGuiApplication.font())
    font.setPixelSize(round(points * state().zoom))
    font.setBold(bold)
    return font


def mono_font(points: int = 12) -> QFont:
    """The monospace font at `points` px, without ligatures: a ligature hides characters."""
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    families = ["DejaVu Sans Mono", "Menlo", "Consolas", font.family(), "Noto Sans Mono CJK SC", "Noto Color Emoji"]
    font.setFamilies(families)
    font.setStyleHint(QFont.StyleHint.Monospace)
    font.setPixelSize(round(points * state().zoom))
    for tag in ("liga", "clig", "calt", "dlig"):
        font.setFeature(QFont.Tag(tag), 0)
    return font


def use(application: QApplication, scheme: Scheme | None = None) -> None:
    """Puts the theme of `scheme` (None = the system's) into force for the whole application."""
    theme = DARK if (scheme or system_scheme()) == "dark" else LIGHT
    state().theme = theme
    application.setPalette(palette(theme))
    application.setStyleSheet(style_sheet(theme))
    state().changed.emit()


def palette(theme: Theme) -> QPalette:
    """The Qt palette of a theme."""
    found = QPalette()
    role = QPalette.ColorRole
    pairs = {
        role.Window: theme.window,
        role.WindowText: theme.text,
        role.Base: theme.pane,
        role.AlternateBase: theme.card,
        role.Text: theme.text,
        role.PlaceholderText: theme.dim,
        role.Button: theme.card,
        role.ButtonText: theme.text,
        role.Highlight: theme.accent_ground,
        role.HighlightedText: theme.text,
        role.Link: theme.accent,
        role.ToolTipBase: theme.card,
        role.ToolTipText: theme.text,
        role.Mid: theme.line,
    }
    for each, value in pairs.items():
        found.setColor(each, QColor(value))
    for each in (role.Text, role.WindowText, role.ButtonText):
        found.setColor(QPalette.ColorGroup.Disabled, each, QColor(theme.dim))
    return found


def style_sheet(theme: Theme) -> str:
    """The one style sheet: radii 6 (controls), 8 (cards), 4 (chips); spacing in steps of 4. Its texts are zoomed."""
    from thinkpane.resources import read_text

    sheet = read_text("themes/style.qss")
    for name in Theme.__slots__:
        sheet = sheet.replace(f"@{name}@", str(getattr(theme, name)))
    return re.sub(r"font-size: (\d+)px", lambda found: f"font-size: {round(int(found[1]) * state().zoom)}px", sheet)
