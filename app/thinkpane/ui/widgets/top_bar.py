"""The bar under the menus: template, runtime profile, endpoint, model, path, and Run."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPoint, Qt, Signal
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QPushButton, QSizePolicy, QWidget

from thinkpane.ui.widgets.badge_button import BadgeButton
from thinkpane.ui.widgets.combo import Combo
from thinkpane.ui.widgets.picker import Picker
from thinkpane.ui.widgets.plain_tip import plain_tip
from thinkpane.ui.widgets.segmented import Segmented

_RUN, _STOP = "▶  Run   Ctrl+⏎", "■  Stop   Esc"

CAPTIONS_FROM = 1240
"""Widths from which the pickers carry their captions."""


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
        self.path = Segmented("Path", [("Raw prompt", "raw"), ("Chat API", "chat")])
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
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 6, 12, 6)
        row.setSpacing(8)
        for each in (self.template, self.profile, self.endpoint, self.model, self.path):
            row.addWidget(each)
        row.addStretch(1)
        row.addWidget(self.parity)
        runs = QHBoxLayout()
        runs.setSpacing(1)
        runs.addWidget(self.run)
        runs.addWidget(self.more)
        row.addLayout(runs)
        self.set_live(False)

    def offer(self, ways: Sequence[QAction]) -> None:
        """What the menu beside Run holds."""
        self.menu.addActions(ways)

    def set_live(self, live: bool) -> None:
        """Run turns into Stop in its place while a run is live."""
        self._live = live
        self.run.setText(_STOP if live else _RUN)
        self.run.setAccessibleName("Stop" if live else "Run")
        self.run.setToolTip(
            plain_tip("Stop the reply and keep what came (Esc)" if live else "Send the prompt (Ctrl+Enter)")
        )
        self._fit_run()

    def _fit_run(self) -> None:
        """As wide as the wider of its two texts, so that nothing moves when one takes the other's place."""
        metrics = self.run.fontMetrics()
        widest = max(metrics.horizontalAdvance(text) for text in (_RUN, _STOP))
        frame = self.run.sizeHint().width() - metrics.horizontalAdvance(self.run.text())
        self.run.setFixedWidth(max(140, widest + max(frame, 0)))

    def changeEvent(self, event: QEvent) -> None:
        """Another zoom or theme has other letters."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange) and hasattr(self, "run"):
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
        """Narrow bars leave the captions out."""
        super().resizeEvent(event)
        for each in (self.template, self.profile, self.endpoint):
            each.set_short(self.width() < CAPTIONS_FROM)


def _model_box() -> Combo:
    box = Combo()
    box.setAccessibleName("Model")
    box.setToolTip("Model: the name that the endpoint knows it by")
    box.setMinimumWidth(110)
    box.setMaximumWidth(190)
    box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
    return box
