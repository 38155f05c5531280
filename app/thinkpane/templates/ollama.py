"""Ollama's two kinds of templates: its own in Go's syntax, and the Jinja one inside the model's GGUF file."""

from dataclasses import replace

from thinkpane.templates.named import of_templates
from thinkpane.templates.template import GO, FoundTemplate, Template
from thinkpane.templates.tokenizer_config import DEFAULT

NOT_RENDERED = "This is Ollama's own template, in Go's syntax: it is shown, not rendered."
EITHER = "Ollama may use its own template, in Go's syntax, instead of this one from the GGUF file."


def go_or_jinja(ref: str, text: str, name: str, *, title: str, origin: str) -> Template:
    """The template of a text that Ollama names; Go has no `{%`, so a text with one is Jinja.

    Raises ThinkpaneError (kind "template_source") where there is no text, or a named template is asked for.
    """
    template = of_templates(
        ref,
        {DEFAULT: text} if text.strip() else {},
        name,
        title=title,
        origin=origin,
        variables={},
        special_tokens=(),
    )
    if "{%" in text:
        return template
    return replace(template, syntax=GO, found=(FoundTemplate(origin, DEFAULT, text, GO),), notes=(NOT_RENDERED,))


def with_go_text(template: Template, text: str, place: str) -> Template:
    """The Jinja template of a model's GGUF file, with Ollama's own text shown beside it."""
    inside = FoundTemplate(template.origin, DEFAULT, template.source)
    return replace(template, found=(inside, FoundTemplate(place, DEFAULT, text, GO)), notes=(*template.notes, EITHER))
