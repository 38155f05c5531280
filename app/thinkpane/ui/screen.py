"""Whether a window can be opened here, found out before Qt is loaded: Qt ends the process where it cannot."""

import ctypes
import os
import socket
import sys
from collections.abc import Mapping
from pathlib import Path

# Library that Qt loads -> the Debian package that brings it. The first group is needed for pictures, too.
_ALWAYS = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libfontconfig.so.1": "libfontconfig1",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libdbus-1.so.3": "libdbus-1-3",
    "libxkbcommon.so.0": "libxkbcommon0",
}
_X11 = {
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
}
_SECONDS = 2.0


def no_display(environment: Mapping[str, str] = os.environ) -> str:
    """Why there is no display to open a window on, in one sentence; "" where there is one."""
    if sys.platform != "linux" or environment.get("QT_QPA_PLATFORM"):
        return ""
    wayland, x11 = environment.get("WAYLAND_DISPLAY"), environment.get("DISPLAY")
    if not wayland and not x11:
        return "There is no display (neither DISPLAY nor WAYLAND_DISPLAY is set)."
    if wayland and _answers(socket.AF_UNIX, str(Path(environment.get("XDG_RUNTIME_DIR", "/")) / wayland)):
        return ""
    if x11 and _x_server_answers(x11):
        return ""
    return f"The display {x11 or wayland} does not answer."


def missing_libraries(*, window: bool) -> str:
    """Which system libraries Qt lacks and what brings them, in one sentence; "" where all are there.

    window: those for a window on an X server too, not only those for pictures.
    """
    if sys.platform != "linux":
        return ""
    wanted = {**_ALWAYS, **_X11} if window else _ALWAYS
    missing = {library: package for library, package in wanted.items() if not _loads(library)}
    if not missing:
        return ""
    packages = " ".join(missing.values())
    return f"System libraries are missing ({', '.join(missing)}); on Debian: apt-get install {packages}"


def _x_server_answers(display: str) -> bool:
    host, _, number = display.rpartition(":")
    number = number.partition(".")[0]
    if not number.isdigit():
        return False
    if host in ("", "unix") or host.endswith("/unix"):
        path = f"/tmp/.X11-unix/X{number}"
        return _answers(socket.AF_UNIX, path) or _answers(socket.AF_UNIX, f"\0{path}")
    return _answers(socket.AF_INET, (host.strip("[]"), 6000 + int(number)))


def _answers(family: int, address: str | tuple[str, int]) -> bool:
    try:
        if family != socket.AF_UNIX:
            socket.create_connection(address, _SECONDS).close()  # type: ignore[arg-type]  # never text here
            return True
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
            connection.settimeout(_SECONDS)
            connection.connect(address)
    except OSError:
        return False
    return True


def _loads(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True
