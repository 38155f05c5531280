"""The templates in `resources/templates/<id>/`: template.jinja with template.toml beside it."""

from functools import cache

from thinkpane import resources
from thinkpane.templates.template import Template
from thinkpane.templates.template_toml import described


@cache
def ids() -> tuple[str, ...]:
    """The ids, in alphabetical order. Raises RuntimeError where there is none (a build without resources)."""
    folder = resources.entry("templates")
    found = sorted(each.name for each in folder.iterdir() if each.is_dir()) if folder.is_dir() else []
    if not found:
        raise RuntimeError("No built-in templates were found; the build lacks resources/templates")
    return tuple(found)


@cache
def load(id: str) -> Template:
    """The built-in template of that id.

    Raises FileNotFoundError for an unknown id, ThinkpaneError (kind "template_source") for a faulty template.toml.
    """
    source = resources.read_text(f"templates/{id}/template.jinja")
    return described(id, source, resources.read_text(f"templates/{id}/template.toml"))
