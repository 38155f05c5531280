"""What a run asks of an endpoint."""

from thinkpane.conversation.conversation import conversation_from_body
from thinkpane.endpoints.dialects._registry import dialect_named
from thinkpane.endpoints.profile import Endpoint
from thinkpane.formats.json_values import JsonObject
from thinkpane.prompt.job import PromptJob, prepare
from thinkpane.prompt.steps import Explicit
from thinkpane.runs.calls import chat_call, raw_call, request_for
from thinkpane.templates.library import from_source

BODY: JsonObject = {
    "messages": [{"role": "user", "content": "q", "odd": 1}],
    "tools": [{"type": "function", "function": {"name": "f"}}],
    "tool_choice": "required",
    "chat_template_kwargs": {"stale": 1},
    "stream": False,
}


def test_the_chat_path_sends_the_conversation_the_decision_and_foreign_keys() -> None:
    job = PromptJob(
        from_source("{{ messages }}"), conversation_from_body(BODY), explicit=Explicit(False, "low"), carry=False
    )
    call = chat_call(prepare(job), model="m", variables={"tier": "L3"}, params={"seed": 1})
    assert (call.path, call.model, call.messages, call.tools) == ("chat", "m", BODY["messages"], BODY["tools"])
    assert (call.thinking, call.effort, call.variables, call.params) == (False, "low", {"tier": "L3"}, {"seed": 1})
    assert call.extra_body == {"tool_choice": "required"}
    assert call.stream


def test_the_raw_path_sends_the_prompt_exactly() -> None:
    call = raw_call(" \r\np\u2028", model="", params={}, stream=False)
    assert (call.path, call.prompt, call.messages, call.stream) == ("raw", " \r\np\u2028", None, False)


def test_the_endpoint_adds_its_headers_and_body() -> None:
    endpoint = Endpoint("e", "openai-completions", "http://h:1", headers={"X-Team": "a"}, extra_body={"cache": True})
    request = request_for(endpoint, dialect_named("openai-completions"), raw_call("p", model="", params={}))
    assert ("X-Team", "a") in request.headers
    assert request.body["cache"] is True
    assert request.body["prompt"] == "p"
