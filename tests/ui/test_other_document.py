"""What belongs to one document stands in for nothing of the next: its prompt, its template, a refusal."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from pytestqt.qtbot import QtBot

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
