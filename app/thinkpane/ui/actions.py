"""The table of actions: what the menus hold, their keys, what they call, and when they may."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu

MENUS = ("File", "Edit", "View", "Template", "Run", "Compare", "Help")


@dataclass(frozen=True, slots=True)
class Row:
    """One action. shortcut: several are parted by blanks; callback: "owner.method"; rule: when it may, "" = always.

    rule and mark are "owner.property", both of type bool; a mark makes the action checkable. is_fallback: panes have
    the key for themselves, and it is the action's where the one with the keyboard has not. window_key: one that the
    window hears for it, after all who have it for themselves, and that is shown with the others.
    """

    id: str
    title: str
    menu: str
    callback: str
    shortcut: str = ""
    rule: str = ""
    mark: str = ""
    is_fallback: bool = False
    window_key: str = ""


SEPARATOR = ""
RECENT = "recent"
SAMPLES = "samples"

ACTIONS: tuple[Row | str, ...] = (
    Row("new", "&New", "File", "files.new", "Ctrl+N"),
    Row("open", "&Open…", "File", "files.ask_open", "Ctrl+O"),
    RECENT,
    SAMPLES,
    Row("save", "&Save", "File", "files.save", "Ctrl+S"),
    Row("save_as", "Save &as…", "File", "files.save_as", "Ctrl+Shift+S"),
    Row("export", "&Export prompt as picture or pages…", "File", "prompt.export", "Ctrl+Shift+E"),
    "File",
    Row("settings", "Se&ttings…", "File", "view.show_settings", "Ctrl+,"),
    "File",
    Row("quit", "&Quit", "File", "view.close_window", "Ctrl+Q"),
    Row("undo", "&Undo", "Edit", "files.undo", "Ctrl+Z", rule="files.can_undo"),
    Row("redo", "&Redo", "Edit", "files.redo", "Ctrl+Shift+Z Ctrl+Y", rule="files.can_redo"),
    "Edit",
    Row("copy_prompt", "Copy &prompt", "Edit", "view.copy_prompt", "Ctrl+Shift+C"),
    Row("copy_ids", "Copy token &ids", "Edit", "prompt.copy_ids", "Ctrl+Alt+I"),
    Row("copy_json", "Copy tokens as &JSON", "Edit", "prompt.copy_json", "Ctrl+Alt+J"),
    "Edit",
    Row("find", "&Find…", "Edit", "finding.start", "Ctrl+F", is_fallback=True),
    Row("find_next", "Find ne&xt", "Edit", "finding.go_on", "F3", is_fallback=True),
    Row("find_previous", "Find previ&ous", "Edit", "finding.go_back", "Shift+F3", is_fallback=True),
    "Edit",
    Row("go_to", "&Go to a place of the prompt…", "Edit", "prompt.go_to", "Ctrl+G", is_fallback=True),
    Row("next_special", "Next special &token", "Edit", "prompt.next_special", "Alt+PgDown"),
    Row("previous_special", "Pre&vious special token", "Edit", "prompt.previous_special", "Alt+PgUp"),
    Row("next_injected", "N&ext special token from input", "Edit", "injections.go_on", "Alt+Shift+PgDown"),
    Row("previous_injected", "Previo&us special token from input", "Edit", "injections.go_back", "Alt+Shift+PgUp"),
    Row("sanitized", "Show the prompt with &sanitised input…", "Edit", "injections.show_sanitized"),
    Row("next_pane", "&Next pane", "View", "view.next_pane", "F6"),
    Row("previous_pane", "&Previous pane", "View", "view.previous_pane", "Shift+F6"),
    "View",
    Row("shade_tokens", "Shade every to&ken", "View", "view.toggle_shading", "F8", mark="view.shades_tokens"),
    Row("token_ids", "Token &ids below each line", "View", "view.toggle_ids", "Shift+F8", mark="view.shows_ids"),
    Row("invisible", "In&visible characters", "View", "view.toggle_invisible", "Ctrl+F8", mark="view.shows_invisible"),
    Row("owner", "&Who wrote this character", "View", "view.tell_owner", "F1"),
    "View",
    Row("raw_answer", "Ra&w answer", "View", "output.toggle_raw", "Ctrl+M", mark="output.shows_raw"),
    Row("output_order", "O&utput in order of arrival", "View", "output.toggle_order", mark="output.is_in_order"),
    "View",
    Row("library", "&Library", "View", "view.toggle_library", "Ctrl+B", mark="view.shows_library"),
    Row("controls", "&Controls", "View", "view.toggle_controls", "Ctrl+Alt+B", mark="view.shows_controls"),
    Row("steps", "Prompt with &steps", "View", "view.toggle_steps", mark="view.shows_steps"),
    "View",
    Row("zoom_in", "Zoom &in", "View", "view.zoom_in", "Ctrl++ Ctrl+="),
    Row("zoom_out", "Zoom &out", "View", "view.zoom_out", "Ctrl+-"),
    Row("zoom_reset", "&Actual size", "View", "view.zoom_reset", "Ctrl+0"),
    "View",
    Row("theme_system", "Theme as the system has &it", "View", "view.use_system_theme", mark="view.is_system_theme"),
    Row("theme_dark", "&Dark theme", "View", "view.use_dark_theme", mark="view.is_dark_theme"),
    Row("theme_light", "Li&ght theme", "View", "view.use_light_theme", mark="view.is_light_theme"),
    "View",
    Row("reset_layout", "&Reset layout", "View", "view.reset_layout"),
    Row("open_template", "&Open template file…", "Template", "templates.ask_file", "Ctrl+T"),
    Row("open_folder", "Open model &folder…", "Template", "templates.ask_folder"),
    Row("open_address", "Open by &address…", "Template", "templates.ask_address", "Ctrl+Shift+T"),
    Row("paste_template", "&Paste template", "Template", "templates.paste", "Ctrl+Shift+V"),
    Row("reload_template", "&Reload template", "Template", "templates.reload", "Ctrl+Alt+R"),
    Row("remove_own", "Remove o&wn template…", "Template", "own.remove_current", rule="own.is_own"),
    Row("template_source", "&What was found…", "Template", "source.show_details"),
    "Template",
    Row("next_tier", "&Next tier", "Template", "choices.next_tier", "F7", rule="choices.has_tiers"),
    Row("previous_tier", "&Previous tier", "Template", "choices.previous_tier", "Shift+F7", rule="choices.has_tiers"),
    Row("run", "&Run", "Run", "session.run", "Ctrl+Return Ctrl+Enter F5", rule="session.may_run"),
    Row(
        "run_both",
        "Run &both, chat beside raw",
        "Run",
        "session.run_both",
        "Ctrl+Shift+Return Ctrl+Shift+Enter",
        rule="session.may_run",
    ),
    Row("stop", "&Stop", "Run", "session.stop", "Shift+F5", rule="session.is_live", window_key="Esc"),
    "Run",
    Row(
        "append",
        "&Append reply",
        "Run",
        "session.append_reply",
        "Ctrl+Alt+Return Ctrl+Alt+Enter",
        rule="session.has_reply",
    ),
    Row(
        "read_as",
        "Rea&d the reply another way",
        "Run",
        "output.toggle_reading",
        "Ctrl+Shift+R",
        rule="output.may_reread",
        mark="output.shows_reading",
    ),
    "Run",
    Row("earlier_runs", "Ear&lier runs…", "Run", "earlier.show_list", "Ctrl+Shift+H", rule="earlier.may_show"),
    "Run",
    Row("parity", "&Parity with the server…", "Run", "parity.show_details", rule="parity.may_ask"),
    Row("add_endpoint", "Add &endpoint…", "Run", "endpoints.add"),
    Row("edit_endpoint", "Edit en&dpoint…", "Run", "endpoints.edit", rule="endpoints.may_edit"),
    Row("remove_endpoint", "Re&move endpoint", "Run", "endpoints.remove", rule="endpoints.may_edit"),
    Row("pin_a", "&Pin the prompt as A", "Compare", "diff.pin_a", "Ctrl+Alt+P"),
    Row("pin_b", "Pin the prompt as &B", "Compare", "diff.pin_b"),
    Row("swap", "&Swap A and B", "Compare", "diff.swap_sides"),
    "Compare",
    Row("compare_before", "With the prompt before the last &edit", "Compare", "diff.compare_before", "Ctrl+Alt+D"),
    "Compare",
    Row("next_difference", "&Next difference", "Compare", "diff.next_difference", "F9"),
    Row("previous_difference", "P&revious difference", "Compare", "diff.previous_difference", "Shift+F9"),
    Row("shortcuts", "&Keyboard shortcuts", "Help", "view.show_shortcuts", "Ctrl+/"),
    Row("about", "&About Thinkpane", "Help", "view.show_about"),
)


class ActionSet:
    """The actions of one window, made from the table.

    owners: what the names before the dots stand for; fills: what fills the menus `RECENT` and `SAMPLES` when they open.
    """

    def __init__(
        self, window: QMainWindow, owners: Mapping[str, object], fills: Mapping[str, Callable[[QMenu], None]]
    ) -> None:
        self._owners = owners
        self._rows: dict[str, tuple[Row, QAction]] = {}
        menus = {title: window.menuBar().addMenu(f"&{title}") for title in MENUS}
        for row in ACTIONS:
            if isinstance(row, Row):
                action = self._action(window, row)
                self._rows[row.id] = (row, action)
                menus[row.menu].addAction(action)
            elif row in fills:
                menu = menus["File"].addMenu(f"Open &{row}" if row == RECENT else "Open sa&mple")
                menu.aboutToShow.connect(partial(fills[row], menu))
            else:
                menus[row].addSeparator()
        for menu in menus.values():
            menu.aboutToShow.connect(self.refresh)
        self.refresh()

    def __getitem__(self, id: str) -> QAction:
        return self._rows[id][1]

    def refresh(self) -> None:
        """Enables and marks every action as its rule says now."""
        for row, action in self._rows.values():
            if row.rule:
                action.setEnabled(bool(self._value(row.rule)))
            if row.mark:
                action.setChecked(bool(self._value(row.mark)))

    def take(self, event: QKeyEvent) -> bool:
        """Acts on a key that no pane took; False where it is no action's."""
        pressed = QKeySequence(event.keyCombination())
        for row, action in self._rows.values():
            if row.is_fallback and pressed == QKeySequence(row.shortcut):
                action.trigger()
                return True
        return False

    def _action(self, window: QMainWindow, row: Row) -> QAction:
        action = QAction(row.title, window)
        if row.is_fallback:
            # As a shortcut it would be ambiguous beside the panes' own.
            action.setText(f"{row.title}\t{keys_of(row.id)}")
        else:
            action.setShortcuts([QKeySequence(each) for each in row.shortcut.split()])
        if row.window_key:
            action.setText(f"{row.title}\t{keys_of(row.id)}")
        action.setCheckable(bool(row.mark))
        owner, _, name = row.callback.partition(".")
        call = getattr(self._owners[owner], name)
        action.triggered.connect(lambda _checked=False: call())
        return action

    def _value(self, name: str) -> object:
        owner, _, attribute = name.partition(".")
        return getattr(self._owners[owner], attribute)


def keys_of(id: str) -> str:
    """The first keys of an action and its window's, as the system writes them; "" where it has none."""
    row = next(each for each in ACTIONS if isinstance(each, Row) and each.id == id)
    first = next(iter(row.shortcut.split()), "")
    shown = (QKeySequence(each).toString(QKeySequence.SequenceFormat.NativeText) for each in (row.window_key, first))
    return ", ".join(filter(None, shown))


def shortcut_sheet() -> list[tuple[str, str, str]]:
    """What has a key: (menu, title, keys), in the order of the menus."""
    found = []
    for row in ACTIONS:
        if isinstance(row, Row) and row.shortcut:
            found.append((row.menu, row.title.replace("&", "").rstrip("…"), keys_of(row.id)))
    return found
