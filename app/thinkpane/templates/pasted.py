"""A template from text that was pasted: Jinja as it is, or a JSON object that holds one."""

from dataclasses import replace

from thinkpane.errors import ThinkpaneError
from thinkpane.formats import strict_json
from thinkpane.formats.json_values import JsonObject
from thinkpane.templates.named import of_templates
from thinkpane.templates.repair import inspect
from thinkpane.templates.template import Template
from thinkpane.templates.tokenizer_config import special_tokens, templates_in, token_variables

TITLE = "Pasted template"


def template_of(text: str, id: str = "") -> Template:
    """The template in `text`. Jinja is taken exactly as it stands; `notes` say what looks damaged in it (repair.py).

    A JSON object with a `chat_template`, as tokenizer_config.json and a server's /props are, gives its templates and
    tokens. Raises ThinkpaneError (kind "template_source") where that key holds no template.
    """
    held = _object(text)
    if held is None or held.get("chat_template") is None:
        notes = tuple(damage.sentence for damage in inspect(text))
        return Template(id=id, source=text, title=id or TITLE, notes=notes)
    found = of_templates(
        id,
        templates_in(held, TITLE),
        "",
        title=id or TITLE,
        origin="pasted JSON",
        variables=token_variables(held),
        special_tokens=special_tokens(held),
        tokens_from="the pasted JSON",
    )
    return replace(found, notes=tuple(damage.sentence for damage in inspect(found.source)))


def _object(text: str) -> JsonObject | None:
    if not text.lstrip().startswith("{"):
        return None
    try:
        value = strict_json.parse(text)
    except ThinkpaneError:
        return None
    return value if isinstance(value, dict) else None
