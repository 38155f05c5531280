"""Where templates come from: by REF (a built-in id, a file, a folder), or from pasted text."""

from difflib import get_close_matches

from thinkpane.templates import built_in, pasted
from thinkpane.templates.files import is_network_path, is_there, local_path, source_problem
from thinkpane.templates.named import choose
from thinkpane.templates.reach import Reach
from thinkpane.templates.sources._registry import all_sources
from thinkpane.templates.template import Template

__all__ = ["all_built_in", "built_in_ids", "choose", "from_pasted", "from_source", "load", "reaches"]

_WRITTEN = {"ollama": "ollama:name or ollama:name:tag", "hf": "hf:owner/name"}
"""How a REF that begins so goes on."""


def built_in_ids() -> tuple[str, ...]:
    """The ids of the built-in templates, in alphabetical order."""
    return built_in.ids()


def all_built_in() -> tuple[Template, ...]:
    """Every built-in template, in the order of `built_in_ids`."""
    return tuple(built_in.load(id) for id in built_in.ids())


def load(ref: str, name: str = "", reach: Reach | None = None) -> Template:
    """The template that `ref` stands for, by the first source that accepts it; `name` picks a named one.

    reach: what sources of the network ask with; they may wait as long as it does.
    Raises ThinkpaneError, kind "file" (missing, unreadable, too long, no text) or "template_source" (no source takes
    such a REF, its content holds no template, or it lies on the network and there is no `reach`), and what
    `reach.ask` raises.
    """
    if reach is None and is_network_path(ref):
        raise source_problem(f"“{ref}” lies on another machine, and nothing is read there unasked.")
    for source in all_sources():
        if source.accepts(ref):
            return source.load(ref, name, reach)
    raise source_problem(_nothing_takes(ref))


def reaches(ref: str) -> bool:
    """Whether the template of `ref` lies on the network, so that loading it needs a `reach` and may take long."""
    if is_network_path(ref):
        return True
    return next((source.reaches for source in all_sources() if source.accepts(ref)), False)


def from_source(text: str, *, id: str = "") -> Template:
    """A template of a text that was pasted or typed; `id` names it where a name is needed."""
    return Template(id=id, source=text, title=id or "Pasted template")


def from_pasted(text: str, *, id: str = "") -> Template:
    """A template of pasted text, JSON that holds one included; its `notes` say what looks damaged (repair.py).

    Raises ThinkpaneError (kind "template_source") where such JSON is malformed.
    """
    return pasted.template_of(text, id)


def _nothing_takes(ref: str) -> str:
    scheme = ref.partition(":")[0]
    if scheme in _WRITTEN and ":" in ref:
        return f"“{ref}” names no template: it is written {_WRITTEN[scheme]}."
    near = get_close_matches(ref, built_in.ids(), n=1)
    if near:
        return f"There is no template “{ref}”; did you mean “{near[0]}”?"
    path = local_path(ref)
    known = "; ".join(source.takes for source in all_sources())
    if path is not None and is_there(path):
        return f"“{ref}” is none of the files a template is read from: {known}."
    return (
        f"There is no template “{ref}”. A template is given as one of: {known}. Built in: {', '.join(built_in.ids())}."
    )
