"""Templates that come with others of the same model, and which of them is taken."""

from collections.abc import Mapping

from thinkpane.formats.json_values import JsonValue
from thinkpane.templates.files import source_problem
from thinkpane.templates.template import JINJA, FoundTemplate, Template
from thinkpane.templates.tokenizer_config import DEFAULT

TOOL_USE = "tool_use"


def of_templates(
    id: str,
    templates: Mapping[str, str],
    name: str,
    *,
    title: str,
    origin: str,
    variables: Mapping[str, JsonValue],
    special_tokens: tuple[str, ...],
    tokens_from: str = "",
) -> Template:
    """The Template of one or more texts by name.

    `source` is the one called `name`; with name "" the default, or the first where none is called so (`choose` says
    then whether one may be taken at all). A single default is a plain template with an empty `named`.
    Raises ThinkpaneError (kind "template_source") where `name` is unknown or there is no text at all.
    """
    if not templates:
        raise source_problem(f"“{origin}” holds no chat template.")
    if name and name not in templates:
        raise _unknown(name, title, templates)
    return Template(
        id=id,
        source=templates[name or (DEFAULT if DEFAULT in templates else next(iter(templates)))],
        title=title,
        origin=origin,
        named={} if list(templates) == [DEFAULT] else dict(templates),
        variables=variables,
        special_tokens=special_tokens,
        tokens_from=tokens_from if variables or special_tokens else "",
    )


def found_texts(template: Template) -> tuple[FoundTemplate, ...]:
    """Every text the source holds, in its order; of one that lists none, the named ones, else the only one."""
    if template.found:
        return template.found
    place = template.origin or template.title or template.id
    named = template.named or {DEFAULT: template.source}
    return tuple(FoundTemplate(place, name, text, template.syntax) for name, text in named.items())


def choose(template: Template, name: str, has_tools: bool) -> str:
    """The text to render: the one called `name`, else "tool_use" where there are tools, else "default".

    The order is transformers' (`get_chat_template`). Raises ThinkpaneError (kind "template_source") where `name` is
    unknown, where none is named and there is no default, or where the template is no Jinja.
    """
    if template.syntax != JINJA:
        raise source_problem(
            f"“{template.title or template.id}” has only Ollama's own template, in Go's syntax: it can be read here, "
            "not rendered. Open the model's GGUF file or its Hub repository for the Jinja one."
        )
    if not template.named:
        if name not in ("", DEFAULT):
            raise _unknown(name, template.title or template.id, {DEFAULT: template.source})
        return template.source
    if name:
        if name not in template.named:
            raise _unknown(name, template.title or template.id, template.named)
        return template.named[name]
    if has_tools and TOOL_USE in template.named:
        return template.named[TOOL_USE]
    if DEFAULT in template.named:
        return template.named[DEFAULT]
    raise source_problem(
        f"“{template.title or template.id}” has several templates and no default; name one of: {_list(template.named)}."
    )


def _unknown(name: str, title: str, templates: Mapping[str, str]) -> Exception:
    return source_problem(f"“{title}” has no template called “{name}”; it has: {_list(templates)}.")


def _list(templates: Mapping[str, str]) -> str:
    return ", ".join(sorted(templates))
