"""A damaged template in the window: what is found, the dialog with its switches, and what comes of it."""

import json
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from thinkpane.engine.host import Engine
from thinkpane.engine.request import Rendered, RenderRequest
from thinkpane.formats.json_values import JsonObject, JsonValue
from thinkpane.templates.repair import inspect
from thinkpane.ui.dialogs.repair import RepairDialog
from thinkpane.ui.main_window import MainWindow
from thinkpane.ui.models.text_changes import changes

_DATA = Path(__file__).parents[1] / "data"
_RECORDS: list[JsonObject] = json.loads((_DATA / "golden" / "seed-renders.json").read_text(encoding="utf-8"))
_TOKENS: dict[str, JsonValue] = {"bos_token": "<BOS_TOKEN>", "eos_token": "</s>"}


def seed(number: str) -> Path:
    [file] = (_DATA / "seeds").glob(f"{number}_*.txt")
    return file


def drop_file(window: MainWindow, path: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    copy, button, keys = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    window.dropEvent(QDropEvent(QPoint(5, 5), copy, data, button, keys))


def matter(window: MainWindow, qtbot: QtBot) -> list[str]:
    """The words of the banner about the template, then those of its buttons."""
    banner = window.layout_.source.matter
    qtbot.waitUntil(lambda: banner.isVisible() and bool(banner.choices))
    return [banner.sentence.text(), *(button.text() for button in banner.choices)]


def repair_dialog(window: MainWindow, qtbot: QtBot) -> RepairDialog:
    matter(window, qtbot)
    banner = window.layout_.source.matter
    [button] = [each for each in banner.choices if each.text() == "Repair…"]
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    dialog = window.source.dialog
    assert isinstance(dialog, RepairDialog)
    settled(dialog, qtbot)
    return dialog


def settled(dialog: RepairDialog, qtbot: QtBot) -> None:
    """The text is repaired as the switches say."""
    qtbot.waitUntil(lambda: not dialog.maker.is_working)


@pytest.mark.parametrize(
    ("number", "words", "can_repair"),
    [
        ("000", "Line breaks were folded", True),
        ("001", "GLM 5.2 BF16", True),
        ("002", "JSON text", True),
        ("003", "There is no template here", False),
        ("004", "borders of a table", True),
    ],
)
def test_each_seed_that_is_dropped_is_recognised(
    window: MainWindow, qtbot: QtBot, number: str, words: str, can_repair: bool
) -> None:
    drop_file(window, seed(number))
    sentence, *buttons = matter(window, qtbot)
    assert words in sentence
    assert buttons == (["Repair…", "Leave as it is"] if can_repair else ["Leave as it is"])
    assert window.document.state.template == str(seed(number))


def test_a_familys_tags_are_off_until_a_person_consents(window: MainWindow, qtbot: QtBot) -> None:
    drop_file(window, seed("001"))
    dialog = repair_dialog(window, qtbot)
    assert {kind: box.isChecked() for kind, box in dialog.switches.items()} == {
        "page-text": True,
        "folded-line-breaks": True,
        "stripped-tags": False,
    }
    assert "<think>" not in dialog.repaired
    assert dialog.family.currentText() == "GLM"
    dialog.switches["stripped-tags"].click()
    settled(dialog, qtbot)
    assert "<think>" in dialog.repaired
    assert "Put the tags of the GLM family back in 29 places" in dialog.said.text()
    dialog.switches["stripped-tags"].click()
    settled(dialog, qtbot)
    assert "<think>" not in dialog.repaired


def test_what_is_lost_for_good_is_said_without_a_switch(window: MainWindow, qtbot: QtBot) -> None:
    drop_file(window, seed("002"))
    dialog = repair_dialog(window, qtbot)
    assert set(dialog.switches) == {"json-escapes", "page-text", "folded-indentation", "truncation"}
    labels = [label.text() for label in dialog.findChildren(QLabel)]
    assert any(text.startswith("Lost for good") for text in labels)
    assert any("What stood there is lost" in text for text in labels)


def test_before_and_after_stand_side_by_side_with_marks(window: MainWindow, qtbot: QtBot) -> None:
    drop_file(window, seed("004"))
    dialog = repair_dialog(window, qtbot)
    text = seed("004").read_text(encoding="utf-8")
    assert dialog.before.text == text
    assert dialog.after.text == dialog.repaired
    assert "| |" in dialog.before.text
    assert "| |" not in dialog.after.text
    gone, added = changes(dialog.before.text, dialog.after.text)
    assert gone
    assert added
    for box in dialog.switches.values():
        box.setChecked(False)
    settled(dialog, qtbot)
    assert dialog.repaired == text
    assert not dialog.use.isEnabled()


@pytest.mark.parametrize("number", ["001", "004"])
def test_leaving_it_changes_nothing_and_is_not_asked_again(window: MainWindow, qtbot: QtBot, number: str) -> None:
    drop_file(window, seed(number))
    dialog = repair_dialog(window, qtbot)
    before = window.document.state
    dialog.leave.click()
    assert window.document.state is before
    assert window.layout_.source.matter.isHidden()
    window.prompts.refresh()
    assert window.layout_.source.matter.isHidden()


def test_closing_the_dialog_without_a_word_leaves_the_question(window: MainWindow, qtbot: QtBot) -> None:
    drop_file(window, seed("004"))
    dialog = repair_dialog(window, qtbot)
    dialog.reject()
    assert "Repair…" in matter(window, qtbot)


def rendered(engine: Engine, source: str, record: JsonObject) -> Rendered:
    body, variables = record["request"], record["kwargs"]
    assert isinstance(body, dict)
    assert isinstance(variables, dict)
    tools, documents = body.get("tools"), body.get("documents")
    assert tools is None or isinstance(tools, list)
    assert documents is None or isinstance(documents, list)
    return engine.render(
        RenderRequest(
            source=source,
            messages=body["messages"],
            tools=tools,
            documents=documents,
            variables=_TOKENS | variables,
            add_generation_prompt=bool(record["add_generation_prompt"]),
            continue_final_message=bool(record["continue_final_message"]),
        )
    )


@pytest.mark.parametrize(("number", "id"), [("000", "protium-1.0"), ("001", "glm-5.2"), ("004", "memreader")])
def test_seeds_repaired_in_the_dialog_render_the_golden_records(
    window: MainWindow, engine: Engine, qtbot: QtBot, number: str, id: str
) -> None:
    drop_file(window, seed(number))
    dialog = repair_dialog(window, qtbot)
    for box in dialog.switches.values():
        box.setChecked(True)
    settled(dialog, qtbot)
    dialog.use.click()
    edited = window.document.state.edited
    assert edited is not None
    assert inspect(edited.source) == ()
    assert window.prompts.template.source == edited.source
    records = [record for record in _RECORDS if record["template"] == id]
    assert len(records) > 5
    for record in records:
        found = rendered(engine, edited.source, record)
        if "text" in record:
            assert found.text == record["text"], record["name"]
        else:
            assert found.problem is not None, record["name"]
    assert window.layout_.source.matter.isHidden()
    window.document.undo()
    assert window.document.state.edited is None
