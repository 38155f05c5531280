"""Asks for a template by its address: a model on the Hub, a server, a GGUF file on the web, Ollama's name."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QGridLayout, QLineEdit, QVBoxLayout, QWidget

from thinkpane.templates.address import ref_of
from thinkpane.templates.files import is_network_path
from thinkpane.templates.library import reaches
from thinkpane.templates.sources._registry import all_sources
from thinkpane.ui.widgets.output_card import plain_label
from thinkpane.ui.widgets.section import sentence

_FORMS = (
    ("Qwen/Qwen3-8B@main", "a model on the Hugging Face Hub; a link to its page does as well"),
    ("http://127.0.0.1:8080", "a running llama.cpp server"),
    ("127.0.0.1:11434#qwen3:8b", "a model of a running Ollama"),
    ("https://…/model.gguf", "a GGUF file on the web; only its head is fetched"),
    ("ollama:qwen3:8b", "a model in Ollama's store on this machine"),
)


class TemplateAddressDialog(QDialog):
    """One line to type in; what will be asked for is said before it is."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Open template by address")
        self.setMinimumWidth(620)
        self.line = QLineEdit()
        self.line.setAccessibleName("Address of the template")
        self.line.setPlaceholderText("owner/name, host:port or https://…")
        self.line.setProperty("mono", True)
        self.meaning = sentence()
        self.meaning.setMinimumHeight(2 * self.meaning.fontMetrics().lineSpacing())
        self.meaning.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.box = QDialogButtonBox(QDialogButtonBox.StandardButton.Open | QDialogButtonBox.StandardButton.Cancel)
        self.box.accepted.connect(self.accept)
        self.box.rejected.connect(self.reject)
        self.line.textChanged.connect(self._on_line_text_changed)
        column = QVBoxLayout(self)
        column.setSpacing(8)
        column.addWidget(self.line)
        column.addWidget(self.meaning)
        forms = QGridLayout()
        forms.setColumnStretch(1, 1)
        forms.setHorizontalSpacing(16)
        for row, (form, words) in enumerate(_FORMS):
            forms.addWidget(plain_label(form, "mono"), row, 0)
            forms.addWidget(plain_label(words, "dim"), row, 1)
        column.addLayout(forms)
        column.addWidget(self.box)
        self._on_line_text_changed("")

    @property
    def ref(self) -> str:
        """The REF that was typed."""
        return ref_of(self.line.text())

    def _on_line_text_changed(self, _text: str) -> None:
        ref = self.ref
        # A path on another machine is not touched while it is typed.
        asked = ref and not is_network_path(ref)
        source = next((each for each in all_sources() if asked and each.accepts(ref)), None)
        self.box.button(QDialogButtonBox.StandardButton.Open).setEnabled(source is not None)
        if source is not None:
            asks = "It is asked for on the network when you press Open." if reaches(ref) else ""
            self.meaning.setText(f"{ref}: {source.takes.partition(' (')[0]}. {asks}".strip())
        elif ref and not asked:
            self.meaning.setText(
                "That is a path on another machine, where nothing is read unasked; open it by “File…”."
            )
        else:
            self.meaning.setText(f"“{ref}” names no template." if ref else "Nothing is fetched while you type.")
