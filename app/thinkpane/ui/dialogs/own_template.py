"""Asks under which name a template is kept as one's own."""

from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLineEdit, QVBoxLayout, QWidget

from thinkpane.errors import ThinkpaneError
from thinkpane.templates import own
from thinkpane.ui.widgets.output_card import plain_label
from thinkpane.ui.widgets.section import sentence


class OwnTemplateDialog(QDialog):
    """One line for the title; what the id will be, and what is there already, is said before anything is written."""

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        """title: what is proposed."""
        super().__init__(parent)
        self.setWindowTitle("Save as own template")
        self.setMinimumWidth(440)
        self.line = QLineEdit(title)
        self.line.setAccessibleName("Title of the template")
        self.line.selectAll()
        self.meaning = sentence()
        self.box = QDialogButtonBox(QDialogButtonBox.StandardButton.Save | QDialogButtonBox.StandardButton.Cancel)
        self.box.accepted.connect(self.accept)
        self.box.rejected.connect(self.reject)
        self.line.textChanged.connect(self._on_line_text_changed)
        column = QVBoxLayout(self)
        column.setSpacing(8)
        column.addWidget(plain_label("Title", "setting"))
        column.addWidget(self.line)
        column.addWidget(self.meaning)
        column.addWidget(self.box)
        self._on_line_text_changed(title)

    @property
    def title(self) -> str:
        """The title that was typed."""
        return self.line.text().strip()

    @property
    def id(self) -> str:
        """The id that follows from the title, "" where none does."""
        return own.id_for(self.title)

    def _on_line_text_changed(self, _text: str) -> None:
        button = self.box.button(QDialogButtonBox.StandardButton.Save)
        id = self.id
        try:
            own.check_id(id)
        except ThinkpaneError as error:
            button.setEnabled(False)
            self.meaning.setText(error.problem.message if id else "Type a title with at least one letter or digit.")
            return
        button.setEnabled(True)
        button.setText("Replace" if own.is_own(id) else "Save")
        if own.is_own(id):
            self.meaning.setText(f"There is an own template “{id}” already. It will be replaced.")
        else:
            self.meaning.setText(f"Its id will be “{id}”, on the command line too (--template {id}).")
