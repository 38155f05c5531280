"""What a run asks of an endpoint: the prompt as it is shown, or what the steps made of the messages."""

from collections.abc import Mapping
from dataclasses import replace

from thinkpane.endpoints.dialects._api import Call, Dialect, HttpRequest
from thinkpane.endpoints.dialects._params import COMMON_NAMES
from thinkpane.endpoints.profile import Endpoint
from thinkpane.endpoints.variant_table import variant_for, variant_named
from thinkpane.endpoints.variants import Variant, edited
from thinkpane.formats.json_values import JsonValue
from thinkpane.prompt.job import Prepared
from thinkpane.runs.local_files import with_local_files

# A body's own template variables are the document's by now, and whether to stream is said by the run.
_GENERATE = "add_generation_prompt"
_NOT_REPEATED = ("chat_template_kwargs", "stream", "stream_options")


def raw_call(prompt: str, *, model: str, params: Mapping[str, JsonValue], stream: bool = True) -> Call:
    """The raw path: exactly `prompt`."""
    limit = params.get("max_completion_tokens")
    if limit is not None:
        # The chat wire's newer name, which no raw one knows.
        rest = {name: value for name, value in params.items() if name != "max_completion_tokens"}
        params = {"max_tokens": limit} | rest
    return Call("raw", model, prompt=prompt, params=params, stream=stream)


def chat_call(
    prepared: Prepared,
    *,
    model: str,
    variables: Mapping[str, JsonValue],
    params: Mapping[str, JsonValue],
    stream: bool = True,
) -> Call:
    """The chat path: the conversation after the steps, and their decision about thinking.

    variables: the document's own; the server adds what comes with its template. The runtime profile is left out: what
    it shows is what the server itself will do. Sampling and choices in the body are parameters like those that are set,
    so that a dialect can say them in its own way; other keys that are none of ours are sent as they stand.
    """
    conversation = prepared.steps.conversation
    rest = {key: value for key, value in conversation.extra.items() if key not in _NOT_REPEATED}
    if model:
        # The call says it; laid over that, the body's would go before the one that a person chose.
        rest.pop("model", None)
    carried = conversation.extra.get("chat_template_kwargs")
    if isinstance(carried, dict) and isinstance(carried.get(_GENERATE), bool):
        rest.setdefault(_GENERATE, carried[_GENERATE])
    if prepared.continue_final:
        # The dialect says it in the server's own way.
        rest = {key: value for key, value in rest.items() if key not in (_GENERATE, "continue_final_message")}
    return Call(
        "chat",
        model,
        messages=conversation.messages_value(),
        tools=conversation.tools_value(),
        documents=conversation.documents_value(),
        variables=variables,
        thinking=prepared.steps.thinking,
        effort=prepared.steps.effort,
        params={key: value for key, value in rest.items() if key in COMMON_NAMES} | dict(params),
        extra_body={key: value for key, value in rest.items() if key not in COMMON_NAMES},
        stream=stream,
        continue_final=prepared.continue_final,
    )


def request_for(endpoint: Endpoint, dialect: Dialect, call: Call) -> HttpRequest:
    """The request that goes out, the endpoint's own headers and extra body in it; complete but for the key.

    Local files that the messages point at are read and go along.

    Raises ThinkpaneError where the call cannot be made in this dialect, where such a file cannot be sent, and where
    the endpoint's variant is none.
    """
    call, notes = with_local_files(call)
    whole = replace(call, variant=variant_of(endpoint), extra_body={**call.extra_body, **endpoint.extra_body})
    request = dialect.request(endpoint.base_url, whole)
    headers = (*request.headers, *endpoint.headers.items())
    warnings = (*notes, *request.warnings)
    return replace(request, headers=headers, warnings=warnings, connection=endpoint.connection)


def variant_of(endpoint: Endpoint) -> Variant:
    """The endpoint's variant: the one it names, else its address's, with the fields that were set otherwise.

    Raises ThinkpaneError (kind "variant") for an unknown name or field.
    """
    found = variant_named(endpoint.variant) if endpoint.variant else variant_for(endpoint.base_url)
    return edited(found, endpoint.variant_edits) if endpoint.variant_edits else found
