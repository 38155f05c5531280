"""How a reply's bytes are read: the settings, to read them again with others."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QFrame, QGridLayout, QLineEdit, QSizePolicy, QWidget

from thinkpane.endpoints.dialects._api import DecodeOptions
from thinkpane.streaming.tags import DEFAULT_TAGS
from thinkpane.ui.widgets.combo import Combo
from thinkpane.ui.widgets.flat_button import flat_button
from thinkpane.ui.widgets.output_card import plain_label
from thinkpane.ui.widgets.plain_tip import plain_tip
from thinkpane.ui.widgets.segmented import Segmented

_MODES = [("Start", "leading"), ("Anywhere", "anywhere"), ("Never", "never")]
_TAGS_HINT = "Pairs of tags, parted by blanks: <think> </think> <b> </b>"


class ReadingPanel(QFrame):
    """Shows one way to read and tells of each change.

    Signals:
        changed(): a person wants another way.
        back_requested(): a person wants the reply as it was read when it came.
    """

    changed = Signal()
    back_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("kind", "inset")
        self.setAccessibleName("Read the reply another way")
        self._usual: tuple[tuple[str, str], ...] = DEFAULT_TAGS
        self.mode = Segmented("Think tags count", _MODES)
        self.mode.chosen.connect(self._on_choice)
        self.tags = QLineEdit()
        self.tags.setAccessibleName("Think tags")
        self.tags.setMinimumWidth(80)
        self.tags.setToolTip(plain_tip(_TAGS_HINT))
        self.tags.editingFinished.connect(self._on_choice)
        self.opened = QCheckBox("Opened by the prompt")
        self.opened.setToolTip(plain_tip("The reply begins inside a thinking block"))
        self.channels = QCheckBox("gpt-oss channels")
        self.channels.setToolTip(plain_tip("Channel tokens in the text say what is thinking, answer and tool call"))
        for each in (self.opened, self.channels):
            each.clicked.connect(self._on_choice)
        self.dialect = Combo(editable=False)
        self.dialect.setAccessibleName("Wire format")
        self.dialect.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.dialect.activated.connect(self._on_choice)
        self.remark = plain_label("", "remark")
        self.remark.setWordWrap(True)
        self.back = flat_button("As it came", "Show the reply as it was read when it came")
        self.back.clicked.connect(self.back_requested)
        grid = QGridLayout(self)
        grid.setContentsMargins(8, 8, 8, 8)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(6)
        grid.setColumnStretch(1, 1)
        rows: tuple[tuple[str, QWidget], ...] = (
            ("Tags count", self.mode),
            ("Tags", self.tags),
            ("Thinking", self.opened),
            ("", self.channels),
            ("Wire format", self.dialect),
        )
        for number, (words, widget) in enumerate(rows):
            grid.addWidget(plain_label(words, "dim"), number, 0)
            grid.addWidget(
                widget, number, 1, Qt.AlignmentFlag.AlignLeft if widget is self.mode else Qt.AlignmentFlag(0)
            )
        grid.addWidget(self.remark, len(rows), 0, 1, 2)
        grid.addWidget(self.back, len(rows) + 1, 0, 1, 2, Qt.AlignmentFlag.AlignLeft)

    def set_dialects(self, names: list[tuple[str, str]]) -> None:
        """The wire formats to choose from: (title, id) each."""
        self.dialect.clear()
        for title, name in names:
            self.dialect.addItem(title, name)

    def show_options(self, options: DecodeOptions, dialect: str) -> None:
        """Shows how the reply is read; nothing is told of that."""
        self._usual = options.think_tags or DEFAULT_TAGS
        self.mode.set_value("never" if options.think_tags == () else options.think_mode)
        self.tags.setText(" ".join(f"{opening} {closing}" for opening, closing in self._usual))
        self.opened.setChecked(options.prompt_opens_thinking)
        self.channels.setChecked(options.channels == "harmony")
        self.dialect.setCurrentIndex(self.dialect.findData(dialect))

    def options(self) -> DecodeOptions:
        """The way that is chosen. Raises ValueError where the tags are no pairs."""
        return DecodeOptions(
            think_mode="anywhere" if self.mode.value == "anywhere" else "leading",
            think_tags=() if self.mode.value == "never" else pairs(self.tags.text()),
            prompt_opens_thinking=self.opened.isChecked(),
            channels="harmony" if self.channels.isChecked() else "",
        )

    @property
    def dialect_name(self) -> str:
        """The wire format that is chosen."""
        return str(self.dialect.currentData() or "")

    def say(self, sentence: str, *, other: bool) -> None:
        """A remark below. other: another reading is shown than the one that came."""
        self.remark.setText(sentence)
        self.remark.setVisible(bool(sentence))
        self.back.setEnabled(other)

    def _on_choice(self, *_: object) -> None:
        self.changed.emit()


def pairs(text: str) -> tuple[tuple[str, str], ...]:
    """Pairs of tags as they are typed. Raises ValueError where one lacks its closing tag, or both are the same."""
    words = text.split()
    found = tuple(zip(words[::2], words[1::2], strict=False))
    if len(words) % 2 or any(opening == closing for opening, closing in found):
        raise ValueError("Tags come in pairs: an opening one, a blank, and its closing one.")
    return found
