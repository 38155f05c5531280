"""The wire pane: every event with its time, size and bytes; filter, copy, save."""

from pathlib import Path
from typing import cast

import pytest
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from support.fake_runs import Runs, context_of
from thinkpane.runs.wire import WireEntry, said
from thinkpane.streaming.events import AnswerDelta, Ended, Finish, Unknown, UsageReport
from thinkpane.ui.models.wire_text import WireWriter, buffered, hex_lines
from thinkpane.ui.panes.wire import PANE, WirePane


@pytest.fixture
def wire(runs: Runs, qtbot: QtBot) -> WirePane:
    pane = cast("WirePane", PANE.build(context_of(runs)))
    qtbot.addWidget(pane)
    pane.resize(500, 400)
    pane.show()
    return pane


def event(ms: float, text: str) -> WireEntry:
    return WireEntry(ms, "data", text.encode())


def test_each_entry_is_shown_with_time_kind_size_and_data(wire: WirePane, runs: Runs) -> None:
    assert wire.empty.isVisible()
    runs.begin()
    runs.wire(said(0, "request", "POST /v1\nAuthorization: ••••\n\n{}"), said(300, "response", "HTTP 200"))
    runs.wire(event(312.4, "data: {\u00e9\u2028}\n"), event(320, "data: [DONE]"))
    assert wire.view.isVisible()
    assert wire.view.text == (
        "0.0 ms · request · 40 B\nPOST /v1\nAuthorization: ••••\n\n{}\n\n"
        "300.0 ms (+300.0) · response · 8 B\nHTTP 200\n\n"
        "312.4 ms (+12.4) · event 1 · 14 B\ndata: {\u00e9\u2028}\n\n"
        "320.0 ms (+7.6) · event 2 · 12 B\ndata: [DONE]\n\n"
    )


def test_the_totals_say_how_it_went_and_what_nobody_knows(wire: WirePane, runs: Runs) -> None:
    runs.begin()
    runs.wire(event(312.4, "data: 1"))
    runs.give(AnswerDelta("ab"), at=0.3)
    runs.give(AnswerDelta("cd"), Unknown("compaction", {"a": 1}), at=0.8)
    runs.finish(Finish("stop"), UsageReport({"completion_tokens": 3}), Ended(clean=True))
    assert wire.totals.text().splitlines() == [
        "1 entry · 1 event, 7 B · 0.31 s · first answer 0.30 s · answer 8 chars/s · finish: stop",
        'usage: {"completion_tokens": 3}',
        "1 unknown event, kept as they came: compaction",
    ]


def test_events_are_shown_in_hexadecimal_byte_for_byte(wire: WirePane, runs: Runs) -> None:
    runs.begin()
    runs.wire(said(0, "request", "POST /v1"), WireEntry(1, "data", b"data: \xff\xf0\x9f\n\n"))
    wire.form.set_value("hex")
    wire.form.chosen.emit("hex")
    assert wire.view.text == (
        "0.0 ms · request · 8 B\nPOST /v1\n\n1.0 ms (+1.0) · event 1 · 11 B\n"
        "0000  64 61 74 61  3a 20 ff f0  data: ··\n0008  9f 0a 0a                  ···\n\n"
    )
    assert bytes.fromhex("".join(line[6:54] for line in hex_lines(bytes(range(256))))) == bytes(range(256))


def test_it_is_filtered_while_it_grows_and_copied_as_shown(wire: WirePane, runs: Runs) -> None:
    runs.begin()
    runs.wire(event(1, "data: Alpha"), event(2, "data: beta"))
    wire.filter.setText("alpha")
    runs.wire(event(3, "data: gamma"), event(4, "data: ALPHA again"))
    wire.copy()
    assert QGuiApplication.clipboard().text() == wire.view.text
    assert "event 4 ·" in wire.view.text
    assert "gamma" not in wire.view.text
    wire.filter.clear()
    assert wire.view.text.count(" · event ") == 4


def test_a_long_wire_is_filtered_after_a_pause_in_typing(wire: WirePane, runs: Runs, qtbot: QtBot) -> None:
    runs.begin()
    runs.wire(event(1, "x" * 300_000), event(2, "needle"))
    wire.filter.setText("needle")
    assert wire.view.text.count(" · event ") == 2
    qtbot.waitUntil(lambda: wire.view.text.count(" · event ") == 1)


def test_the_whole_wire_is_saved_whatever_the_filter(wire: WirePane, runs: Runs, tmp_path: Path) -> None:
    runs.begin()
    runs.wire(event(1, "one\r\n"), WireEntry(2, "data", b"tw\xff"))
    wire.filter.setText("tw")
    wire.save(tmp_path / "wire.txt")
    saved = (tmp_path / "wire.txt").read_bytes().decode()
    assert saved == "1.0 ms (+1.0) · event 1 · 5 B\none\r\n\n2.0 ms (+1.0) · event 2 · 3 B\ntw\ufffd\n\n"
    wire.save(tmp_path / "reply.bin")
    assert (tmp_path / "reply.bin").read_bytes() == b"one\r\ntw\xff"
    wire.save(tmp_path)
    assert wire.totals.text().startswith("Not saved: ")


def test_out_of_sight_nothing_is_laid_out_and_it_catches_up(wire: WirePane, runs: Runs) -> None:
    runs.begin()
    wire.hide()
    runs.wire(event(1, "one"))
    assert wire.view.text == ""
    wire.show()
    assert "one" in wire.view.text


@pytest.mark.parametrize(("first", "step", "told"), [(9_000, 1, True), (9_000, 20, False), (200, 1, False)])
def test_events_that_come_all_at_once_after_a_long_time_were_gathered(first: int, step: int, told: bool) -> None:
    writer = WireWriter()
    writer.write(event(first + number * step, "data: x") for number in range(30))
    assert buffered(writer).startswith("All 30 events came within 29 ms, after 9.0 s") == told
