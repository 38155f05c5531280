"""What this program is, and what it stands on."""

from PySide6.QtCore import qVersion
from PySide6.QtWidgets import QMessageBox, QWidget

from thinkpane import __version__


def show_about(parent: QWidget) -> None:
    """The dialog."""
    text = (
        f"<b>Thinkpane {__version__}</b><br>A desktop playground for chat templates and reasoning models.<br><br>"
        f"Code under the MIT licence; built-in templates under their own, which NOTICE lists.<br>Qt {qVersion()}"
    )
    QMessageBox.about(parent, "About Thinkpane", text)
