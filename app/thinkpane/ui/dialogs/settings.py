"""The settings, as the table in workspace/settings.py declares them."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QDoubleSpinBox,
    QFormLayout,
    QLabel,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from thinkpane.errors import ThinkpaneError
from thinkpane.ui.widgets.combo import Combo
from thinkpane.workspace.settings import SETTINGS, Setting, Settings, SettingValue


class SettingsDialog(QDialog):
    """A row a setting; what is changed is in force when the dialog closes with OK."""

    def __init__(self, settings: Settings, first: str = "", parent: QWidget | None = None) -> None:
        """first: the setting that gets the keyboard."""
        super().__init__(parent)
        self._settings = settings
        self.setWindowTitle("Settings")
        self.editors: dict[str, QWidget] = {}
        form = QFormLayout()
        form.setHorizontalSpacing(16)
        for setting in SETTINGS:
            editor = _editor(setting, settings.get(setting.name))
            editor.setToolTip(setting.help)
            editor.setAccessibleName(setting.title)
            self.editors[setting.name] = editor
            form.addRow(setting.title, editor)
        self.fault = QLabel("\n".join(each.message for each in settings.problems))
        self.fault.setTextFormat(Qt.TextFormat.PlainText)
        self.fault.setProperty("kind", "error")
        self.fault.setWordWrap(True)
        self.fault.setVisible(bool(settings.problems))
        box = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        box.accepted.connect(self.accept)
        box.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setSpacing(12)
        column.addLayout(form)
        column.addWidget(self.fault)
        column.addWidget(box)
        if first:
            self.editors[first].setFocus()

    def accept(self) -> None:
        """Puts what was changed in force; stays open and says why where that fails."""
        try:
            for setting in SETTINGS:
                value = _value(self.editors[setting.name])
                if value != self._settings.get(setting.name):
                    self._settings.set(setting.name, value)
        except ThinkpaneError as error:
            self.fault.setText(error.problem.message)
            self.fault.show()
            return
        super().accept()


def _editor(setting: Setting, value: SettingValue) -> QWidget:
    if isinstance(value, str):
        combo = Combo(editable=False)
        combo.addItems(setting.choices)
        combo.setCurrentText(value)
        return combo
    spin: QSpinBox | QDoubleSpinBox
    if isinstance(value, float):
        spin = QDoubleSpinBox()
        spin.setDecimals(1)
        spin.setSingleStep(0.1 if (setting.high or 0) <= 3 else 1.0)
        spin.setRange(setting.low or 0.0, setting.high or 1e9)
        spin.setValue(value)
    else:
        spin = QSpinBox()
        spin.setRange(int(setting.low or 0), int(setting.high or 1e9))
        spin.setValue(int(value))
        spin.setGroupSeparatorShown(True)
    # The style sheet leaves no room for buttons; arrow keys and the wheel do the same.
    spin.setButtonSymbols(QAbstractSpinBox.ButtonSymbols.NoButtons)
    spin.setSuffix(f" {setting.unit}" if setting.unit else "")
    return spin


def _value(editor: QWidget) -> SettingValue:
    if isinstance(editor, QComboBox):
        return editor.currentText()
    assert isinstance(editor, QSpinBox | QDoubleSpinBox)
    return editor.value()
