"""Our prompt against a server's: every server's question, what makes them differ, and when it cannot be told."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from support.patience import PATIENCE
from support.server_answers import LLAMACPP, Answers, Given
from thinkpane.conversation.conversation import Conversation, conversation_from_body
from thinkpane.endpoints.profile import Endpoint
from thinkpane.engine.host import Engine
from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats.json_values import JsonValue
from thinkpane.prompt.job import PromptJob
from thinkpane.runs.parity import Parity, compare
from thinkpane.templates.library import from_source

SOURCE = (
    "{{ bos_token }}{% if enable_thinking %}[on]{% endif %}{% for m in messages %}<|{{ m.role }}|>{{ m.content }}\n"
    "{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}"
)
PROMPT = "<|user|>hi\n<|assistant|>"


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    engine = Engine(deadline=PATIENCE)
    yield engine
    engine.close()


def conversation() -> Conversation:
    return conversation_from_body({"messages": [{"role": "user", "content": "hi"}]})


def job(source: str = SOURCE, **more: Any) -> PromptJob:
    return replace(PromptJob(from_source(source), conversation(), variables={"bos_token": ""}), **more)


def compared(engine: Engine, by_path: dict[str, Given], asked: PromptJob, dialect: str = "openai-chat") -> Parity:
    endpoint = Endpoint("e", dialect, "http://127.0.0.1:8080")
    return compare(endpoint, asked, engine, Answers(by_path), model="m", params={})


def llamacpp(prompt: str, template: str = "") -> dict[str, Given]:
    return {"/props": {**LLAMACPP, "chat_template": template}, "/apply-template": {"prompt": prompt}}


def tokens(body: dict[str, Any]) -> dict[str, Any]:
    """A server's tokens: one a character; of messages, those of the prompt that it makes itself."""
    text = body["prompt"] if "prompt" in body else f"<s><|user|>{body['messages'][0]['content']}\n<|assistant|>"
    return {"count": len(text), "tokens": [ord(each) for each in text]}


def text(body: dict[str, Any]) -> dict[str, Any]:
    return {"prompt": "".join(map(chr, body["tokens"]))}


@pytest.mark.parametrize("dialect", ["openai-chat", "openai-completions", "openai-responses", "anthropic", "llamacpp"])
def test_llamacpp_renders_the_body_of_a_chat_request(engine: Engine, dialect: str) -> None:
    found = compared(engine, llamacpp(PROMPT), job(), dialect)
    assert found == Parity("same", PROMPT, PROMPT, server="llama.cpp b1", how="/apply-template")
    assert found.as_json()["same"] is True


@pytest.mark.parametrize(
    ("theirs", "changes", "kind"),
    [
        ("<s>" + PROMPT, {}, "bos"),
        (PROMPT, {"variables": {"bos_token": "<s>"}}, "bos"),
        ("<|user|>hi\n", {}, "generation prompt"),
        (PROMPT, {"add_generation_prompt": False}, "generation prompt"),
        ("[on]" + PROMPT, {"variables": {"bos_token": "<s>"}, "profile": "transformers"}, "defaults"),
        (PROMPT.replace("hi", "ho"), {}, "unknown"),
        (PROMPT.replace("hi", "hi "), {}, "white space"),
        (PROMPT + "\n", {}, "white space"),
    ],
)
def test_causes(engine: Engine, theirs: str, changes: dict[str, Any], kind: str) -> None:
    found = compared(engine, llamacpp(theirs), job(**changes))
    assert (found.verdict, found.cause_kind) == ("differs", kind), found.cause
    assert found.theirs == theirs
    assert found.as_json()["same"] is False


def test_a_default_of_the_server(engine: Engine) -> None:
    theirs = "[thinking is on, says the server]" + PROMPT
    source = SOURCE.replace("[on]", "[thinking is on, says the server]")
    # vLLM's own profile sets nothing, so that the default alone explains it.
    by_path: dict[str, Given] = {
        "/version": {"version": "0.33"},
        "/tokenize": lambda body: tokens({"prompt": body.get("prompt", theirs)}),
        "/detokenize": text,
    }
    found = compared(engine, by_path, job(source, profile="vllm"))
    assert (found.verdict, found.cause_kind) == ("differs", "defaults"), found.cause
    assert "true" in found.cause


def test_the_profile_of_the_server(engine: Engine) -> None:
    source = "{{ tools[0].function.strict is defined }}{{ messages[0].content }}"
    tool: JsonValue = {"type": "function", "function": {"name": "f", "strict": True, "parameters": {}}}
    asked = replace(
        job(source),
        conversation=conversation_from_body({"messages": [{"role": "user", "content": "hi"}], "tools": [tool]}),
    )
    found = compared(engine, llamacpp("Falsehi"), asked)
    assert (found.verdict, found.cause_kind) == ("differs", "profile"), found.cause


def test_the_date(engine: Engine) -> None:
    source = "Today: {{ strftime_now('%d %b %Y') }}.\n" + SOURCE
    found = compared(engine, llamacpp("Today: 30 Nov 2026.\n" + PROMPT), job(source, now="2026-11-29T10:00:00"))
    assert (found.verdict, found.cause_kind) == ("differs", "date"), found.cause


def test_another_template(engine: Engine) -> None:
    found = compared(engine, llamacpp("user: hi", template="{{ messages[0].role }}: …"), job())
    assert (found.verdict, found.cause_kind) == ("differs", "template")


def test_a_decision_that_only_the_chat_request_carries(engine: Engine) -> None:
    conversation = conversation_from_body({"messages": [{"role": "user", "content": "<think off>hi"}]})
    asked = replace(job("{{ enable_thinking }}{{ messages[-1].content }}"), conversation=conversation, carry=False)
    found = compared(engine, llamacpp("Falsehi"), asked)
    assert found.verdict == "differs"
    assert found.cause_kind in ("defaults", "unknown")


@pytest.mark.parametrize("name", ["vllm", "sglang"])
def test_tokens_are_compared_at_the_server(engine: Engine, name: str) -> None:
    vllm: dict[str, Given] = {"/version": {"version": "0.33"}}
    known = vllm if name == "vllm" else {"/get_model_info": {"model_path": "m"}}
    by_path = {**known, "/tokenize": tokens, "/detokenize": text}
    found = compared(engine, by_path, job())
    assert (found.verdict, found.theirs, found.cause_kind) == ("differs", "<s>" + PROMPT, "bos")
    found = compared(engine, by_path, job(variables={"bos_token": "<s>"}))
    assert (found.verdict, found.how) == ("same", "/tokenize")
    found = compared(engine, {**known, "/tokenize": tokens}, job())
    assert (found.verdict, found.theirs) == ("differs", None)


def test_vllm_tells_its_prompt_beside_a_reply(engine: Engine) -> None:
    send = Answers({"/version": {"version": "0.33"}, "/v1/chat/completions": {"choices": [], "prompt_text": PROMPT}})
    endpoint = Endpoint("e", "openai-chat", "http://127.0.0.1:8000/v1", headers={"x-team": "a"})
    found = compare(endpoint, job(), engine, send, model="m", params={"max_tokens": 500})
    assert (found.verdict, found.how) == ("same", "return_prompt_text")
    path, body = send.asked[-1]
    assert path == "/v1/chat/completions"
    assert (body["max_tokens"], body["return_prompt_text"], body["stream"]) == (1, True, False)
    assert ("x-team", "a") in send.requests[-1].headers


def test_ollama_renders_only(engine: Engine) -> None:
    by_path: dict[str, Given] = {
        "/api/version": {"version": "0.14"},
        "/api/chat": lambda body: {"_debug_info": {"rendered_template": PROMPT}} if body["_debug_render_only"] else {},
    }
    for dialect in ("ollama", "ollama-generate", "openai-chat"):
        found = compared(engine, by_path, job(), dialect)
        assert (found.verdict, found.server, found.how) == ("same", "Ollama 0.14", "_debug_render_only")


@pytest.mark.parametrize(
    ("by_path", "said"),
    [
        ({}, "does not tell"),
        ({"/props": LLAMACPP, "/apply-template": {"hm": 1}}, "without a prompt"),
        ({"/props": LLAMACPP, "/apply-template": (500, {"error": {"message": "no luck"}})}, "no luck"),
        ({"/version": {"version": "1"}, "/tokenize": {"hm": 1}}, "without tokens"),
        ({"/version": {"version": "1"}, "/v1/chat/completions": {"choices": []}}, "return_prompt_text"),
        ({"/get_model_info": {}}, "closed"),
        ({"/get_model_info": {}, "/tokenize": (400, {"message": "prompt is missing"})}, "takes no messages"),
        ({"/api/version": {"version": "0.3"}, "/api/chat": {"message": {"content": "hi"}}}, "_debug_render_only"),
        ({"/props": (401, {"error": {"message": "Invalid API Key"}})}, "Invalid API Key"),
    ],
)
def test_what_cannot_be_told(engine: Engine, by_path: dict[str, Given], said: str) -> None:
    found = compared(engine, by_path, job())
    assert (found.verdict, found.theirs) == ("unknown", None)
    assert said in found.cause
    assert found.as_json()["same"] is None


def test_hosted_services_are_not_asked(engine: Engine) -> None:
    send = Answers({})
    found = compare(
        Endpoint("e", "openai-chat", "https://api.openai.com/v1"), job(), engine, send, model="m", params={}
    )
    assert (found.verdict, send.asked) == ("unknown", [])
    assert found.cause == "OpenAI does not tell which prompt it makes of messages."


def test_without_an_answer(engine: Engine) -> None:
    def send(_request: object) -> Any:
        raise ThinkpaneError(Problem("network", "Nothing answers."))

    endpoint = Endpoint("e", "openai-chat", "http://127.0.0.1:1")
    assert compare(endpoint, job(), engine, send, model="m", params={}).cause == "Nothing answers."


def test_our_own_prompt_fails(engine: Engine) -> None:
    with pytest.raises(ThinkpaneError, match="not so"):
        compared(engine, llamacpp(PROMPT), job("{{ raise_exception('not so') }}"))
