"""One line of `render --jsonl` as a render request (docs/cli.md, jsonl in)."""

from dataclasses import replace
from functools import lru_cache

from thinkpane.conversation.conversation import conversation_from_body
from thinkpane.engine.request import RenderRequest
from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats.json_values import JsonObject, JsonValue
from thinkpane.prompt.job import PromptJob, prepare
from thinkpane.prompt.profiles._api import Facts
from thinkpane.templates.library import from_source, load
from thinkpane.templates.template import Template
from thinkpane.workspace.body_variables import split_options

_BODY: tuple[str, ...] = ("messages", "tools", "documents")


def request_of_line(line: JsonObject, facts: Facts) -> RenderRequest:
    """What is rendered for a line. facts: for runtime profiles, as in `prepare`.

    Raises ThinkpaneError for what the line lacks or has in a wrong shape, and what preparing raises.
    """
    return request_of_job(job_of_line(line), line, facts)


def request_of_job(job: PromptJob, line: JsonObject, facts: Facts) -> RenderRequest:
    """What is rendered for the job of a line; as in `request_of_line`."""
    request = prepare(job, facts).request
    # A conversation without tools has none; a line that says [] means the empty list, which templates can tell apart.
    return replace(
        request,
        tools=[] if line.get("tools") == [] else request.tools,
        documents=[] if line.get("documents") == [] else request.documents,
    )


def job_of_line(line: JsonObject) -> PromptJob:
    """The job that a line describes. Raises ThinkpaneError for what it lacks or has in a wrong shape."""
    kwargs = line.get("kwargs")
    if kwargs is not None and not isinstance(kwargs, dict):
        raise _wrong("kwargs", "an object")
    variables, options = split_options(kwargs or {})
    options |= {name: line[name] for name in ("add_generation_prompt", "continue_final_message") if name in line}
    generate, continued = options.get("add_generation_prompt"), options.get("continue_final_message")
    if generate is not None and not isinstance(generate, bool):
        raise _wrong("add_generation_prompt", "true or false")
    if continued is not None and not isinstance(continued, bool | str):
        raise _wrong("continue_final_message", "true, false or a field's name")
    body: JsonObject = {name: line[name] for name in _BODY if name in line}
    return PromptJob(
        template=_template(line.get("template")),
        conversation=conversation_from_body(body),
        template_name=_text(line, "template_name") or "",
        variables=variables,
        steps=None,
        profile=_text(line, "profile") or "transformers",
        add_generation_prompt=generate,
        continue_final_message=continued or False,
        now=_text(line, "now"),
    )


def _template(value: JsonValue) -> Template:
    if isinstance(value, str):
        return _loaded(value)
    if isinstance(value, dict) and isinstance(source := value.get("source"), str):
        return from_source(source)
    raise _wrong("template", "a REF or {“source”: text}")


@lru_cache(maxsize=16)
def _loaded(ref: str) -> Template:
    return load(ref)


def _text(line: JsonObject, name: str) -> str | None:
    value = line.get(name)
    if value is None or isinstance(value, str):
        return value
    raise _wrong(name, "text")


def _wrong(name: str, what: str) -> ThinkpaneError:
    return ThinkpaneError(Problem("request", f"“{name}” must be {what}.", field=name))
