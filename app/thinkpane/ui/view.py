"""How the window is looked at: panes and their order, zoom, theme, layout that is kept, dialogs about the window."""

from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QByteArray, QObject, QSettings, Qt, Signal
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QMainWindow, QSplitter, QTabWidget, QWidget

from thinkpane.errors import ThinkpaneError
from thinkpane.ui import theme

if TYPE_CHECKING:
    from thinkpane.ui.bridge import PromptFeed
    from thinkpane.ui.window_layout import WindowLayout
    from thinkpane.workspace.settings import Settings, SettingValue

LAYOUT_VERSION = 1
"""Kept layouts of another version are not restored."""

LIBRARY_FROM = 1180
"""Window widths from which the library stands beside the messages unasked."""

_ZOOM_STEP = 0.1


class View(QObject):
    """What the View and Help menus do.

    Signals:
        failed(object): a Problem to be told.
        warned(object): a Problem that kept nothing from being done.
    """

    failed = Signal(object)
    warned = Signal(object)

    def __init__(
        self,
        window: QMainWindow,
        layout: "WindowLayout",
        prompts: "PromptFeed",
        settings: "Settings",
        layout_file: str,
    ) -> None:
        super().__init__(window)
        self._window = window
        self._layout = layout
        self._prompts = prompts
        self._settings = settings
        self._kept = QSettings(layout_file, QSettings.Format.IniFormat)
        self._library_asked: bool | None = None
        self._is_own = False
        for splitter in layout.splitters.values():
            splitter.splitterMoved.connect(self._on_splitter_moved)
        self._end_listening = settings.listen(self._on_settings_changed)
        window.destroyed.connect(self._end_listening)

    @property
    def shows_library(self) -> bool:
        """Whether the left column is shown."""
        return not self._layout.library.isHidden()

    @property
    def shows_controls(self) -> bool:
        """Whether the right column is shown."""
        return not self._layout.side.isHidden()

    @property
    def shows_steps(self) -> bool:
        """Whether the prompt is shown as the steps before sending make it."""
        return self._prompts.with_steps

    @property
    def shades_tokens(self) -> bool:
        """Whether every token of the prompt is shaded."""
        return bool(self._settings.get("prompt.shaded"))

    @property
    def shows_ids(self) -> bool:
        """Whether the prompt has the ids of its tokens below each line."""
        return bool(self._settings.get("prompt.ids"))

    @property
    def shows_invisible(self) -> bool:
        """Whether the prompt has marks for invisible characters."""
        return bool(self._settings.get("prompt.invisible"))

    @property
    def is_system_theme(self) -> bool:
        """Whether the theme follows the system."""
        return self._settings.text("theme") == "system"

    @property
    def is_dark_theme(self) -> bool:
        """Whether the dark theme was chosen."""
        return self._settings.text("theme") == "dark"

    @property
    def is_light_theme(self) -> bool:
        """Whether the light theme was chosen."""
        return self._settings.text("theme") == "light"

    def restore(self) -> None:
        """Puts the window where it was; a layout that cannot be used is passed over."""
        if self._kept.value("version", 0, int) != LAYOUT_VERSION:
            return
        geometry = self._kept.value("geometry")
        if isinstance(geometry, QByteArray):
            self._window.restoreGeometry(geometry)
        for name, splitter in self._layout.splitters.items():
            self._restore(splitter, self._kept.value(f"splitter/{name}"))
        library = self._kept.value("library")
        if library is not None:
            self._library_asked = library in (True, "true")
        controls = self._kept.value("controls")
        if controls is not None:
            self._layout.controls_asked = controls in (True, "true")
        self.fit(self._window.width())

    def keep(self) -> None:
        """Writes where the window is."""
        self._kept.setValue("version", LAYOUT_VERSION)
        self._kept.setValue("geometry", self._window.saveGeometry())
        for name, splitter in self._layout.splitters.items():
            self._kept.setValue(f"splitter/{name}", splitter.saveState())
        if self._library_asked is not None:
            self._kept.setValue("library", self._library_asked)
        if self._layout.controls_asked is not None:
            self._kept.setValue("controls", self._layout.controls_asked)
        self._kept.sync()

    def fit(self, width: int) -> None:
        """Shows library and controls as asked for, else where the window is wide enough."""
        wide = width >= LIBRARY_FROM * theme.state().zoom
        self._layout.library.setVisible(self._library_asked if self._library_asked is not None else wide)
        self._layout.fit_controls(width)
        if not self._is_own:
            self._layout.share_out(width)

    def toggle_library(self) -> None:
        """Shows or hides the left column."""
        self._library_asked = not self.shows_library
        self._layout.library.setVisible(self._library_asked)

    def toggle_controls(self) -> None:
        """Shows or hides the right column."""
        self._layout.ask_for_controls(on=not self.shows_controls)

    def toggle_steps(self) -> None:
        """Shows the prompt with or without the steps before sending."""
        self._prompts.show_steps(not self._prompts.with_steps)

    def toggle_shading(self) -> None:
        """Shades every token of the prompt, or none."""
        self._set("prompt.shaded", not self.shades_tokens)

    def toggle_ids(self) -> None:
        """Shows or hides the ids of the prompt's tokens."""
        self._set("prompt.ids", not self.shows_ids)

    def toggle_invisible(self) -> None:
        """Shows or hides marks for the prompt's invisible characters."""
        self._set("prompt.invisible", not self.shows_invisible)

    def reset_layout(self) -> None:
        """The layout of a first start."""
        self._kept.clear()
        self._library_asked = self._layout.controls_asked = None
        self._is_own = False
        self.fit(self._window.width())

    def next_pane(self) -> None:
        """Puts the keyboard into the next pane."""
        self._move(1)

    def previous_pane(self) -> None:
        """Puts the keyboard into the pane before."""
        self._move(-1)

    def focus_messages(self) -> None:
        """Puts the keyboard where a person begins."""
        self._focus(self._layout.compose)

    def tell_owner(self) -> None:
        """Puts the keyboard into the prompt, where the owner of the character at the caret is told."""
        from thinkpane.ui.panes.prompt import PromptPane

        pane = self._layout.panes["prompt"]
        self._layout.show_pane("prompt")
        if isinstance(pane, PromptPane):
            pane.tell_owner()

    def zoom_in(self) -> None:
        """Larger text."""
        self._zoom(self._settings.number("zoom") + _ZOOM_STEP)

    def zoom_out(self) -> None:
        """Smaller text."""
        self._zoom(self._settings.number("zoom") - _ZOOM_STEP)

    def zoom_reset(self) -> None:
        """Text in its own size."""
        self._zoom(1.0)

    def use_system_theme(self) -> None:
        """Dark or light as the system has it."""
        self._set("theme", "system")

    def use_dark_theme(self) -> None:
        """Always dark."""
        self._set("theme", "dark")

    def use_light_theme(self) -> None:
        """Always light."""
        self._set("theme", "light")

    def copy_prompt(self) -> None:
        """Puts the prompt on the clipboard, exactly; says so where it is the last good one."""
        from thinkpane.ui.prompt_copy import copy_prompt

        problem = copy_prompt(self._prompts.prompt)
        if problem is not None:
            self.warned.emit(problem)

    def show_settings(self) -> None:
        """The settings dialog."""
        self._settings_dialog("")

    def show_limits(self) -> None:
        """The settings dialog, at the limits."""
        self._settings_dialog("limits.event_bytes")

    def show_shortcuts(self) -> None:
        """What has a key."""
        from thinkpane.ui.dialogs.shortcuts import ShortcutsDialog

        ShortcutsDialog(self._window).exec()

    def show_about(self) -> None:
        """What this program is."""
        from thinkpane.ui.dialogs.about import show_about

        show_about(self._window)

    def close_window(self) -> None:
        """Ends the program, after the question where there is unsaved work."""
        self._window.close()

    def apply_theme(self) -> None:
        """Puts theme and zoom of the settings into force."""
        application = QApplication.instance()
        if isinstance(application, QApplication):
            chosen = self._settings.text("theme")
            theme.state().zoom = self._settings.number("zoom")
            theme.use(application, None if chosen == "system" else cast("theme.Scheme", chosen))

    def _settings_dialog(self, first: str) -> None:
        from thinkpane.ui.dialogs.settings import SettingsDialog

        SettingsDialog(self._settings, first, self._window).exec()

    def _move(self, by: int) -> None:
        areas = [each for each in self._layout.areas() if each.isVisible()]
        focus = QApplication.focusWidget()
        at = next((place for place, area in enumerate(areas) if focus and _holds(area, focus)), None)
        self._focus(areas[(at + by) % len(areas)] if at is not None else areas[0 if by > 0 else -1])

    def _focus(self, area: QWidget) -> None:
        focused = _first_focus(area)
        if focused is not None:
            focused.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _zoom(self, zoom: float) -> None:
        self._set("zoom", round(min(max(zoom, 0.5), 3.0), 2))

    def _set(self, name: str, value: "SettingValue") -> None:
        try:
            self._settings.set(name, value)
        except ThinkpaneError as error:
            self.failed.emit(error.problem)

    def _restore(self, splitter: QSplitter, kept: object) -> None:
        if isinstance(kept, QByteArray) and splitter.restoreState(kept):
            self._is_own = True

    def _on_splitter_moved(self) -> None:
        self._is_own = True

    def _on_settings_changed(self, name: str) -> None:
        if name in ("theme", "zoom"):
            self.apply_theme()
            self.fit(self._window.width())


def _holds(area: QWidget, widget: QWidget) -> bool:
    return area is widget or area.isAncestorOf(widget)


def _first_focus(area: QWidget) -> QWidget | None:
    """The first widget of an area that takes the keyboard: what is edited or read, rather than a tab bar."""
    front = area.currentWidget() if isinstance(area, QTabWidget) else area
    taking = [each for each in (front, *front.findChildren(QWidget)) if _takes_keyboard(each)]
    reading = [each for each in taking if isinstance(each, QAbstractScrollArea)]
    return next(iter(reading or taking), None)


def _takes_keyboard(widget: QWidget) -> bool:
    policy = widget.focusPolicy() & Qt.FocusPolicy.TabFocus
    return widget.isVisible() and widget.isEnabled() and bool(policy)
