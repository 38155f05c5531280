"""Sampling: what is sent along with the prompt. An empty field is not sent, so that the server's own default holds."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from PySide6.QtWidgets import QFrame, QLineEdit, QPlainTextEdit, QVBoxLayout, QWidget

from thinkpane.analysis.sampling_bounds import BOUNDS, odd_value
from thinkpane.endpoints.dialects.openai_completions import DEFAULT_MAX_TOKENS
from thinkpane.errors import ThinkpaneError
from thinkpane.formats.json_values import JsonValue
from thinkpane.formats.strict_json import dump, parse, same
from thinkpane.ui.context import Context
from thinkpane.ui.panes._api import Area
from thinkpane.ui.widgets.badge import Badge
from thinkpane.ui.widgets.calm_scroll_area import CalmScrollArea
from thinkpane.ui.widgets.plain_tip import plain_tip
from thinkpane.ui.widgets.section import SectionHead, SettingRow, sentence
from thinkpane.workspace.body_sampling import brought_params, given_params, set_param
from thinkpane.workspace.document import Change
from thinkpane.workspace.state import DocumentState

_BY = "sampling"
_NOT_SENT = "not sent"
_NUMBER = re.compile(r"[+-]?(\d+[.,]?\d*|[.,]\d+)([eE][+-]?\d+)?", re.ASCII)
_BROUGHT = "from the request body"
_BROUGHT_HINT = "The body that was opened or pasted brings it; the JSON pane shows where. It can be changed here."


@dataclass(frozen=True, slots=True)
class Number:
    """A numeric parameter; what is odd about a value is in analysis/sampling_bounds.py."""

    name: str
    title: str
    hint: str

    def read(self, text: str) -> JsonValue:
        """The value of a typed text, None for an empty one: a number as people write it, else JSON as in a body.

        Raises ValueError with a sentence for anything else.
        """
        if not text.strip():
            return None
        plain = text.strip()
        try:
            value = parse(_as_json(plain.replace(",", ".")) if _NUMBER.fullmatch(plain) else plain)
        except ThinkpaneError:
            value = None
        if value is None:
            raise ValueError(f"“{text.strip()[:40]}” is no number, so it is not sent.")
        whole = BOUNDS[self.name].whole
        return int(value) if whole and isinstance(value, float) and value.is_integer() else value


NUMBERS = (
    Number("temperature", "Temperature", "How evenly the next token is drawn; 0 takes the likeliest."),
    Number("top_p", "Top p", "Draws from the likeliest tokens that make up this share."),
    Number("max_tokens", "Max tokens", "The reply ends after this many tokens."),
    Number("seed", "Seed", "The same seed gives the same reply, where a server supports it."),
)
_KNOWN = {"stop", *(each.name for each in NUMBERS)}


class SamplingPane(CalmScrollArea):
    """A row a parameter."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._document = context.document
        self._shown = self._document.state
        self.setAccessibleName("Sampling")
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.lines: dict[str, QLineEdit] = {}
        self.faults: dict[str, Badge] = {}
        self.model = QLineEdit()
        self.model.setPlaceholderText("the endpoint's own")
        self.model.editingFinished.connect(self._on_model_entered)
        inner = QWidget()
        inner.setProperty("kind", "pane")
        self._column = QVBoxLayout(inner)
        self._column.setContentsMargins(0, 8, 0, 12)
        self._column.setSpacing(2)
        self.faults["model"] = Badge(wraps=True)
        named = SettingRow("Model", self.model)
        named.add_below(self.faults["model"])
        self._column.addWidget(named)
        for number in NUMBERS:
            self._add_line(number.name, number.title, number.hint, number.read)
        self._add_stop()
        self._add_others()
        self._column.addStretch(1)
        self.setWidget(inner)
        self._end_listening = self._document.listen(self._on_document_changed)
        self.destroyed.connect(self._end_listening)
        self._refresh()

    def _add_line(self, name: str, title: str, hint: str, read: Callable[[str], JsonValue]) -> None:
        line = QLineEdit()
        line.setFixedWidth(110)
        line.setPlaceholderText(_NOT_SENT)
        line.editingFinished.connect(lambda: self._enter(name, title, line.text(), read))
        row = SettingRow(title, line, hint=hint)
        self.faults[name] = Badge(wraps=True)
        row.add_below(self.faults[name])
        self.lines[name] = line
        self._column.addWidget(row)

    def _add_stop(self) -> None:
        self._column.addWidget(SectionHead("Stop strings"))
        self.stop = QPlainTextEdit()
        self.stop.setAccessibleName("Stop strings, one a line")
        self.stop.setPlaceholderText("not sent; one a line, \\n for a line break")
        self.stop.setTabChangesFocus(True)
        self.stop.setFixedHeight(64)
        self.stop.textChanged.connect(self._on_stop_changed)
        self.faults["stop"] = Badge(wraps=True)
        self._column.addWidget(_inset(self.stop))
        self._column.addWidget(_inset(self.faults["stop"]))

    def _add_others(self) -> None:
        self._column.addWidget(SectionHead("Other parameters"))
        self.others = QPlainTextEdit()
        self.others.setAccessibleName("Other parameters as a JSON object")
        self.others.setPlaceholderText('{"top_k": 40}')
        self.others.setTabChangesFocus(True)
        self.others.setFixedHeight(64)
        self.others.textChanged.connect(self._on_others_changed)
        self.faults["others"] = Badge(wraps=True)
        self._column.addWidget(_inset(self.others))
        self._column.addWidget(_inset(self.faults["others"]))
        note = sentence("An empty field is not sent: the server's own default holds.")
        self._column.addWidget(_inset(note))

    def _refresh(self) -> None:
        state = self._shown = self._document.state
        given = given_params(state)
        self.model.setText(state.model)
        for number in NUMBERS:
            value = given.get(number.name)
            self.lines[number.name].setText("" if value is None else dump(value, indent=None))
        self._tell_origins()
        raw = state.path == "raw"
        always = f"{DEFAULT_MAX_TOKENS}, always" if raw else _NOT_SENT
        self.lines["max_tokens"].setPlaceholderText(always)
        self.lines["max_tokens"].setToolTip(
            plain_tip(
                "On the raw path servers stop after 16 tokens unless told, so a number is always sent." if raw else ""
            )
        )
        stops = _stop_list(given.get("stop")) or []
        if list(stop_strings(self.stop.toPlainText())) != stops:
            self.stop.setPlainText(_stop_text(stops))
        others = {name: value for name, value in given.items() if name not in _KNOWN}
        if _object(self.others.toPlainText()) != others:
            self.others.setPlainText(dump(others) if others else "")

    def _enter(self, name: str, title: str, text: str, read: Callable[[str], JsonValue]) -> None:
        fault, value = "", None
        try:
            value = read(text)
        except ValueError as error:
            fault = str(error)
        if not same(value, given_params(self._document.state).get(name)):
            self._change(set_param(self._document.state, name, value), f"Set {title.lower()}")
        self._tell_origins()
        if fault:
            self.faults[name].say(fault, "bad")

    def _change(self, state: DocumentState, words: str, field: str = "") -> None:
        """Puts a state with other parameters into the document; what a body brings is a part of its conversation."""
        parts = {"params"} if state.conversation is self._document.state.conversation else {"params", "messages"}
        self._shown = state
        self._document.change(state, parts, _BY, words, field)

    def _tell_origins(self) -> None:
        """Which values the document's body brings."""
        self.faults["model"].say(_BROUGHT if self._document.state.keeps_model else "", "", _BROUGHT_HINT)
        brought, given = brought_params(self._document.state), given_params(self._document.state)
        for name in (*(each.name for each in NUMBERS), "stop"):
            odd = odd_value(name, given.get(name))
            origin = _BROUGHT if name in brought else ""
            words = f"{odd} It is sent as it stands." if odd else ""
            self.faults[name].say("; ".join(filter(None, (origin, words))), "warning" if odd else "", _BROUGHT_HINT)
        others = ", ".join(name for name in brought if name not in _KNOWN)
        self.faults["others"].say(f"{others}: {_BROUGHT}" if others else "", "", _BROUGHT_HINT)

    def _on_model_entered(self) -> None:
        state = self._document.state
        if self.model.text() != state.model:
            self._document.change(replace(state, model=self.model.text().strip()), ["endpoint"], _BY, "Set model")
            self._tell_origins()

    def _on_stop_changed(self) -> None:
        found: list[JsonValue] = list(stop_strings(self.stop.toPlainText()))
        state = self._document.state
        if (found or None) != _stop_list(given_params(state).get("stop")):
            self._change(set_param(state, "stop", found or None), "Set stop strings", "stop")
            self._tell_origins()

    def _on_others_changed(self) -> None:
        found = _object(self.others.toPlainText())
        if found is None or _KNOWN & found.keys():
            names = ", ".join(sorted(_KNOWN & (found or {}).keys()))
            self.faults["others"].say(f"{names} has a field of its own." if names else "This is no JSON object.", "bad")
            return
        state = self._document.state
        before = {name: value for name, value in given_params(state).items() if name not in _KNOWN}
        if found != before:
            for name in before.keys() | found.keys():
                if name in found and found[name] is None:
                    state = replace(state, params={**state.params, name: None})
                elif name not in found or name not in before or found[name] != before[name]:
                    state = set_param(state, name, found.get(name))
            self._change(state, "Set other parameters", "others")
        self._tell_origins()

    def _on_document_changed(self, change: Change) -> None:
        is_other = self._document.state.conversation.extra is not self._shown.conversation.extra
        if change.by != _BY and (is_other or change.parts & {"params", "endpoint"}):
            self._refresh()


def _as_json(number: str) -> str:
    """JSON wants digits on both sides of the point, and neither plus nor leading noughts."""
    sign, digits = ("-" if number.startswith("-") else ""), number.lstrip("+-")
    mantissa, e, power = digits.lower().partition("e")
    whole, point, fraction = mantissa.partition(".")
    return f"{sign}{whole.lstrip('0') or '0'}{point and '.' + (fraction or '0')}{e}{power}"


def stop_strings(text: str) -> list[str]:
    r"""The stop strings of a typed text, one a line; \n, \t and \\ stand for what they do elsewhere."""
    return [_unescaped(line) for line in text.split("\n") if line]


def _unescaped(line: str) -> str:
    found, at = [], 0
    while at < len(line):
        pair = line[at : at + 2]
        if pair in _ESCAPES:
            found.append(_ESCAPES[pair])
            at += 2
        else:
            found.append(line[at])
            at += 1
    return "".join(found)


_ESCAPES = {"\\n": "\n", "\\t": "\t", "\\r": "\r", "\\\\": "\\"}


def _stop_list(value: JsonValue) -> list[JsonValue] | None:
    return [value] if isinstance(value, str) else value if isinstance(value, list) else None


def _stop_text(stops: Sequence[JsonValue]) -> str:
    lines = []
    for each in stops:
        line = str(each).replace("\\", "\\\\")
        for spelled, meant in _ESCAPES.items():
            line = line if meant == "\\" else line.replace(meant, spelled)
        lines.append(line)
    return "\n".join(lines)


def _object(text: str) -> dict[str, JsonValue] | None:
    if not text.strip():
        return {}
    try:
        found = parse(text)
    except ThinkpaneError:
        return None
    return found if isinstance(found, dict) else None


def _inset(widget: QWidget) -> QWidget:
    box = QWidget()
    column = QVBoxLayout(box)
    column.setContentsMargins(12, 2, 12, 2)
    column.addWidget(widget)
    return box


class _SamplingPane:
    id = "sampling"
    title = "Sampling"
    area: Area = "side"
    order = 20

    def build(self, context: Context) -> QWidget:
        return SamplingPane(context)


PANE = _SamplingPane()
