"""pytest-qt's robot with this suite's patience in place of its own five seconds."""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import SignalInstance
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot
from pytestqt.wait_signal import SignalBlocker

from support.patience import PATIENCE

MILLISECONDS = int(PATIENCE * 1000)


class PatientBot(QtBot):
    """Waits are named without a timeout, which then is `PATIENCE`."""

    def waitUntil(self, callback: Callable[[], bool | None], *, timeout: int = MILLISECONDS) -> None:
        """Waits until `callback` says True."""
        super().waitUntil(callback, timeout=timeout)

    def waitSignal(
        self,
        signal: SignalInstance,
        *,
        timeout: int = MILLISECONDS,
        raising: bool | None = None,
        check_params_cb: Callable[..., bool] | None = None,
    ) -> SignalBlocker:
        """Waits until `signal` comes."""
        return super().waitSignal(signal, timeout=timeout, raising=raising, check_params_cb=check_params_cb)

    def waitExposed(self, widget: QWidget, *, timeout: int = MILLISECONDS) -> Any:
        """Waits until `widget` can be seen."""
        return super().waitExposed(widget, timeout=timeout)

    def waitActive(self, widget: QWidget, *, timeout: int = MILLISECONDS) -> Any:
        """Waits until `widget` has the keyboard."""
        return super().waitActive(widget, timeout=timeout)
