"""How the window is looked at, and what of that is kept: areas, zoom, theme, size, layout, settings."""

from collections.abc import Callable

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from support.services import PatientServices
from thinkpane.ui.document_files import first_document
from thinkpane.ui.main_window import MainWindow
from thinkpane.workspace.state import DocumentState


def test_f6_goes_round_the_areas(window: MainWindow) -> None:
    window.activateWindow()
    window.view.focus_messages()
    seen = []
    for _ in window.layout_.areas():
        focus = QApplication.focusWidget()
        assert focus is not None
        seen.append(next(each for each in window.layout_.areas() if each is focus or each.isAncestorOf(focus)))
        window.view.next_pane()
    assert len(set(map(id, seen))) == len(seen)


def test_zoom_and_theme_are_settings(window: MainWindow, services: PatientServices) -> None:
    window.view.zoom_in()
    assert services.settings.number("zoom") == pytest.approx(1.1)
    window.view.use_light_theme()
    assert window.view.is_light_theme
    window.view.zoom_reset()
    window.view.use_system_theme()
    assert services.settings.number("zoom") == pytest.approx(1.0)


def test_narrow_windows_do_without_the_library_unless_it_is_asked_for(window: MainWindow) -> None:
    def shown_at(width: int) -> bool:
        window.resize(width, 640)
        return window.view.shows_library

    assert [shown_at(1440), shown_at(1024)] == [True, False]
    window.view.toggle_library()
    assert shown_at(1030)
    window.view.reset_layout()
    assert [shown_at(1440), shown_at(1024)] == [True, False]


def test_it_fits_into_a_small_screen(window: MainWindow) -> None:
    window.resize(1024, 640)
    assert (window.width(), window.height()) == (1024, 640)
    assert window.layout_.side.isVisible()
    assert window.layout_.inspect.width() > 300
    assert window.layout_.compose.width() > 300


def test_the_layout_is_kept(make_window: Callable[[DocumentState], MainWindow], qtbot: QtBot) -> None:
    one = make_window(first_document())
    one.layout_.splitters["columns"].setSizes([150, 300, 700, 260])
    one.view.toggle_controls()
    one.view.keep()
    two = make_window(first_document())
    two.restore()
    assert not two.view.shows_controls
    columns = two.layout_.splitters["columns"]
    qtbot.waitUntil(lambda: columns.sizes()[2] > columns.sizes()[1])


def test_a_layout_that_cannot_be_read_is_passed_over(
    make_window: Callable[[DocumentState], MainWindow], services: PatientServices
) -> None:
    file = services.folders.layout_file
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("[General]\nversion=1\ngeometry=nonsense\n[splitter]\ncolumns=\\0\n")
    window = make_window(first_document())
    window.restore()
    assert window.layout_.compose.isVisible()


def test_settings_that_cannot_be_used_are_told(
    make_window: Callable[[DocumentState], MainWindow], services: PatientServices
) -> None:
    services.folders.settings_file.parent.mkdir(parents=True)
    services.folders.settings_file.write_text('{"zoom": "large"}')
    window = make_window(first_document())
    window.restore()
    assert "zoom" in window.layout_.banner.sentence.text()
