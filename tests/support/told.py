"""Answers of threads that were told, and that the window's event loop has not brought yet."""

import threading
import time
from typing import Any

from thinkpane.ui.newest import Newest


def wait_told(newest: Newest[Any, Any], seconds: float = 20.0) -> None:
    """Waits, while the event loop stands still, until the newest answer was told."""
    end, pause = time.monotonic() + seconds, threading.Event()
    while newest._told is None:
        assert time.monotonic() < end, "nothing was told"
        pause.wait(0.005)
