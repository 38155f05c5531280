"""Templates with their controls found and proven, once a session each: what the window works with."""

from dataclasses import replace
from functools import cache

from thinkpane.analysis.discovery import Discovery, discover
from thinkpane.engine.host import Engine
from thinkpane.engine.template_facts import TemplateFacts, facts_from_json
from thinkpane.templates import built_in
from thinkpane.templates.template import Template


def facts_of(engine: Engine, source: str) -> TemplateFacts:
    """The facts of a template's text."""
    return facts_from_json(engine.about("facts", source))


@cache
def discovered(engine: Engine, id: str, bare: bool = False) -> Discovery:
    """A built-in template's discovery; bare: without anything that its template.toml says of controls."""
    template = undeclared(built_in.load(id)) if bare else built_in.load(id)
    return discover(template, facts_of(engine, template.source), engine.render_many)


def undeclared(template: Template) -> Template:
    """The template as if its file had no template.toml beside it, but for the special tokens."""
    return replace(template, candidates=(), tags=(), tiers=(), thinking=None)
