"""A model of a running Ollama: `POST /api/show`. Its template is Go's, which is shown and not rendered."""

from dataclasses import replace

from thinkpane.formats.json_values import JsonObject
from thinkpane.templates.context_length import of_model_info
from thinkpane.templates.files import source_problem
from thinkpane.templates.ollama import go_or_jinja
from thinkpane.templates.reach import Reach, read_json, required
from thinkpane.templates.server_url import ServerUrl, is_server, parse
from thinkpane.templates.sources._api import TemplateSource
from thinkpane.templates.template import Template

_KIND = "ollama"


class _OllamaServer:
    name = "ollama-server"
    takes = "a model of a running Ollama (ollama+http://host:port#model)"
    reaches = True

    def accepts(self, ref: str) -> bool:
        return is_server(ref, _KIND)

    def load(self, ref: str, name: str, reach: Reach | None = None) -> Template:
        found = required(reach, ref)
        server = parse(ref, _KIND)
        if not server.model:
            raise source_problem(f"Name the model after #, for example {_offered(found, server)}.")
        url = f"{server.base}/api/show"
        answer = read_json(found, url, {"model": server.model})
        made = go_or_jinja(ref, _text(answer), name, title=server.model, origin=url)
        info = answer.get("model_info")
        return replace(made, context=of_model_info(info) if isinstance(info, dict) else None)


def _text(answer: JsonObject) -> str:
    value = answer.get("template")
    return value if isinstance(value, str) else ""


def _offered(reach: Reach, server: ServerUrl) -> str:
    listed = read_json(reach, f"{server.base}/api/tags").get("models")
    names = [each.get("name") for each in listed if isinstance(each, dict)] if isinstance(listed, list) else []
    shown = [f"{_KIND}+{server.base}#{name}" for name in names[:5] if isinstance(name, str)]
    return ", ".join(shown) or f"{_KIND}+{server.base}#qwen3:8b"


SOURCE: TemplateSource = _OllamaServer()
