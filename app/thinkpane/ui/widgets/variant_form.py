"""A server's ways as a form: each field of a variant to be seen and edited, and what probing found of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFormLayout, QLineEdit, QVBoxLayout, QWidget

from thinkpane.endpoints.variants import PrefillStyle, Variant, edited
from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats.json_values import JsonObject, JsonValue
from thinkpane.formats.strict_json import dump, parse
from thinkpane.ui.widgets.badge import Tone
from thinkpane.ui.widgets.combo import Combo
from thinkpane.ui.widgets.output_card import plain_label
from thinkpane.ui.widgets.plain_tip import plain_tip

if TYPE_CHECKING:
    from thinkpane.endpoints.probe import Finding

_OUTCOMES: dict[str, tuple[str, Tone]] = {
    "works": ("works", "good"),
    "ignored": ("ignored", "warning"),
    "refused": ("refused", "bad"),
    "unknown": ("cannot tell", ""),
}

_STYLES: dict[PrefillStyle, str] = {
    "": "not known",
    "none": "not at all",
    "trailing": "by standing last",
    "prefix": "by “prefix” in it",
    "partial": "by “partial” in it",
    "continue_final_message": "by the field continue_final_message",
}


@dataclass(frozen=True, slots=True)
class Row:
    """One field. kind: "text" as it stands, "fields" (a JSON object), "list" of words, "flag" (yes or no).

    empty: what an empty field means, shown in its place.
    """

    name: str
    title: str
    hint: str
    kind: Literal["text", "fields", "list", "flag"] = "text"
    empty: str = ""


ROWS = (
    Row(
        "on",
        "Thinking on",
        "Fields laid over the request to switch thinking on; empty = there is no switch",
        "fields",
        "no switch",
    ),
    Row(
        "off",
        "Thinking off",
        "Fields laid over the request to switch thinking off; empty = there is no switch",
        "fields",
        "no switch",
    ),
    Row(
        "effort",
        "Effort stands in",
        "Where an effort stands in the request, as reasoning.effort; empty = nowhere",
        empty="nowhere",
    ),
    Row("efforts", "Efforts", "The words that the server knows, with commas between; empty = any", "list", "any"),
    Row("budget", "Thinking budget", "Where a number of thinking tokens stands; empty = nowhere", empty="nowhere"),
    Row(
        "token_limit",
        "Token limit",
        "The parameter that bounds the reply; empty = as it is written",
        empty="as it is written",
    ),
    Row("template_variables", "Template variables", "Whether it takes chat_template_kwargs", "flag"),
    Row("prefill", "Continues a message", "How the last message is marked to be continued"),
    Row(
        "prefill_path", "Continues at", "How the address has to end for that, as /beta; empty = anyhow", empty="anyhow"
    ),
    Row(
        "history",
        "Earlier thinking",
        "The field in which earlier thinking goes back; empty = it takes none",
        empty="it takes none",
    ),
    Row("history_with_calls", "Due with calls", "Whether it refuses a turn with calls that lacks its thinking", "flag"),
    Row(
        "arrives",
        "Thinking arrives in",
        "Where the reply's thinking comes; all places are read in any case",
        "list",
        "not known",
    ),
    Row("lacks", "Refused parameters", "Parameters that are left out, with commas between", "list", "none"),
    Row("ignored", "Ignored parameters", "Parameters that it takes and does not heed while it thinks", "list", "none"),
    Row("over_zero", "More than zero", "Parameters that it refuses at 0", "list", "none"),
    Row("stream_usage", "Counts in streams", "Whether it takes stream_options", "flag"),
    Row("raw", "Takes raw prompts", "Whether /completions takes a prompt as it stands", "flag"),
)


class VariantForm(QWidget):
    """Edits what is otherwise than a variant says.

    Signals:
        changed(): a field was edited.
    """

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._base: JsonObject = {}
        self._variant: Variant | None = None
        self._rows = {row.name: row for row in ROWS}
        self._fields: dict[str, QLineEdit | Combo] = {}
        self._notes = {row.name: plain_label("", "dim") for row in ROWS}
        form = QFormLayout(self)
        form.setContentsMargins(0, 0, 8, 0)
        form.setHorizontalSpacing(16)
        form.setVerticalSpacing(6)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        for row in ROWS:
            form.addRow(row.title, self._cell(row))

    def _cell(self, row: Row) -> QWidget:
        cell = QWidget()
        column = QVBoxLayout(cell)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        made: QLineEdit | Combo
        if row.name == "prefill":
            made = Combo(editable=False)
            for style in get_args(PrefillStyle):
                made.addItem(_STYLES[style], style)
            made.currentIndexChanged.connect(self.changed)
        elif row.kind == "flag":
            made = Combo(editable=False)
            made.addItem("yes", True)
            made.addItem("no", False)
            made.currentIndexChanged.connect(self.changed)
        else:
            made = QLineEdit()
            made.setPlaceholderText(row.empty)
            made.textEdited.connect(self.changed)
        made.setAccessibleName(row.title)
        made.setToolTip(plain_tip(row.hint))
        self._fields[row.name] = made
        note = self._notes[row.name]
        note.setWordWrap(True)
        note.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        note.hide()
        column.addWidget(made)
        column.addWidget(note)
        return cell

    def show_variant(self, variant: Variant, edits: Mapping[str, JsonValue]) -> None:
        """Shows the variant with the edits over it; what was probed of another one goes."""
        self._variant = variant
        self._base = variant.as_json()
        for row in ROWS:
            self._put(row, edits.get(row.name, self._base[row.name]))
            self._notes[row.name].hide()

    def edits(self) -> dict[str, JsonValue]:
        """What is otherwise than the variant says. Raises ThinkpaneError (kind "variant") that names the field."""
        found: dict[str, JsonValue] = {}
        for row in ROWS:
            value = self._read(row)
            if value != self._base.get(row.name):
                found[row.name] = value
        if self._variant is not None:
            edited(self._variant, found)
        return found

    def take(self, edits: Mapping[str, JsonValue]) -> None:
        """Fills in what probing found."""
        for name, value in edits.items():
            if name in self._rows:
                self._put(self._rows[name], value)
        self.changed.emit()

    def tell(self, finding: "Finding") -> None:
        """Shows under a field what came of it."""
        note = self._notes.get(finding.name)
        if note is None:
            return
        word, tone = _OUTCOMES[finding.outcome]
        note.setText(f"{word}: {finding.detail}")
        note.setProperty("tone", tone)
        note.setVisible(True)
        note.style().unpolish(note)
        note.style().polish(note)

    def forget(self) -> None:
        """Hides what was found before."""
        for note in self._notes.values():
            note.hide()

    def _put(self, row: Row, value: JsonValue) -> None:
        made = self._fields[row.name]
        if isinstance(made, Combo):
            made.setCurrentIndex(max(0, made.findData(value)))
        else:
            made.setText(_shown(row, value))
            made.setCursorPosition(0)

    def _read(self, row: Row) -> JsonValue:
        made = self._fields[row.name]
        if isinstance(made, Combo):
            found: JsonValue = made.currentData()
            return found
        text = made.text().strip()
        if row.kind == "text":
            return text
        if row.kind == "list":
            return _listed(row, text)
        try:
            return parse(text) if text else None
        except ThinkpaneError:
            raise ThinkpaneError(Problem("variant", f"{row.title}: “{text}” is no JSON.", field=row.name)) from None


def _shown(row: Row, value: JsonValue) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value))
    if row.kind == "fields":
        return "" if value is None else dump(value, indent=None)
    return str(value)


def _listed(row: Row, text: str) -> JsonValue:
    """The words of a list. Raises ThinkpaneError (kind "variant") for brackets and quotes, which no word has."""
    if set(text) & set('[]{}"'):
        sentence = f"{row.title}: “{text}” is no list of words with commas between."
        raise ThinkpaneError(Problem("variant", sentence, field=row.name))
    return [word for each in text.split(",") if (word := each.strip())]
