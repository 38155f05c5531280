"""The template's lines that are lit from other panes: those that wrote what is pointed at, or chosen there."""

from collections.abc import Callable

from PySide6.QtCore import QObject

from thinkpane.prompt.owners import Owner
from thinkpane.ui.links import Links
from thinkpane.ui.widgets.code_editor import CodeEditor


class TemplateLights(QObject):
    """show_line: brings a line into sight, once there is anything to see."""

    def __init__(self, links: Links, editor: CodeEditor, show_line: Callable[[int], None]) -> None:
        super().__init__(editor)
        self._editor = editor
        self._show_line = show_line
        editor.line_chosen.connect(links.template_line_chosen)
        links.owner_pointed.connect(self._on_links_owner_pointed)
        links.owner_chosen.connect(self._on_links_owner_chosen)
        links.template_line_chosen.connect(self._on_links_template_line_chosen)

    def _on_links_owner_pointed(self, owner: Owner | None) -> None:
        self._editor.light_lines(_lines_of(owner))

    def _on_links_owner_chosen(self, owner: Owner | None) -> None:
        self._editor.light_lines(_lines_of(owner), reveal=True)

    def _on_links_template_line_chosen(self, line: int) -> None:
        self._editor.light_lines([line] if line else [])
        if line:
            self._show_line(line)


def _lines_of(owner: Owner | None) -> list[int]:
    """The template lines that an owner names, the one that wrote first."""
    return [each for each in (owner.line, *owner.via) if each] if owner is not None else []
