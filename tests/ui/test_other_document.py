"""What belongs to one document stands in for nothing of the next: its prompt, its template, a refusal."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from threading import Event

from PySide6.QtCore import QCoreApplication, Qt
from pytestqt.qtbot import QtBot

from thinkpane.formats.json_values import JsonValue
from thinkpane.ui.document_files import first_document
from thinkpane.ui.main_window import MainWindow
from thinkpane.ui.panes.controls import ControlsPane
from thinkpane.workspace.state import DocumentState


def test_a_document_whose_template_cannot_be_had_shows_nothing_of_the_one_before(
    make_window: Callable[[DocumentState], MainWindow], qtbot: QtBot, tmp_path: Path
) -> None:
    window = make_window(first_document())
    assert window.prompts.prompt.text
    controls = window.layout_.panes["controls"]
    assert isinstance(controls, ControlsPane)
    assert "reasoning_effort" in controls.rows
    window.document.new(replace(first_document(), template=str(tmp_path / "missing.jinja")))
    qtbot.waitUntil(lambda: window.prompts.prompt.problem is not None)
    assert (window.prompts.prompt.text, window.prompts.prompt.stale) == ("", False)
    assert controls.rows == {}
    assert window.layout_.tiers.buttons == []
    problems = window.problems.problems
    assert problems is not None
    assert [each.severity for each in problems.findings] == ["error"]
    assert "missing.jinja" in problems.findings[0].summary


def test_a_document_that_fails_has_no_last_good_prompt_of_another(
    make_window: Callable[[DocumentState], MainWindow], qtbot: QtBot, tmp_path: Path
) -> None:
    window = make_window(first_document())
    path = tmp_path / "fails.jinja"
    path.write_text("{{ raise_exception('no') }}", encoding="utf-8")
    window.document.new(replace(first_document(), template=str(path)))
    qtbot.waitUntil(lambda: window.prompts.prompt.problem is not None)
    assert (window.prompts.prompt.text, window.prompts.prompt.stale) == ("", False)


def test_a_new_document_shows_no_effects_of_the_one_before(window: MainWindow, qtbot: QtBot) -> None:
    window.choices.use_template("chatml")
    messages: list[JsonValue] = [{"role": "user", "content": "hi"}]
    window.arrivals.take_text(
        json.dumps({"messages": messages, "chat_template_kwargs": {"enable_thinking": False, "odd": 1}})
    )
    controls, tiers = window.layout_.panes["controls"], window.layout_.tiers
    assert isinstance(controls, ControlsPane)
    qtbot.waitUntil(lambda: "No thinking" in tiers.reason.whole and not controls.ignored.lines.isHidden())
    badge = controls.rows["enable_thinking"].badge
    assert badge.text()
    window.document.new(DocumentState(template="chatml"))
    assert tiers.reason.whole == tiers.lost.whole == tiers.effect.whole == ""
    assert not any(each.isChecked() for each in tiers.buttons)
    assert controls.ignored.lines.isHidden()
    assert list(controls.rows) == ["enable_thinking", "preserve_thinking"]
    assert controls.rows["enable_thinking"].badge.text() == ""
    window.document.new(replace(first_document(), template="chatml"))
    qtbot.waitUntil(lambda: "Thinking" in tiers.reason.whole)
    assert controls.rows["enable_thinking"].badge.text()


def test_effects_that_come_after_their_document_are_not_told(window: MainWindow, qtbot: QtBot) -> None:
    effects, found = window.effects, Event()
    qtbot.waitUntil(lambda: effects.is_settled)
    effects._found.connect(lambda _: found.set(), Qt.ConnectionType.DirectConnection)
    with qtbot.waitSignal(window.prompts.changed):
        window.choices.next_tier()
    assert found.wait(20), "the answer is there, and waits for the window's thread"
    window.document.new(DocumentState(template=window.document.state.template))
    QCoreApplication.processEvents()
    assert effects.effects is not None
    assert effects.effects.variables == ()


def test_a_refusal_is_over_with_the_next_prompt_that_may_be_sent(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    broken = tmp_path / "broken.jinja"
    broken.write_text("{% if %}", encoding="utf-8")
    window.choices.use_template(str(broken))
    qtbot.waitUntil(lambda: window.prompts.prompt.problem is not None)
    with qtbot.waitSignal(window.session.refused):
        window.session.run()
    assert not window.layout_.banner.isHidden()
    window.choices.use_template("chatml")
    qtbot.waitUntil(window.layout_.banner.isHidden)
