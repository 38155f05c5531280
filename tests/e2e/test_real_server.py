"""A real llama.cpp server: what no fake of ours can vouch for. Its model is tiny, so its words are never asserted."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest

from support.llama_server import MISSING, MODEL_NAME, PATIENCE, LlamaServer, model_file
from support.think_template import THINK
from thinkpane.conversation.conversation import conversation_from_body
from thinkpane.endpoints.asking import sending
from thinkpane.endpoints.client import Client
from thinkpane.endpoints.deadlines import Deadlines
from thinkpane.endpoints.dialects._api import Call
from thinkpane.endpoints.dialects._registry import dialect_named
from thinkpane.endpoints.probe import Finding, probe
from thinkpane.endpoints.profile import Endpoint
from thinkpane.endpoints.server import Server
from thinkpane.endpoints.server_kind import server_kind
from thinkpane.endpoints.variant_table import variant_named
from thinkpane.engine.host import Engine
from thinkpane.engine.request import RenderRequest
from thinkpane.formats.json_values import JsonObject, JsonValue
from thinkpane.prompt.job import PromptJob
from thinkpane.runs.calls import raw_call
from thinkpane.runs.parity import compare
from thinkpane.runs.reading import decode_options
from thinkpane.runs.run import Run
from thinkpane.runs.runner import Runner
from thinkpane.streaming.events import AnswerDelta, Event, ThinkingDelta
from thinkpane.templates.library import from_source

pytestmark = [pytest.mark.real_server, pytest.mark.skipif(model_file() is None, reason=MISSING)]

QUESTION: JsonValue = [{"role": "user", "content": "Write a short story about a lighthouse."}]
STEADY: JsonObject = {"temperature": 0.0, "seed": 1}

Start = Callable[..., Run]
PATIENT = Deadlines(headers=PATIENCE, idle=PATIENCE)


@pytest.fixture(scope="module")
def plain() -> Iterator[LlamaServer]:
    """With the model's own template."""
    with LlamaServer() as server:
        yield server


@pytest.fixture(scope="module")
def thoughtful(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LlamaServer]:
    """With a template that opens thinking."""
    file: Path = tmp_path_factory.mktemp("template") / "think.jinja"
    file.write_text(THINK, encoding="utf-8")
    with LlamaServer(file) as server:
        yield server


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    engine = Engine(deadline=PATIENCE)
    yield engine
    engine.close()


@pytest.fixture
def start() -> Iterator[Start]:
    """Starts a run of `call` at a server, in a dialect."""
    runner = Runner(Client)
    deadlines = Deadlines(headers=PATIENCE, idle=PATIENCE)

    def start(server: LlamaServer, dialect: str, call: Call, **more: object) -> Run:
        endpoint = Endpoint("real", dialect, server.url)
        return runner.start(endpoint, dialect_named(dialect), call, deadlines=deadlines, **more)  # type: ignore[arg-type]  # handed on

    yield start
    runner.close()


def finished(run: Run) -> list[Event]:
    """All events of a run that ends well."""
    assert run.wait(PATIENCE)
    events = run.drain()
    assert run.problem is None, run.problem
    assert run.state == "done"
    return events


def rendered(engine: Engine, source: str, messages: JsonValue, **variables: JsonValue) -> str:
    found = engine.render(RenderRequest(source, messages, variables=variables))
    assert found.text is not None, found.problem
    return found.text


def pieces(events: list[Event], kind: type[AnswerDelta] | type[ThinkingDelta]) -> int:
    return sum(isinstance(event, kind) for event in events)


@pytest.mark.parametrize("dialect", ["openai-chat", "openai-responses", "anthropic"])
def test_messages_stream_an_answer(plain: LlamaServer, start: Start, dialect: str) -> None:
    call = Call("chat", MODEL_NAME, messages=QUESTION, params={"max_tokens": 24, "temperature": 0.0})
    run = start(plain, dialect, call)
    events = finished(run)
    assert pieces(events, AnswerDelta) > 3
    assert run.transcript.answer.strip()
    assert not run.transcript.thinking
    assert run.transcript.is_clean
    assert run.transcript.usage


@pytest.mark.parametrize("dialect", ["openai-chat", "openai-responses", "anthropic"])
@pytest.mark.parametrize("begun", ["Once upon a ", "  The old keeper"])
def test_a_continued_answer_is_the_same_buffered_and_streamed(
    plain: LlamaServer, start: Start, dialect: str, begun: str
) -> None:
    messages: JsonValue = [*cast("list[JsonValue]", QUESTION), {"role": "assistant", "content": begun}]
    call = Call("chat", MODEL_NAME, messages=messages, params={"max_tokens": 12, "temperature": 0.0})
    found = []
    for stream in (True, False):  # one after the other: what the model works out together it rounds otherwise
        run = start(plain, dialect, replace(call, stream=stream))
        finished(run)
        found.append(run.transcript.answer)
    streamed, buffered = found
    assert streamed.strip()
    assert buffered == streamed


@pytest.mark.parametrize("dialect", ["openai-completions", "llamacpp"])
def test_a_raw_prompt_streams_an_answer(plain: LlamaServer, engine: Engine, start: Start, dialect: str) -> None:
    prompt = rendered(engine, plain.get("/props")["chat_template"], QUESTION, add_generation_prompt=True)
    run = start(plain, dialect, raw_call(prompt, model=MODEL_NAME, params={"max_tokens": 24} | STEADY))
    events = finished(run)
    assert run.request.body["prompt"] == prompt
    assert pieces(events, AnswerDelta) > 3
    assert run.transcript.answer.strip()
    assert run.clock.to_first_byte is not None


def test_both_paths_send_the_model_the_same(plain: LlamaServer, engine: Engine, start: Start) -> None:
    prompt = rendered(engine, plain.get("/props")["chat_template"], QUESTION, add_generation_prompt=True)
    params = {"max_tokens": 16} | STEADY
    chat = start(plain, "openai-chat", Call("chat", MODEL_NAME, messages=QUESTION, params=params))
    finished(chat)
    raw = start(plain, "openai-completions", raw_call(prompt, model=MODEL_NAME, params=params))
    finished(raw)
    counts = [run.transcript.usage for run in (chat, raw)]
    assert counts[0] is not None
    assert counts[1] is not None
    assert counts[0]["prompt_tokens"] == counts[1]["prompt_tokens"]


@pytest.mark.parametrize(
    "messages",
    [
        QUESTION,
        [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Grüße,\n  “你好”  🌍\n"}],
        [
            {"role": "user", "content": "a"},
            {"role": "assistant", "content": " b "},
            {"role": "user", "content": "<|im_end|> {{ c }}"},
        ],
    ],
)
def test_our_prompt_is_the_servers_own(plain: LlamaServer, engine: Engine, messages: JsonValue) -> None:
    known = plain.get("/props")
    ours = rendered(
        engine, known["chat_template"], messages, bos_token=known["bos_token"], eos_token=known["eos_token"]
    )
    assert ours == plain.post("/apply-template", {"messages": messages})["prompt"]


def test_thinking_streams_in_its_own_field(thoughtful: LlamaServer, start: Start) -> None:
    params: JsonObject = {"max_tokens": 60, "reasoning_budget_tokens": 8} | STEADY
    run = start(thoughtful, "openai-chat", Call("chat", MODEL_NAME, messages=QUESTION, params=params))
    events = finished(run)
    assert pieces(events, ThinkingDelta) > 2
    assert run.transcript.thinking_blocks[0].source == "field: reasoning_content"
    assert "<think>" not in run.transcript.thinking + run.transcript.answer
    assert run.clock.to_first_thinking is not None


def test_thinking_that_the_prompt_opened_is_thinking_from_the_first_token(
    thoughtful: LlamaServer, engine: Engine, start: Start
) -> None:
    prompt = rendered(engine, THINK, QUESTION, add_generation_prompt=True)
    assert prompt == thoughtful.post("/apply-template", {"messages": QUESTION})["prompt"]
    assert prompt.endswith("<think>\n")
    options = decode_options("raw", prompt, from_source(THINK), THINK)
    call = raw_call(prompt, model=MODEL_NAME, params={"max_tokens": 24} | STEADY)
    events = finished(start(thoughtful, "openai-completions", call, options=options))
    first = next(event for event in events if isinstance(event, AnswerDelta | ThinkingDelta))
    assert isinstance(first, ThinkingDelta)
    assert first.source == "opened by the prompt"


@pytest.mark.parametrize("dialect", ["openai-chat", "openai-completions"])
def test_stop_ends_a_reply_in_the_middle(plain: LlamaServer, start: Start, dialect: str) -> None:
    params: JsonObject = {"max_tokens": 1500, "ignore_eos": True} | STEADY
    call = Call("chat", MODEL_NAME, messages=QUESTION, params=params)
    if dialect == "openai-completions":
        call = raw_call("Once upon a time", model=MODEL_NAME, params=params)
    run = start(plain, dialect, call)
    while not run.transcript.answer:
        assert run.wait_for_news(PATIENCE)
        run.drain()
        assert not run.is_over, run.problem
    run.stop()
    assert run.wait(PATIENCE)
    run.drain()
    assert run.state == "stopped"
    assert run.transcript.answer
    assert run.problem is None
    # The server is free again, so the next one is answered.
    finished(start(plain, dialect, Call(call.path, MODEL_NAME, QUESTION, prompt="Hi", params={"max_tokens": 2})))


def test_a_servers_refusal_is_told_in_its_own_words(plain: LlamaServer, start: Start) -> None:
    run = start(plain, "openai-chat", Call("chat", MODEL_NAME, messages=QUESTION, params={"top_logprobs": 3}))
    assert run.wait(PATIENCE)
    run.drain()
    assert run.state == "failed"
    assert run.problem is not None
    assert "logprobs" in run.problem.message
    assert run.problem.detail["status"] == 400


def sent_to(server: LlamaServer, dialect: str = "openai-chat") -> tuple[Client, Server]:
    client = Client()
    return client, Server(Endpoint("real", dialect, server.url), sending(client, None, PATIENT))


def test_it_is_known_by_asking(plain: LlamaServer) -> None:
    client, server = sent_to(plain)
    try:
        kind = server_kind(server)
    finally:
        client.close()
    assert kind.name == "llamacpp"
    assert kind.props is not None
    assert kind.props["chat_template"]


@pytest.mark.parametrize("dialect", ["openai-chat", "openai-completions", "openai-responses", "anthropic", "llamacpp"])
def test_parity_with_its_own_template(plain: LlamaServer, engine: Engine, dialect: str) -> None:
    client, server = sent_to(plain, dialect)
    talk = conversation_from_body(
        {"messages": [{"role": "system", "content": "Be brief."}, *cast("list[JsonValue]", QUESTION)]}
    )
    job = PromptJob(from_source(plain.get("/props")["chat_template"]), talk, profile="llamacpp")
    try:
        send = sending(client, None, PATIENT)
        same = compare(server.endpoint, job, engine, send, model=MODEL_NAME, params={})
        shut = compare(
            server.endpoint, replace(job, add_generation_prompt=False), engine, send, model=MODEL_NAME, params={}
        )
        other = compare(
            server.endpoint, replace(job, template=from_source("{{ messages[0].content }}")), engine, send,
            model=MODEL_NAME, params={},
        )  # fmt: skip
    finally:
        client.close()
    assert (same.verdict, same.how) == ("same", "/apply-template"), same.cause
    assert (shut.verdict, shut.cause_kind) == ("differs", "generation prompt")
    assert (other.verdict, other.cause_kind) == ("differs", "template")


def test_its_tokens_are_those_of_the_prompt(plain: LlamaServer, engine: Engine) -> None:
    prompt = rendered(engine, plain.get("/props")["chat_template"], QUESTION, add_generation_prompt=True)
    client, server = sent_to(plain)
    try:
        found = server.json("/tokenize", {"content": prompt, "with_pieces": True})
        ids = [each["id"] for each in cast("dict[str, list[dict[str, JsonValue]]]", found)["tokens"]]
        back = server.json("/detokenize", {"tokens": ids})
        counted = server.json("/v1/chat/completions/input_tokens", {"messages": QUESTION})
    finally:
        client.close()
    assert cast("dict[str, str]", back)["content"] == prompt
    assert cast("dict[str, int]", counted)["input_tokens"] == len(ids)


def test_thinking_ends_when_it_is_told_to(thoughtful: LlamaServer, start: Start) -> None:
    call = Call(
        "chat",
        MODEL_NAME,
        messages=QUESTION,
        params={"max_tokens": 1500, "ignore_eos": True} | STEADY,
        extra_body={"reasoning_control": True},
    )
    run = start(thoughtful, "openai-chat", call)
    while not run.transcript.thinking:
        assert run.wait_for_news(PATIENCE)
        run.drain()
    client, server = sent_to(thoughtful)
    try:
        body: JsonObject = {"id": run.transcript.id, "action": "reasoning_end"}
        told = server.json("/v1/chat/completions/control", body)
    finally:
        client.close()
    assert cast("dict[str, bool]", told)["success"] is True
    run.stop()
    assert run.wait(PATIENCE)
    run.drain()
    assert run.problem is None


def test_a_probe_finds_how_it_is_switched(thoughtful: LlamaServer) -> None:
    client, server = sent_to(thoughtful)
    told: list[Finding] = []
    try:
        found = probe(server, MODEL_NAME, variant_named("llamacpp"), told.append)
    finally:
        client.close()
    outcomes = {each.name: each.outcome for each in found.findings}
    assert tuple(told) == found.findings
    assert outcomes["token_limit"] == "works"
    assert outcomes["stream_usage"] == "works"
    # This template opens thinking always, and writes earlier thinking into the prompt.
    assert outcomes["on"] == "ignored"
    assert outcomes["history"] == "works"
    assert outcomes["arrives"] == "works"
