"""What a run asks of an endpoint."""

from thinkpane.conversation.conversation import conversation_from_body
from thinkpane.endpoints.dialects._api import Call
from thinkpane.endpoints.dialects._registry import dialect_named
from thinkpane.endpoints.profile import Endpoint
from thinkpane.endpoints.variants import GENERIC
from thinkpane.formats.json_values import JsonObject, JsonValue
from thinkpane.prompt.job import PromptJob, prepare
from thinkpane.prompt.steps import Explicit
from thinkpane.runs.calls import chat_call, raw_call, request_for, variant_of
from thinkpane.templates.library import from_source

BODY: JsonObject = {
    "messages": [{"role": "user", "content": "q", "odd": 1}],
    "tools": [{"type": "function", "function": {"name": "f"}}],
    "tool_choice": "required",
    "odd_option": 1,
    "chat_template_kwargs": {"stale": 1},
    "stream": False,
}


def test_the_chat_path_sends_the_conversation_the_decision_and_foreign_keys() -> None:
    job = PromptJob(
        from_source("{{ messages }}"), conversation_from_body(BODY), explicit=Explicit(False, "low"), carry=False
    )
    call = chat_call(prepare(job), model="m", variables={"tier": "L3"}, params={"seed": 1})
    assert (call.path, call.model, call.messages, call.tools) == ("chat", "m", BODY["messages"], BODY["tools"])
    assert (call.thinking, call.effort, call.variables) == (False, "low", {"tier": "L3"})
    assert call.params == {"tool_choice": "required", "seed": 1}
    assert call.extra_body == {"odd_option": 1}
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


def test_the_variant_is_the_named_one_else_the_addresss_with_its_edits() -> None:
    assert variant_of(Endpoint("e", "openai-chat", "https://api.deepseek.com")).name == "deepseek"
    assert variant_of(Endpoint("e", "openai-chat", "https://api.deepseek.com", variant="vllm")).name == "vllm"
    assert variant_of(Endpoint("e", "openai-chat", "https://api.deepseek.com", variant="generic")) == GENERIC
    endpoint = Endpoint("e", "openai-chat", "http://h", variant="deepseek", variant_edits={"off": {"think": 0}})
    call = Call("chat", messages=[], thinking=False)
    assert request_for(endpoint, dialect_named("openai-chat"), call).body["think"] == 0


def test_a_message_to_be_continued_is_continued_on_the_chat_path_too() -> None:
    body: JsonObject = {"messages": [{"role": "user", "content": "q"}, {"role": "assistant", "content": "The"}]}
    job = PromptJob(from_source("x"), conversation_from_body(body), continue_final_message=True)
    assert chat_call(prepare(job), model="m", variables={}, params={}).continue_final is True


def test_a_body_that_wants_no_generation_prompt_says_so_on_the_chat_path() -> None:
    option: JsonObject = {"add_generation_prompt": False}
    bodies: tuple[JsonObject, ...] = (option, {"chat_template_kwargs": option})
    for carried in bodies:
        talk = conversation_from_body({"messages": BODY["messages"], **carried})
        job = PromptJob(from_source("{{ messages }}"), talk, add_generation_prompt=False, carry=False)
        call = chat_call(prepare(job), model="m", variables={}, params={})
        assert call.extra_body == {"add_generation_prompt": False}


def test_continuing_is_said_in_the_servers_way_alone() -> None:
    messages: list[JsonValue] = [{"role": "user", "content": "q"}, {"role": "assistant", "content": "a"}]
    options: JsonObject = {"add_generation_prompt": False, "continue_final_message": True}
    talk = conversation_from_body({"messages": messages, **options})
    job = PromptJob(from_source("{{ messages }}"), talk, continue_final_message=True, carry=False)
    call = chat_call(prepare(job), model="m", variables={}, params={})
    assert call.extra_body == {}
    assert call.continue_final is True


def test_the_raw_path_knows_the_older_name_of_the_limit() -> None:
    call = raw_call("p", model="", params={"max_completion_tokens": 9, "seed": 1})
    assert call.params == {"max_tokens": 9, "seed": 1}
    assert raw_call("p", model="", params={"max_completion_tokens": 9, "max_tokens": 5}).params == {"max_tokens": 5}
