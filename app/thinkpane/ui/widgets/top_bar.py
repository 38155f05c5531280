"""The bar under the menus: template, runtime profile, endpoint, model, path, and Run."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPoint, Qt, Signal
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QPushButton, QSizePolicy, QWidget

from thinkpane.ui import theme
from thinkpane.ui.actions import keys_of
from thinkpane.ui.widgets.badge_button import BadgeButton
from thinkpane.ui.widgets.combo import Combo
from thinkpane.ui.widgets.folding_row import FoldingRow
from thinkpane.ui.widgets.picker import Picker
from thinkpane.ui.widgets.plain_tip import plain_tip
from thinkpane.ui.widgets.segmented import Segmented

_RUN, _STOP = ("▶  Run   Ctrl+⏎", "▶  Run"), ("■  Stop   Esc", "■  Stop")
"""With their keys, and without where the window is narrow."""
_PATHS = ("Raw prompt", "Chat API"), ("Raw", "Chat")

CAPTIONS_FROM = 1240
"""Widths, before the zoom, from which the pickers carry their captions."""
_LEAST_RUN = 140, 92
KEYS_FROM = 1040
"""Those from which the buttons have all of their words."""


class TopBar(QWidget):
    """What is rendered and where it goes.

    Signals:
        model_entered(str): a person chose or typed a model.
        models_asked(): the list of models is opened.
        path_chosen(object): "raw" or "chat".
        parity_pressed(): the badge beside Run was pressed.
        run_pressed(): Run was pressed. stop_pressed(): Stop was.
    """

    model_entered = Signal(str)
    models_asked = Signal()
    path_chosen = Signal(object)
    parity_pressed = Signal()
    run_pressed = Signal()
    stop_pressed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("kind", "bar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.template = Picker("Template")
        self.profile = Picker("Rendered as")
        self.endpoint = Picker("Endpoint")
        self.model = _model_box()
        self.model.activated.connect(lambda: self.model_entered.emit(self.model.currentText()))
        self.model.opened.connect(self.models_asked)
        line = self.model.lineEdit()
        if line is not None:
            line.editingFinished.connect(lambda: self.model_entered.emit(self.model.currentText()))
        self.path = Segmented("Path", [(_PATHS[0][0], "raw"), (_PATHS[0][1], "chat")])
        self.path.set_hint("Raw prompt sends exactly the prompt that is shown; Chat API sends the messages")
        self.path.chosen.connect(self.path_chosen)
        self.parity = BadgeButton("Parity with the server")
        self.parity.clicked.connect(self.parity_pressed)
        self.run = QPushButton()
        self.run.setProperty("kind", "primary")
        self.run.clicked.connect(self._on_run_clicked)
        self.more = QPushButton("▾")
        self.more.setProperty("kind", "primary-more")
        self.more.setAccessibleName("More ways to run")
        self.more.setToolTip("More ways to run")
        self.more.clicked.connect(self._on_more_clicked)
        self.menu = QMenu(self)
        self._live = False
        self._is_short = False
        self._fold()
        self.set_live(False)

    def _fold(self) -> None:
        """What goes into the menu first where there is no room: what is chosen elsewhere too, or rarely."""
        self.tools = FoldingRow(8, gives_way=True)
        self.tools.add(self.template, 3, self.template.fill)
        self.tools.add(self.profile, 1, self.profile.fill)
        self.tools.add(self.endpoint)
        self.tools.add(self.model)
        self.tools.add(self.path)
        self.tools.add_stretch()
        self.tools.add(self.parity, 2, self.parity.fill)
        self.tools.close_row()
        together = QWidget()
        runs = QHBoxLayout(together)
        runs.setContentsMargins(0, 0, 0, 0)
        runs.setSpacing(1)
        runs.addWidget(self.run)
        runs.addWidget(self.more)
        self.tools.add(together)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 6, 12, 6)
        row.addWidget(self.tools)

    def offer(self, ways: Sequence[QAction]) -> None:
        """What the menu beside Run holds."""
        self.menu.addActions(ways)

    def set_live(self, live: bool) -> None:
        """Run turns into Stop in its place while a run is live."""
        self._live = live
        self.run.setText((_STOP if live else _RUN)[self._is_short])
        self.run.setAccessibleName("Stop" if live else "Run")
        self.run.setToolTip(
            plain_tip(
                f"Stop the reply and keep what came ({keys_of('stop')})" if live else "Send the prompt (Ctrl+Enter)"
            )
        )
        self._fit_run()

    def _fit_run(self) -> None:
        """As wide as the wider of its two texts, so that nothing moves when one takes the other's place."""
        metrics = self.run.fontMetrics()
        widest = max(metrics.horizontalAdvance(text[self._is_short]) for text in (_RUN, _STOP))
        frame = self.run.sizeHint().width() - metrics.horizontalAdvance(self.run.text())
        self.run.setFixedWidth(max(_LEAST_RUN[self._is_short], widest + max(frame, 0)))

    def changeEvent(self, event: QEvent) -> None:
        """Another zoom or theme has other letters."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange) and hasattr(self, "run"):
            self._shorten()
            self._fit_run()

    def show_models(self, models: list[str], current: str, own: str) -> None:
        """The models that the endpoint offers, and the chosen one; own: what it takes when none is."""
        self.model.blockSignals(True)
        self.model.clear()
        self.model.addItems(models)
        self.model.setCurrentIndex(self.model.findText(current))
        self.model.setEditText(current)
        line = self.model.lineEdit()
        if line is not None:
            line.setPlaceholderText(own or "model")
            line.setCursorPosition(0)
        self.model.blockSignals(False)

    def _on_more_clicked(self) -> None:
        self.menu.popup(self.more.mapToGlobal(self.more.rect().bottomRight() - QPoint(self.menu.sizeHint().width(), 0)))

    def _on_run_clicked(self) -> None:
        (self.stop_pressed if self._live else self.run_pressed).emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Narrow bars leave captions and keys out."""
        super().resizeEvent(event)
        self._shorten()

    def _shorten(self) -> None:
        zoom = theme.state().zoom
        for each in (self.template, self.profile, self.endpoint):
            each.set_short(self.width() < CAPTIONS_FROM * zoom)
        short = self.width() < KEYS_FROM * zoom
        if short != self._is_short:
            self._is_short = short
            self.path.set_texts(_PATHS[short])
            self.set_live(self._live)


def _model_box() -> Combo:
    box = Combo()
    box.setAccessibleName("Model")
    box.setToolTip("Model: the name that the endpoint knows it by")
    box.setMinimumWidth(110)
    box.setMaximumWidth(190)
    box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
    return box
