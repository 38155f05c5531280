"""What is dropped on the window, or lies on the clipboard: files, or a text, exactly."""

from pathlib import Path

from PySide6.QtCore import QMimeData

from thinkpane.ui.widgets.exact_text import EXACT_FORM


def files_in(data: QMimeData) -> list[Path]:
    """The files and folders of this machine among what is dropped."""
    return [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]


def exact_text(data: QMimeData | None) -> str:
    """The text, with every character where it comes from one of our own views; "" where there is none.

    data: None for an empty clipboard, on some platforms and whatever Qt's types say.
    """
    if data is None:
        return ""
    if data.hasFormat(EXACT_FORM):
        return bytes(data.data(EXACT_FORM).data()).decode("utf-8", "surrogatepass")
    return data.text() if data.hasText() and not data.hasUrls() else ""
