"""The controls of a template that comes with no word about them: rows, tiers and tags as they are found."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

import pytest
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from thinkpane.analysis.effects import Effects
from thinkpane.conversation.conversation import conversation_from_body
from thinkpane.engine.host import Engine
from thinkpane.engine.request import Rendered, RenderRequest
from thinkpane.errors import Problem
from thinkpane.formats.json_values import JsonObject, JsonValue
from thinkpane.ui.main_window import MainWindow
from thinkpane.ui.panes.controls import ControlsPane
from thinkpane.ui.widgets.combo import Combo
from thinkpane.ui.widgets.segmented import Segmented
from thinkpane.workspace.state import DocumentState
from thinkpane.workspace.state_edits import set_variable

SOURCE = """\
{%- if effort is defined and effort in ['low', 'high'] %}<|effort|>{{ effort }}
{%- endif %}
{%- for document in documents or [] %}{{ document.text }}{% endfor %}
{%- if budget is defined and budget > 0 %}<|budget|>{{ budget * 1 }}{% endif %}
{%- for word in words or [] %}{{ word }}{% endfor %}
{%- for m in messages %}
    {%- if m.role == 'developer' %}
        {{- m.content }}
    {%- elif '/loud' in m.content %}<|loud|>{{ m.content }}
    {%- else %}{{ m.content }}
    {%- endif %}
{%- endfor %}
{%- if think is not defined or think %}<think>{% else %}<think></think>{% endif %}
"""
BODY: JsonValue = {"messages": [{"role": "user", "content": "hi", "name": "Ada"}]}


@pytest.fixture
def window(make_window: Callable[[DocumentState], MainWindow], tmp_path: Path) -> MainWindow:
    path = tmp_path / "own.jinja"
    path.write_text(SOURCE, encoding="utf-8")
    return make_window(DocumentState(template=str(path), conversation=conversation_from_body(BODY)))


@pytest.fixture
def pane(window: MainWindow) -> ControlsPane:
    found = window.layout_.panes["controls"]
    assert isinstance(found, ControlsPane)
    return found


def effects_of(window: MainWindow, qtbot: QtBot, after: Effects | None = None) -> Effects:
    """The effects of the newest prompt, traced; after: those of an earlier one, which are not waited for."""

    def done() -> bool:
        effects, prompt = window.effects.effects, window.prompts.prompt
        newer = after is None or prompt.serial > after.serial
        return newer and effects is not None and effects.serial == prompt.serial and effects.coverage is not None

    qtbot.waitUntil(done)
    assert window.effects.effects is not None
    return window.effects.effects


def test_each_kind_gets_its_editor_and_its_effect(pane: ControlsPane, window: MainWindow, qtbot: QtBot) -> None:
    effects_of(window, qtbot)
    kinds = {name: type(row.editor) for name, row in pane.rows.items()}
    assert kinds == {"effort": Combo, "budget": QLineEdit, "words": QLineEdit, "think": Segmented}
    said = {name: row.badge.text() for name, row in pane.rows.items()}
    assert said == {
        "effort": "“low”: +13 characters; “high”: +14 characters",
        "budget": "1: +11 characters; 1000: +14 characters",
        "words": "a list: +127 characters",
        "think": "false: +8 characters",
    }
    assert pane.rows["think"].label.toolTip() == "not set, it is as with true\nfirst read in template line 13"
    assert "template line 9" in pane.tags.chips()[0].toolTip()
    assert pane.documents.isVisibleTo(pane)
    assert (pane.documents.text(), pane.documents_badge.text()) == ("none", "1 document: +7 characters")


def test_tiers_and_tags_are_found(pane: ControlsPane, window: MainWindow, qtbot: QtBot) -> None:
    first = effects_of(window, qtbot)
    assert first.in_force.label == "Thinking"
    tiers = window.effects.template.tiers
    assert [each.label for each in tiers] == ["Thinking", "low", "high", "No thinking"]
    assert len(window.layout_.tiers.buttons) == 4
    assert [each.text() for each in pane.tags.chips()] == ["/loud"]
    window.choices.next_tier()
    assert window.document.state.variables == {"effort": "low", "think": True}
    assert effects_of(window, qtbot, first).in_force.label == "low"


def test_what_was_not_read_and_what_ran(pane: ControlsPane, window: MainWindow, qtbot: QtBot) -> None:
    effects = effects_of(window, qtbot)
    assert pane.ignored.ignored.text() == "“name” of message 1 is not read."
    assert pane.ignored.lines.text() == "8 of 10 lines executed. Not reached so far: 8 to 9."
    assert effects.coverage is not None
    assert effects.coverage.missed == (8, 9)
    state = set_variable(window.document.state, "effort", "low")
    window.document.change(set_variable(state, "nothing", 1), ["variables"], "test", "Set")
    later = effects_of(window, qtbot, effects)
    assert {each.variable for each in later.ignored if each.variable} == {"nothing"}
    assert "nothing = 1 is set, and not read in this render." in pane.ignored.ignored.text()


def test_the_lines_of_all_prompts_add_up(window: MainWindow, qtbot: QtBot) -> None:
    first = effects_of(window, qtbot)
    loud = conversation_from_body({"messages": [{"role": "user", "content": "/loud"}]})
    window.document.change(replace(window.document.state, conversation=loud), ["messages"], "test", "Say")
    later = effects_of(window, qtbot, first)
    assert later.coverage is not None
    assert later.so_far is not None
    pane = window.layout_.panes["controls"]
    assert isinstance(pane, ControlsPane)
    assert pane.ignored.lines.text() == "8 of 10 lines executed, 9 by the prompts so far. Not reached so far: 8."
    assert 10 not in later.coverage.executed
    assert {9, 10} <= set(later.so_far.executed)


def test_what_is_found_is_worked_out_once_a_template(window: MainWindow, qtbot: QtBot) -> None:
    first = effects_of(window, qtbot)
    window.document.change(set_variable(window.document.state, "budget", 3), ["variables"], "test", "Set")
    assert effects_of(window, qtbot, first).discovery is first.discovery


def test_a_template_that_refuses_the_conversation_shows_its_controls_all_the_same(
    pane: ControlsPane, make_window: Callable[[DocumentState], MainWindow], tmp_path: Path, qtbot: QtBot
) -> None:
    path = tmp_path / "strict.jinja"
    path.write_text("{{ raise_exception('no') if messages | length > 5 }}{{ 'a' if flag }}", encoding="utf-8")
    messages: list[JsonValue] = [{"role": "user", "content": "hi"}] * 6
    body: JsonValue = {"messages": messages}
    strict = make_window(DocumentState(template=str(path), conversation=conversation_from_body(body)))
    shown = strict.layout_.panes["controls"]
    assert isinstance(shown, ControlsPane)
    qtbot.waitUntil(lambda: "flag" in shown.rows)
    assert shown.rows["flag"].badge.text() == "true: +1 character"


class _Cancelling:
    """An engine whose renders are cancelled while `on`, as by a newer prompt."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self.on = True
        self.cancelled = 0

    def render_many(self, requests: Sequence[RenderRequest], deadline: float, owner: object) -> list[Rendered]:
        if not self.on:
            return self._engine.render_many(requests, deadline, owner)
        self.cancelled += 1
        return [Rendered(None, Problem("cancelled", "a newer one")) for _ in requests]

    def about(self, name: str, source: str, owner: object = None) -> JsonObject:
        return self._engine.about(name, source, owner)

    def cancel(self, owner: object) -> None:
        self._engine.cancel(owner)


def test_what_was_cancelled_is_no_finding(
    window: MainWindow, engine: Engine, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    first = effects_of(window, qtbot)
    cancelling = _Cancelling(engine)
    maker = window.effects._maker
    assert maker is not None
    monkeypatch.setattr(maker, "_engine", cancelling)
    window.document.change(replace(window.document.state, template="glm-5.2"), ["template"], "test", "GLM")
    qtbot.waitUntil(lambda: cancelling.cancelled > 0)
    assert window.effects.effects is first
    cancelling.on = False
    window.document.change(set_variable(window.document.state, "reasoning_effort", "low"), ["variables"], "test", "Set")
    found = effects_of(window, qtbot, first)
    assert [each.label for each in found.discovery.tiers] == ["High", "Max", "Off"]
    assert {each.name: each.detail for each in found.variables}["reasoning_effort"] == "falls through to Max"


def test_effects_are_told_where_a_trace_cannot_be(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fails(*_: object) -> NoReturn:
        raise ValueError("no such path")

    monkeypatch.setattr("thinkpane.ui.effects.ignored", fails)
    serial = window.prompts.prompt.serial
    window.document.change(replace(window.document.state, profile="plain"), ["profile"], "test", "test")
    qtbot.waitUntil(lambda: window.effects.effects is not None and window.effects.effects.serial > serial)
    qtbot.waitUntil(lambda: "a trace could not be told of" in caplog.text)
