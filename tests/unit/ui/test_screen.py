"""Whether a window can be opened, told before Qt is loaded."""

import socket
from pathlib import Path

import pytest

from thinkpane.ui import screen

pytestmark = pytest.mark.skipif("sys.platform != 'linux'", reason="displays are asked for on Linux only")


def test_no_variable_is_no_display() -> None:
    assert "neither DISPLAY nor WAYLAND_DISPLAY" in screen.no_display({})


def test_a_platform_that_was_chosen_is_taken_at_its_word() -> None:
    assert screen.no_display({"QT_QPA_PLATFORM": "offscreen"}) == ""


@pytest.mark.parametrize("display", [":4711", "127.0.0.1:55", "nonsense", ":x"])
def test_a_dead_x_server_does_not_answer(display: str) -> None:
    assert screen.no_display({"DISPLAY": display}) == f"The display {display} does not answer."


def test_a_wayland_socket_that_answers_is_a_display(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "wayland-0"))
        server.listen()
        assert screen.no_display({"WAYLAND_DISPLAY": "wayland-0", "XDG_RUNTIME_DIR": str(tmp_path)}) == ""
    assert "does not answer" in screen.no_display({"WAYLAND_DISPLAY": "wayland-1", "XDG_RUNTIME_DIR": str(tmp_path)})


def test_a_missing_library_is_told_with_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(screen, "_loads", lambda library: library not in ("libEGL.so.1", "libxcb-cursor.so.0"))
    assert screen.missing_libraries(window=False).endswith("apt-get install libegl1")
    assert screen.missing_libraries(window=True).endswith("apt-get install libegl1 libxcb-cursor0")
    monkeypatch.setattr(screen, "_loads", lambda _: True)
    assert screen.missing_libraries(window=True) == ""
