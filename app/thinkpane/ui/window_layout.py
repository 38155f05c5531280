"""Where everything stands: bars above, library, messages over output, prompt, controls, status below."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QScrollArea, QSplitter, QToolButton, QVBoxLayout, QWidget

from thinkpane.ui import theme
from thinkpane.ui.actions import keys_of
from thinkpane.ui.context import Context
from thinkpane.ui.panes._registry import panes_of
from thinkpane.ui.panes.answer import AnswerPane
from thinkpane.ui.panes.prompt import PromptPane
from thinkpane.ui.widgets.banner import Banner
from thinkpane.ui.widgets.calm_scroll_area import CalmScrollArea
from thinkpane.ui.widgets.flat_button import flat_button
from thinkpane.ui.widgets.library_list import Entry, LibraryList
from thinkpane.ui.widgets.output_card import plain_label
from thinkpane.ui.widgets.output_column import OutputColumn
from thinkpane.ui.widgets.pane_tabs import PaneTabs
from thinkpane.ui.widgets.plain_tip import plain_tip
from thinkpane.ui.widgets.room_below import RoomBelow
from thinkpane.ui.widgets.section import SectionHead
from thinkpane.ui.widgets.source_bar import SourceBar
from thinkpane.ui.widgets.status_bar import StatusBar
from thinkpane.ui.widgets.tier_row import TierRow
from thinkpane.ui.widgets.top_bar import TopBar

SIZES = {"columns": [200, 450, 475, 275], "work": [320, 400]}
"""Pixels of a first start at 1440 by 900; splitters share out what there is in this proportion."""

CONTROLS_FROM = 960
"""Window widths, before the zoom, from which the right column stands beside the prompt unasked."""
LEAST = {"work": 300, "inspect": 236, "side": 262}
"""Pixels, before the zoom, that the columns have at least; together they are as wide as the smallest window."""

_IN_COLUMN = ("thinking", "answer", "calls")


class WindowLayout(QWidget):
    """The window's widgets. panes: the pane widgets by their ids."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self.panes: dict[str, QWidget] = {}
        self._shared: list[int] = []
        self.top = TopBar()
        self.tiers = TierRow()
        self.source = SourceBar()
        self.banner = Banner()
        self.status = StatusBar()
        self.compose = self._tabs("Compose", context, "compose")
        self._add_corner()
        self.inspect = self._tabs("Inspect", context, "inspect")
        self.side = self._tabs("Controls", context, "side")
        self.controls_asked: bool | None = None
        self.to_controls = flat_button("Controls", f"Show the controls ({keys_of('controls')})")
        self.to_controls.clicked.connect(lambda: self.ask_for_controls(on=True))
        self.inspect.setCornerWidget(self.to_controls)
        self.to_controls.hide()
        self.output = self._output(context)
        self.library = self._library()
        self.splitters = {
            "work": _splitter(Qt.Orientation.Vertical, self.compose, self.output),
        }
        self.splitters["columns"] = _splitter(
            Qt.Orientation.Horizontal, self.library, self.splitters["work"], self.inspect, self.side
        )
        for name, splitter in self.splitters.items():
            splitter.setSizes(SIZES[name])
        for place, stretch in enumerate((0, 3, 3, 0)):
            self.splitters["columns"].setStretchFactor(place, stretch)
        self.below = RoomBelow(self.splitters["columns"])
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for each in (self.top, self.tiers, self.source, self.banner):
            column.addWidget(each)
        column.addWidget(self.below, 1)
        column.addWidget(self.status)

    def areas(self) -> list[QWidget]:
        """What F6 goes round, in reading order."""
        return [self.library, self.compose, self.output, self.inspect, self.side, *self.below.areas()]

    def share_out(self, width: int) -> None:
        """The columns of a first start in a window of that width."""
        library, work, inspect, side = SIZES["columns"]
        left = 0 if self.library.isHidden() else library
        side = 0 if self.side.isHidden() else max(side, self.side.minimumWidth())
        share = work / (work + inspect)
        rest = max(0, width - left - side)
        self.splitters["columns"].setSizes([left, round(rest * share), rest - round(rest * share), side])

    def fit_controls(self, width: int) -> None:
        """Shows the right column as asked for, else where the window is wide enough."""
        zoom = theme.state().zoom
        columns = (self.splitters["work"], self.inspect, self.side)
        for column, least in zip(columns, LEAST.values(), strict=True):
            column.setMinimumWidth(round(least * min(zoom, width / (sum(LEAST.values()) + 2))))
        self._show_controls(
            on=self.controls_asked if self.controls_asked is not None else width >= CONTROLS_FROM * zoom
        )

    def ask_for_controls(self, *, on: bool) -> None:
        """Shows or hides the right column, whatever the window's width."""
        self.controls_asked = on
        self._show_controls(on=on)

    def _show_controls(self, *, on: bool) -> None:
        self.side.setVisible(on)
        self.to_controls.setVisible(not on)

    def give_room(self, on: bool) -> None:
        """Makes the composing panes high at the cost of the output, or shares the height out as it was before."""
        splitter = self.splitters["work"]
        if on:
            self._shared = splitter.sizes()
            splitter.setSizes([splitter.height(), 0])
        elif self._shared:
            splitter.setSizes(self._shared)

    def show_pane(self, id: str) -> bool:
        """Brings a pane to the front; False where there is none of that name."""
        if id in _IN_COLUMN:
            self.output.show_pane("output")
            self.column.show_card(self.panes[id])
            return True
        if self.side.show_pane(id):
            self._show_controls(on=True)
            return True
        return any(each.show_pane(id) for each in (self.compose, self.output, self.inspect))

    def show_reply(self) -> None:
        """Brings the reply to the front of the output."""
        self.output.show_pane("output")

    def show_own_templates(self, entries: Sequence[Entry], current: object) -> None:
        """The person's own templates; hidden where there are none."""
        self.own_templates.set_entries(entries, current)
        for each in (self._own_head, self.own_templates):
            each.setVisible(bool(entries))

    def show_recent_templates(self, entries: Sequence[Entry], current: object) -> None:
        """The templates that were open last; hidden where there are none."""
        self.recent_templates.set_entries(entries, current)
        for each in (self._recent_head, self.recent_templates):
            each.setVisible(bool(entries))

    def say_elsewhere(self, words: str) -> None:
        """What is said above a reply that is of another document or an earlier run; "" for others."""
        if words and self.elsewhere.isHidden():
            self.column.verticalScrollBar().setValue(0)
        self.elsewhere.setText(words)
        self.elsewhere.setVisible(bool(words))

    def select_in_prompt(self, start: int, end: int) -> None:
        """Marks a stretch of the prompt and brings it into view; positions are code points."""
        pane = self.panes["prompt"]
        if isinstance(pane, PromptPane):
            pane.view.select(start, end)

    def _tabs(self, name: str, context: Context, area: str) -> PaneTabs:
        tabs = PaneTabs(name)
        for pane in panes_of(area):  # type: ignore[arg-type]  # the areas are spelled out by the callers
            self.panes[pane.id] = pane.build(context)
            tabs.add_pane(pane.id, pane.title, self.panes[pane.id])
        return tabs

    def _add_corner(self) -> None:
        """One place to add to the list in front, however far it is scrolled."""
        self.add = QToolButton()
        self.add.setText("＋")
        self.add.setProperty("kind", "flat")
        self.compose.setCornerWidget(self.add)
        self.add.clicked.connect(self._on_add_clicked)
        self.compose.currentChanged.connect(self._show_add)
        self._show_add()

    def _add_button(self) -> QToolButton | None:
        """The button of the pane in front that adds to its list."""
        found = getattr(self.panes[self.compose.current_id], "add_button", None)
        return found if isinstance(found, QToolButton) else None

    def _show_add(self) -> None:
        button = self._add_button()
        self.add.setVisible(button is not None)
        if button is not None:
            words = button.text().lstrip("+ ")
            self.add.setToolTip(plain_tip(words))
            self.add.setAccessibleName(words)

    def _on_add_clicked(self) -> None:
        button = self._add_button()
        if button is not None and button.popupMode() == QToolButton.ToolButtonPopupMode.InstantPopup:
            menu = button.menu()
            menu.popup(self.add.mapToGlobal(self.add.rect().bottomLeft()))
        elif button is not None:
            button.click()

    def _output(self, context: Context) -> PaneTabs:
        tabs = PaneTabs("Output")
        for pane in panes_of("output"):
            self.panes[pane.id] = pane.build(context)
        self.append = QToolButton()
        self.append.setText("＋  Append reply")
        self.append.setToolTip(
            plain_tip(f"Put thinking, answer and tool calls at the end of the conversation ({keys_of('append')})")
        )
        self.append.setProperty("kind", "flat")
        self.append.hide()
        self.elsewhere = plain_label("", "remark")
        self.elsewhere.setWordWrap(True)
        self.elsewhere.hide()
        self.column = OutputColumn(
            [self.elsewhere, *(self.panes[id] for id in _IN_COLUMN if id in self.panes), self.append]
        )
        tabs.add_pane("output", "Output", self.column)
        answer = self.panes["answer"]
        if isinstance(answer, AnswerPane):
            answer.figures.setContentsMargins(0, 0, 12, 8)
            tabs.setCornerWidget(answer.figures)
        for pane in panes_of("output"):
            if pane.id not in _IN_COLUMN:
                tabs.add_pane(pane.id, pane.title, self.panes[pane.id])
        return tabs

    def _library(self) -> QWidget:
        box = QWidget()
        box.setProperty("kind", "pane")
        box.setMinimumWidth(140)
        self.templates = LibraryList("Templates")
        self.recent = LibraryList("Recent documents", "Documents that you open or save.")
        self.open_template = QToolButton()
        self.open_template.setText("＋  Open, fetch or paste…")
        self.open_template.setToolTip("A file, a model folder, a GGUF, a server, the Hub, the clipboard")
        self.open_template.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.open_template.setProperty("kind", "flat")
        self.own_templates, self._own_head = LibraryList("Own templates"), SectionHead("Own")
        self.recent_templates, self._recent_head = LibraryList("Recent templates"), SectionHead("Recent templates")
        column = QVBoxLayout(box)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(SectionHead("Templates"))
        column.addWidget(self.templates)
        column.addWidget(self.open_template)
        for each in (self._own_head, self.own_templates, self._recent_head, self.recent_templates):
            column.addWidget(each)
        column.addWidget(SectionHead("Recent documents"))
        column.addWidget(self.recent)
        column.addStretch(1)
        area = CalmScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        area.setAccessibleName("Library")
        area.setWidget(box)
        return area


def _splitter(orientation: Qt.Orientation, *widgets: QWidget) -> QSplitter:
    splitter = QSplitter(orientation)
    splitter.setHandleWidth(1)
    splitter.setChildrenCollapsible(False)
    for each in widgets:
        splitter.addWidget(each)
    return splitter
