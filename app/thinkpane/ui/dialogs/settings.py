"""The settings, as the table in workspace/settings.py declares them."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from thinkpane.errors import ThinkpaneError
from thinkpane.ui.models.typed_value import Unset, typed_value
from thinkpane.ui.widgets.combo import Combo
from thinkpane.ui.widgets.plain_tip import plain_tip
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
            editor.setToolTip(plain_tip(setting.help))
            editor.setAccessibleName(setting.title)
            self.editors[setting.name] = editor
            form.addRow(f"{setting.title} ({setting.unit})" if setting.unit else setting.title, editor)
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
                value = _value(setting, self.editors[setting.name])
                if value != self._settings.get(setting.name):
                    self._settings.set(setting.name, value)
        except ThinkpaneError as error:
            self.fault.setText(error.problem.message)
            self.fault.show()
            return
        super().accept()


def _editor(setting: Setting, value: SettingValue) -> QWidget:
    if setting.choices:
        combo = Combo(editable=False)
        combo.addItems(setting.choices)
        combo.setCurrentText(str(value))
        return combo
    if isinstance(value, bool):
        box = QCheckBox()
        box.setChecked(value)
        return box
    line = QLineEdit(f"{value:g}" if isinstance(value, float) else str(value))
    line.setAlignment(Qt.AlignmentFlag.AlignRight)
    return line


def _value(setting: Setting, editor: QWidget) -> SettingValue:
    """What a row says. Raises ThinkpaneError (kind "settings") where the setting cannot be that."""
    if isinstance(editor, Combo):
        return editor.currentText()
    if isinstance(editor, QCheckBox):
        return editor.isChecked()
    assert isinstance(editor, QLineEdit)
    if isinstance(setting.default, str):
        return editor.text()
    found = typed_value(editor.text().replace("_", ""))
    return setting.checked(None if isinstance(found, Unset) else found)
