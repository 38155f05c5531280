"""One template variable: its name, an editor for its kind, and a badge that says what it does to the prompt."""

from collections.abc import Mapping

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QComboBox, QLineEdit, QWidget

from thinkpane.analysis.variable_effects import VariableEffect
from thinkpane.formats.json_values import JsonValue
from thinkpane.templates.template import VariableCandidate
from thinkpane.ui import theme
from thinkpane.ui.models.typed_value import UNSET, Unset, shown_value, typed_value
from thinkpane.ui.widgets.badge import Badge, Tone
from thinkpane.ui.widgets.combo import Combo
from thinkpane.ui.widgets.plain_tip import plain_tip
from thinkpane.ui.widgets.section import SettingRow
from thinkpane.ui.widgets.segmented import Segmented
from thinkpane.ui.widgets.value_list import ASIDE, ValueDelegate

_NOT_SET = "–"
_WIDTH = 100
"""Pixels of an editor, before the zoom."""
_SCROLL_BAR = 20
_EXAMPLES = {"list": "[…]", "object": "{…}"}


class VariableRow(SettingRow):
    """A row for one candidate.

    Signals:
        value_chosen(str, object): the variable's name and its value, or UNSET.
    """

    value_chosen = Signal(str, object)

    def __init__(self, candidate: VariableCandidate) -> None:
        super().__init__(candidate.name, _editor(candidate), mono=True, hint=candidate.summary)
        self.candidate = candidate
        self._value: JsonValue | Unset = UNSET
        self.badge = Badge(wraps=True)
        self.add_below(self.badge)
        self._fit_editor()
        editor = self.editor
        if isinstance(editor, Segmented):
            editor.chosen.connect(self._choose)
        elif isinstance(editor, QLineEdit):
            editor.editingFinished.connect(lambda: self._type(editor.text()))
        elif isinstance(editor, QComboBox):
            editor.activated.connect(lambda: self._type(editor.currentText()))
            line = editor.lineEdit()
            if line is not None:
                line.editingFinished.connect(lambda: self._type(editor.currentText()))

    def show_value(self, value: "JsonValue | Unset") -> None:
        """What the document sets, or UNSET."""
        self._value = value
        editor = self.editor
        if isinstance(editor, Segmented):
            editor.set_value(value)
        elif isinstance(editor, QComboBox):
            editor.setEditText(shown_value(value, self.candidate.values))
        elif isinstance(editor, QLineEdit):
            editor.setText(shown_value(value, self.candidate.values))

    def show_effect(self, effect: VariableEffect | None, setter: str = "") -> None:
        """What the variable does; None = not known yet. setter: who set it where the document did not, "" = nobody."""
        if effect is None:
            self.badge.say("")
            return
        proof = "Proven by rendering the prompt with and without it."
        if setter and effect.set:
            value = shown_value(effect.value, self.candidate.values)
            self.badge.say(f"{setter} sets it to {value}: {effect.detail}", "", proof)
        else:
            self.badge.say(effect.detail, _tone(effect), proof)
        self.say_hint(_hint(self.candidate, effect))
        self.badge.setEnabled(True)

    def show_tiers(self, tiers: Mapping[str, str]) -> None:
        """What each value gives, by its text, for the list of values; nothing where there is no such list."""
        editor = self.editor
        if not isinstance(editor, QComboBox):
            return
        for index in range(1, editor.count()):
            editor.setItemData(index, tiers.get(editor.itemText(index), ""), ASIDE)
        # The list may be wider than the box it belongs to.
        editor.view().setMinimumWidth(editor.view().sizeHintForColumn(0) + _SCROLL_BAR)

    def set_outdated(self) -> None:
        """What the badge says was true of an earlier prompt."""
        self.badge.setEnabled(False)

    def changeEvent(self, event: QEvent) -> None:
        """Another zoom has other letters."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange and hasattr(self, "editor"):
            self._fit_editor()

    def _fit_editor(self) -> None:
        if not isinstance(self.editor, Segmented):
            self.editor.setFixedWidth(round(_WIDTH * theme.state().zoom))

    def _type(self, text: str) -> None:
        self._choose(typed_value(text, self.candidate.values))

    def _choose(self, value: "JsonValue | Unset") -> None:
        if type(value) is not type(self._value) or value != self._value:
            self._value = value
            self.value_chosen.emit(self.candidate.name, value)


def _editor(candidate: VariableCandidate) -> QWidget:
    if candidate.kind == "bool":
        switch = Segmented(candidate.name, [(_NOT_SET, UNSET), ("on", True), ("off", False)])
        switch.set_hint(f"{_NOT_SET} does not pass it to the template")
        return switch
    if candidate.kind in _EXAMPLES:
        return _line(_EXAMPLES[candidate.kind], f"A JSON {candidate.kind}; empty does not pass it to the template")
    if candidate.values:
        return _combo(candidate)
    default = "" if candidate.default is None else f"not set: {shown_value(candidate.default)}"
    return _line(default or "not set", "JSON, else text; empty does not pass it to the template")


def _line(placeholder: str, hint: str) -> QLineEdit:
    line = QLineEdit()
    line.setPlaceholderText(placeholder)
    line.setToolTip(plain_tip(hint))
    return line


def _combo(candidate: VariableCandidate) -> Combo:
    combo = Combo()
    combo.setItemDelegate(ValueDelegate(combo))
    combo.addItem("")
    combo.setItemData(0, "not passed to the template", Qt.ItemDataRole.ToolTipRole)
    combo.addItems([shown_value(value, candidate.values) for value in candidate.values])
    line = combo.lineEdit()
    if line is not None:
        line.setPlaceholderText("not set")
    combo.setToolTip("Choose a value or type another one; empty does not pass it to the template")
    return combo


def _hint(candidate: VariableCandidate, effect: VariableEffect) -> str:
    """What there is to say about a variable besides its effect."""
    default = f"not set, it is as with {shown_value(effect.default)}" if effect.default not in (None, "") else ""
    line = f"first read in template line {candidate.line}" if candidate.line else ""
    return "\n".join(filter(None, (candidate.summary, default, line)))


def _tone(effect: VariableEffect) -> Tone:
    if effect.effect == "changes":
        return "good" if effect.set else ""
    if effect.effect == "not-read" or "never" in effect.detail:
        return "bad"
    return "warning" if effect.set else ""
