"""What a template source is: one way in which a REF on the command line or in a document names a template."""

from typing import Protocol

from thinkpane.templates.reach import Reach
from thinkpane.templates.template import Template


class TemplateSource(Protocol):
    """One kind of source. A file in this folder holds one, as its public constant `SOURCE`."""

    @property
    def name(self) -> str:
        """The kind's name, for lists: "built-in", "jinja-file", …"""

    @property
    def takes(self) -> str:
        """What its REFs look like, for sentences: "a .jinja file", …"""

    def accepts(self, ref: str) -> bool:
        """Whether `ref` has this kind's form. Reads no file's content and never raises."""

    @property
    def reaches(self) -> bool:
        """Whether it needs the network, and so a `Reach`."""

    def load(self, ref: str, name: str, reach: Reach | None = None) -> Template:
        """The template at `ref`; `name` picks a named one, "" leaves it to `named.choose`. May wait for the network.

        Raises ThinkpaneError, kind "file" (missing, unreadable, too long, no text), "template_source" (its content, or
        the network is needed and there is no `reach`), and what `reach.ask` raises.
        """
