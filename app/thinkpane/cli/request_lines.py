"""One line of `request --jsonl` as a request (docs/cli.md, jsonl in)."""

from dataclasses import replace
from typing import cast

from thinkpane.cli.job_lines import request_of_line as render_of_line
from thinkpane.cli.request_forms import as_json
from thinkpane.conversation.conversation import conversation_from_body
from thinkpane.endpoints.dialects._api import Call, Dialect
from thinkpane.endpoints.dialects._registry import dialect_named
from thinkpane.endpoints.profile import Endpoint
from thinkpane.endpoints.variant_table import variant_named
from thinkpane.engine.host import Engine
from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats.json_values import JsonObject, JsonValue
from thinkpane.runs.calls import request_for

DEFAULT_BASE_URL = "http://127.0.0.1:8080/v1"
"""Where a line that names no server is sent: llama.cpp's usual port."""


def request_of_line(line: JsonObject, engine: Engine) -> JsonObject:
    """The request that a line asks for, as JSON. Raises ThinkpaneError for what it lacks or has in a wrong shape."""
    dialect = dialect_named(_text(line, "api"))
    base_url = _text(line, "base_url", DEFAULT_BASE_URL)
    call = _raw(line, dialect, engine) if dialect.path == "raw" else _chat(line)
    server, notes = _server(line)
    request = request_for(Endpoint("", dialect.name, base_url, variant=server), dialect, call)
    request = replace(request, warnings=(*notes, *request.warnings))
    if dialect.path == "raw" and (line.get("thinking") is not None or line.get("effort") is not None):
        sentence = "On the raw path the template decides about thinking: set the variable that it reads."
        request = replace(request, warnings=(*request.warnings, Problem("thinking-not-sent", sentence)))
    return as_json(request, has_key=False)


def _server(line: JsonObject) -> tuple[str, list[Problem]]:
    """The variant that a line's `server` names; an unknown server is taken for any, and told."""
    server = _text(line, "server", "")
    try:
        variant_named(server)
    except ThinkpaneError as unknown:
        return "generic", [Problem("server-unknown", unknown.problem.message)]
    return server, []


def _raw(line: JsonObject, dialect: Dialect, engine: Engine) -> Call:
    prompt = line.get("prompt")
    if not isinstance(prompt, str):
        if line.get("template") is None:
            sentence = f"{dialect.name} sends a rendered prompt: give “template” and “messages”, or “prompt”."
            raise ThinkpaneError(Problem("request", sentence, field="template"))
        rendered = engine.render(render_of_line(line | {"kwargs": _object(line, "variables")}, engine))
        if rendered.problem is not None:
            raise ThinkpaneError(rendered.problem)
        prompt = cast("str", rendered.text)
    return Call(
        "raw", _text(line, "model", ""), prompt=prompt, params=_object(line, "params"), stream=_flag(line, "stream")
    )


def _chat(line: JsonObject) -> Call:
    body: JsonObject = {name: line[name] for name in ("messages", "tools", "documents") if name in line}
    conversation = conversation_from_body({"messages": [], **body})
    thinking, effort = _thinking(line.get("thinking"))
    options = _object(line, "options")
    return Call(
        "chat",
        _text(line, "model", ""),
        messages=conversation.messages_value(),
        tools=conversation.tools_value(),
        documents=conversation.documents_value(),
        variables=_object(line, "variables"),
        thinking=thinking,
        effort=_text(line, "effort", "") or effort,
        params=_object(line, "params"),
        extra_body=_object(options, "extra_body"),
        stream=_flag(line, "stream"),
        reasoning_in_history=_flag(options, "send_reasoning_in_history"),
        continue_final=_continued(line.get("continue_final_message")),
    )


def _continued(value: JsonValue) -> bool | str:
    if value is None or isinstance(value, bool | str):
        return value or False
    raise _wrong("continue_final_message", "true, false or a field's name")


def _thinking(value: JsonValue) -> tuple[bool | None, str | None]:
    """On, off or an effort, as true, "on", {"type": "enabled"} or a word."""
    if value is None or isinstance(value, bool):
        return value, None
    if isinstance(value, dict):
        kind, effort = value.get("type"), value.get("effort")
        return _thinking(kind)[0] if kind is not None else None, effort if isinstance(effort, str) else None
    known = {"on": True, "enabled": True, "adaptive": True, "off": False, "disabled": False, "none": False}
    if isinstance(value, str):
        return (known[value], None) if value in known else (None, value)
    raise _wrong("thinking", "on, off or an effort")


def _flag(line: JsonObject, name: str) -> bool:
    value = line.get(name)
    if value is None or isinstance(value, bool):
        return value is not False
    raise _wrong(name, "true or false")


def _text(line: JsonObject, name: str, default: str | None = None) -> str:
    value = line.get(name)
    if isinstance(value, str):
        return value
    if value is None and default is not None:
        return default
    raise _wrong(name, "text")


def _object(line: JsonObject, name: str) -> JsonObject:
    value = line.get(name)
    if value is None:
        return {}
    if isinstance(value, dict):
        return value
    raise _wrong(name, "an object")


def _wrong(name: str, what: str) -> ThinkpaneError:
    return ThinkpaneError(Problem("request", f"“{name}” must be {what}.", field=name))
