"""The templates that come with Thinkpane, by id."""

from thinkpane.templates import built_in
from thinkpane.templates.files import source_problem
from thinkpane.templates.reach import Reach
from thinkpane.templates.sources._api import TemplateSource
from thinkpane.templates.template import Template


class _BuiltIn:
    name = "built-in"
    takes = "a built-in template's id"
    reaches = False

    def accepts(self, ref: str) -> bool:
        return ref in built_in.ids()

    def load(self, ref: str, name: str, reach: Reach | None = None) -> Template:
        if name not in ("", "default"):
            raise source_problem(f"The built-in template “{ref}” has no named templates (“{name}” was asked for).")
        return built_in.load(ref)


SOURCE: TemplateSource = _BuiltIn()
