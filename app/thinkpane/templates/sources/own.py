"""A person's own templates, by id."""

from thinkpane.templates import built_in, own
from thinkpane.templates.files import source_problem
from thinkpane.templates.reach import Reach
from thinkpane.templates.sources._api import TemplateSource
from thinkpane.templates.template import Template


class _Own:
    name = "own"
    takes = "an own template's id"
    reaches = False

    def accepts(self, ref: str) -> bool:
        return ref not in built_in.ids() and own.is_own(ref)

    def load(self, ref: str, name: str, reach: Reach | None = None) -> Template:
        if name not in ("", "default"):
            raise source_problem(f"The own template “{ref}” has no named templates (“{name}” was asked for).")
        return own.load(ref)


SOURCE: TemplateSource = _Own()
