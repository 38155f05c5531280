"""A running llama.cpp server: the templates and tokens its `GET /props` names."""

from dataclasses import replace
from urllib.parse import quote

from thinkpane.errors import ThinkpaneError
from thinkpane.formats.json_values import JsonObject
from thinkpane.templates.context_length import of_props
from thinkpane.templates.files import source_problem
from thinkpane.templates.named import TOOL_USE, of_templates
from thinkpane.templates.reach import Reach, read_json, required
from thinkpane.templates.server_url import is_server, parse
from thinkpane.templates.sources._api import TemplateSource
from thinkpane.templates.template import Template
from thinkpane.templates.tokenizer_config import DEFAULT

_KEYS = {DEFAULT: "chat_template", TOOL_USE: "chat_template_tool_use"}
_KIND = "llamacpp"


class _LlamaCppServer:
    name = "llamacpp-server"
    takes = "a llama.cpp server's URL (http://host:port)"
    reaches = True

    def accepts(self, ref: str) -> bool:
        return is_server(ref) or is_server(ref, _KIND)

    def load(self, ref: str, name: str, reach: Reach | None = None) -> Template:
        found = required(reach, ref)
        server = parse(ref, _KIND)
        url = f"{server.base}/props" + (f"?model={quote(server.model, safe='')}" if server.model else "")
        try:
            props = read_json(found, url)
        except ThinkpaneError as fault:
            if fault.problem.detail.get("status") != 404:
                raise
            raise source_problem(
                f"“{server.base}” has no /props; only llama.cpp's server tells its template."
            ) from None
        tokens = {key: text for key in ("bos_token", "eos_token") if (text := _text(props, key))}
        made = of_templates(
            ref,
            {called: text for called, key in _KEYS.items() if (text := _text(props, key))},
            name,
            title=_title(props) or server.host,
            origin=url,
            variables=dict(tokens),
            special_tokens=tuple(dict.fromkeys(tokens.values())),
            tokens_from="the server's /props",
        )
        return replace(made, context=of_props(props))


def _text(props: JsonObject, key: str) -> str:
    value = props.get(key)
    return value if isinstance(value, str) else ""


def _title(props: JsonObject) -> str:
    return _text(props, "model_alias") or _text(props, "model_path").replace("\\", "/").rpartition("/")[2]


SOURCE: TemplateSource = _LlamaCppServer()
