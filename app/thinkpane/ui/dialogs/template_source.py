"""What a template's source holds: every text in it, what each runtime takes, the tokens, and what is to be known."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QGridLayout,
    QHBoxLayout,
    QListWidget,
    QPushButton,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from thinkpane.templates.named import found_texts
from thinkpane.templates.template import GO, FoundTemplate, Template
from thinkpane.ui.models import source_facts
from thinkpane.ui.widgets.output_card import plain_label
from thinkpane.ui.widgets.plain_tip import plain_tip
from thinkpane.ui.widgets.section import SectionHead, sentence
from thinkpane.ui.widgets.text_view import TextView


class TemplateSourceDialog(QDialog):
    """Shows one template's source; its texts can be read and, where that can be, taken into use.

    Signals:
        name_chosen(str): the named template with this name is to be used.
        ref_chosen(str): the text at this REF is to be used.
    """

    name_chosen = Signal(str)
    ref_chosen = Signal(str)

    def __init__(self, template: Template, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._template = template
        self._texts = found_texts(template)
        self.setWindowTitle(f"What was found in {template.title or template.id}")
        self.resize(920, 640)
        self.list = QListWidget()
        self.list.setAccessibleName("Template texts")
        self.list.setWordWrap(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.view = TextView("Template text, read only")
        self.view.set_gutter(True)
        self.about = sentence()
        self.use = QPushButton("Use this text")
        self.use.clicked.connect(self._on_use_clicked)
        box = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        box.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setSpacing(8)
        for note in template.notes:
            warning = plain_label(note, "remark")
            warning.setWordWrap(True)
            column.addWidget(warning)
        column.addWidget(sentence(f"{template.origin or template.id}: {source_facts.tokens_line(template)}."))
        column.addWidget(self._texts_area(), 1)
        if template.choices:
            column.addWidget(SectionHead("What each runtime takes, without tools"))
            column.addWidget(_runtimes(template))
        column.addWidget(box)
        self._fill()

    def _texts_area(self) -> QWidget:
        beside = QWidget()
        column = QVBoxLayout(beside)
        column.setContentsMargins(12, 0, 0, 0)
        row = QHBoxLayout()
        row.addWidget(self.about, 1)
        row.addWidget(self.use)
        column.addLayout(row)
        column.addWidget(self.view, 1)
        area = QSplitter(Qt.Orientation.Horizontal)
        area.addWidget(self.list)
        area.addWidget(beside)
        area.setSizes([240, 660])
        area.setChildrenCollapsible(False)
        return area

    def _fill(self) -> None:
        for each in self._texts:
            self.list.addItem(source_facts.label(each))
            self.list.item(self.list.count() - 1).setToolTip(plain_tip(f"{each.place}\n{each.name}"))
        self.list.currentRowChanged.connect(self._on_list_row_changed)
        shown = next((row for row, each in enumerate(self._texts) if each.source == self._template.source), 0)
        self.list.setCurrentRow(shown)

    def _on_list_row_changed(self, row: int) -> None:
        text = self._texts[row]
        self.view.set_text(text.source)
        self.about.setText(self._words(text))
        self.use.setVisible(bool(self._way(text)))

    def _words(self, text: FoundTemplate) -> str:
        if text.syntax == GO:
            return "Ollama's own template, in Go's syntax: it can be read here; what Thinkpane renders is Jinja."
        takers = source_facts.takers(self._template, text)
        return f"Taken by {', '.join(takers)}." if takers else f"{len(text.source):,} characters."

    def _way(self, text: FoundTemplate) -> str:
        """The name or REF by which the text can be used, "" where it is in use or cannot be."""
        if text.source == self._template.source:
            return ""
        return text.name if source_facts.is_named(self._template, text) else source_facts.ref_for(self._template, text)

    def _on_use_clicked(self) -> None:
        text = self._texts[self.list.currentRow()]
        way = self._way(text)
        if source_facts.is_named(self._template, text):
            self.name_chosen.emit(way)
        else:
            self.ref_chosen.emit(way)
        self.accept()


def _runtimes(template: Template) -> QWidget:
    area = QWidget()
    grid = QGridLayout(area)
    grid.setContentsMargins(12, 0, 12, 0)
    grid.setHorizontalSpacing(16)
    grid.setColumnStretch(2, 1)
    for row, (runtime, taken, why) in enumerate(source_facts.runtime_lines(template)):
        grid.addWidget(plain_label(runtime, "setting"), row, 0)
        grid.addWidget(plain_label(taken, "remark" if taken == "none" else "mono"), row, 1)
        grid.addWidget(sentence(why), row, 2)
    return area
