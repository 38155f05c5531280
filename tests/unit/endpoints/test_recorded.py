"""The Demo endpoint: the right recording for what is asked, its bytes at its pace, Stop at once."""

import json
import threading
from collections.abc import Iterator, Mapping
from itertools import pairwise

import pytest

from support.patience import PATIENCE
from thinkpane.endpoints.connection import UNKNOWN, Via
from thinkpane.endpoints.dialects._api import Call, DecodeOptions
from thinkpane.endpoints.dialects._registry import dialect_named
from thinkpane.endpoints.recorded import Demo, Replayable, built_in, chosen
from thinkpane.endpoints.recording import Chunk, Recording, RecordingHeader
from thinkpane.endpoints.sink import Handle
from thinkpane.engine.host import Engine
from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats.json_values import JsonValue
from thinkpane.prompt.job import PromptJob, prepare
from thinkpane.resources import read_text
from thinkpane.runs.calls import chat_call
from thinkpane.streaming.transcript import Transcript
from thinkpane.templates.library import load
from thinkpane.workspace.document_file import document_from_json

FIRST = json.loads(read_text("samples/first.thinkpane.json"))
QUESTION = FIRST["messages"][1]["content"].removeprefix("[L3] ")


class Taken:
    """A sink that keeps what came."""

    def __init__(self) -> None:
        self.status = 0
        self.pieces: list[tuple[bytes, float]] = []
        self.problem: Problem | None = None
        self.end_ms = 0.0
        self.piece_came = threading.Event()
        self.over_came = threading.Event()

    def head(self, status: int, headers: Mapping[str, str], ms: float, via: Via = UNKNOWN) -> None:
        self.status = status

    def data(self, data: bytes, ms: float) -> None:
        self.pieces.append((data, ms))
        self.piece_came.set()

    def over(self, problem: Problem | None, ms: float) -> None:
        self.problem, self.end_ms = problem, ms
        self.over_came.set()

    @property
    def body(self) -> bytes:
        return b"".join(data for data, _ in self.pieces)


def replayable(header: RecordingHeader, *chunks: Chunk, end_ms: float = 0.0) -> Replayable:
    return Replayable(header, lambda: Recording(header, chunks, ended=True, end_ms=end_ms))


def header(title: str, *match: str, path: str = "", **extra: JsonValue) -> RecordingHeader:
    return RecordingHeader(title, "openai-chat", match=match, path=path, extra=extra)


def title_of(call: Call, *headers: RecordingHeader) -> str:
    return Demo(map(replayable, headers)).title(call)


def raw(prompt: str) -> Call:
    return Call("raw", prompt=prompt)


def job(template: str, **changes: JsonValue) -> PromptJob:
    """The first sample in another template, `changes` laid over its file."""
    state = document_from_json({**FIRST, "template": template, **changes})
    return PromptJob(load(template), state.conversation, variables=state.variables, steps=state.steps)


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    engine = Engine(deadline=PATIENCE)
    yield engine
    engine.close()


def label_of(engine: Engine, asked: PromptJob) -> str:
    rendered = engine.render(prepare(asked).request)
    assert rendered.text is not None, rendered.problem
    return chosen(raw(rendered.text), built_in()).header.label


# What is asked chooses.


def test_all_named_texts_must_occur() -> None:
    both = header("both", "a", "b")
    assert title_of(raw("b a"), both) == "both"
    with pytest.raises(ThinkpaneError, match="no recorded reply"):
        title_of(raw("a c"), both)


def test_the_most_texts_win_then_the_longest_and_none_comes_last() -> None:
    headers = (header("none"), header("one", "a long text"), header("two", "a", "l"), header("short", "x"))
    assert title_of(raw("a long text"), *headers) == "two"
    assert title_of(raw("x and a long text"), headers[0], headers[3], headers[1]) == "one"
    assert title_of(raw("q"), *headers) == "none"


def test_a_list_stands_for_whichever_of_its_texts_is_found() -> None:
    either = header("either", match_raw=[["x", "y"]])
    assert title_of(raw("y"), header("none"), either) == "either"
    assert title_of(raw("z"), header("none"), either) == "none"


def test_the_end_of_the_prompt_counts_on_the_raw_path_only() -> None:
    closed = header("closed", match_end="</think>")
    assert title_of(raw("<think></think>"), header("none"), closed) == "closed"
    assert title_of(raw("</think>x"), header("none"), closed) == "none"


def test_a_recording_of_one_path_is_not_played_on_the_other() -> None:
    headers = (header("none"), header("raw", "x", path="raw"))
    assert title_of(raw("x"), *headers) == "raw"
    assert title_of(Call("chat", messages=[{"role": "user", "content": "x"}]), *headers) == "none"


def test_the_chat_path_looks_into_all_that_is_asked() -> None:
    call = Call(
        "chat",
        messages=[{"role": "user", "content": "q"}],
        tools=[{"name": "t"}],
        documents=[{"text": "d"}],
        variables={"v": 1},
        thinking=False,
        effort="e",
    )
    named = ['"content": "q"', '"name": "t"', '"text": "d"', '"v": 1', '"thinking": false', '"effort": "e"']
    assert title_of(call, header("none"), header("all", match_chat=list(named))) == "all"


# The built-in ones.


@pytest.mark.parametrize("number", range(11))
def test_every_tier_of_protium_has_its_reply_to_the_first_sample(engine: Engine, number: int) -> None:
    messages = [FIRST["messages"][0], {"role": "user", "content": f"[L{number}] {QUESTION}"}]
    assert label_of(engine, job("protium-1.0", messages=messages)) == f"L{number}"


@pytest.mark.parametrize("tier", ["swarm", "council"])
@pytest.mark.parametrize("question", [QUESTION, "Why is the sky blue?"])
@pytest.mark.parametrize("tools", [FIRST["tools"], []])
def test_swarm_and_council_answer_anything_in_their_form(
    engine: Engine, tier: str, question: str, tools: JsonValue
) -> None:
    messages: JsonValue = [{"role": "user", "content": f"{{REASON:{tier}}} {question}"}]
    assert label_of(engine, job("protium-1.0", messages=messages, tools=tools)) == tier.capitalize()


@pytest.mark.parametrize(
    ("template", "variables", "label"),
    [
        ("glm-5.2", {"reasoning_effort": "high"}, "High"),
        ("glm-5.2", {}, "Max"),
        ("glm-5.2", {"enable_thinking": False}, "L0"),
        ("protium-1.0", {"enable_thinking": False}, "L0"),
        ("memreader", {"extract_chat_memory": True}, "memories"),
        ("chatml", {}, ""),
    ],
)
def test_templates_get_a_reply_in_their_own_form(
    engine: Engine, template: str, variables: JsonValue, label: str
) -> None:
    assert label_of(engine, job(template, variables=variables)) == label


def test_memories_of_a_document(engine: Engine) -> None:
    asked = job("memreader", messages="A long report.", tools=[], variables={"extract_doc_memory": True})
    assert label_of(engine, asked) == "document"


def test_documents_of_command_r7b(engine: Engine) -> None:
    sample = json.loads(read_text("samples/documents.thinkpane.json"))
    asked = job(sample["template"], **{name: sample[name] for name in ("messages", "documents", "tools")})
    rendered = engine.render(prepare(asked).request)
    assert "night train" in Demo().title(raw(str(rendered.text)))
    other = job(sample["template"], messages=[{"role": "user", "content": "q"}], documents=[{"text": "t"}])
    assert label_of(engine, other) == "documents"


@pytest.mark.parametrize("path", ["raw", "chat"])
@pytest.mark.parametrize("tier", ["[L3] ", "[L0] ", ""])
def test_a_tool_result_gets_the_reply_that_follows_it(engine: Engine, path: str, tier: str) -> None:
    call: JsonValue = {
        "id": "c",
        "type": "function",
        "function": {"name": "get_weather", "arguments": {"city": "Graz"}},
    }
    messages: JsonValue = [
        {"role": "user", "content": tier + QUESTION},
        {"role": "assistant", "content": "Fixed.", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c", "content": "21 °C"},
    ]
    prepared = prepare(job("protium-1.0", messages=messages))
    asked = chat_call(prepared, model="", variables={}, params={})
    if path == "raw":
        asked = raw(str(engine.render(prepared.request).text))
    title = Demo().title(asked)
    assert "after the result of its tool" in title
    assert ("thinking off" in title) == (tier == "[L0] ")


def test_tiers_on_the_chat_path() -> None:
    messages: JsonValue = [{"role": "user", "content": f"[L7] {QUESTION}"}]
    call = Call("chat", messages=messages, tools=FIRST["tools"])
    assert chosen(call, built_in()).header.label == "L7"
    off = Call("chat", messages=messages, tools=FIRST["tools"], thinking=False)
    assert chosen(off, built_in()).header.label == "L0"


def test_an_open_thinking_block_gets_a_raw_reply_and_the_chat_path_never_does() -> None:
    assert Demo().dialect(raw("<|user|>q<|assistant|><think>")) == "openai-completions"
    assert Demo().dialect(Call("chat", messages=[{"role": "user", "content": "<think>"}])) == "openai-chat"


@pytest.mark.parametrize("replayed", built_in(), ids=lambda each: each.header.title)
def test_every_recording_decodes_clean(replayed: Replayable) -> None:
    recording = replayed.read()
    seeded = recording.header.dialect == "openai-completions"
    decoder = dialect_named(recording.header.dialect).decoder(DecodeOptions(prompt_opens_thinking=seeded))
    transcript = Transcript()
    for chunk in recording.chunks:
        transcript.apply_all(decoder.feed(chunk.data))
    transcript.apply_all(decoder.close())
    assert transcript.is_clean
    assert not transcript.warnings
    assert transcript.answer
    assert transcript.usage is not None
    label = recording.header.label
    if label in ("L0", "memories", "document", "documents"):
        assert not transcript.thinking
    elif label:
        assert len(transcript.thinking) > 250
    assert (transcript.finish == "tool_calls") == bool(transcript.tool_calls)
    assert all(json.loads(call.arguments) == {"city": "Graz"} for call in transcript.tool_calls)
    if label in ("Swarm", "Council"):
        assert transcript.answer.startswith(f"[{label.upper()} VERDICT]")
    if label == "memories":
        assert list(json.loads(transcript.answer)) == ["memory list", "summary"]
    if label == "document":
        assert list(json.loads(transcript.answer)) == ["summary", "tags"]


@pytest.mark.parametrize("title", ["the first sample at L10 Proteus", "the first sample with Swarm"])
def test_the_deepest_tiers_think_long_enough_to_watch(title: str) -> None:
    recording = next(each for each in built_in() if each.header.title == title).read()
    decoder = dialect_named(recording.header.dialect).decoder(DecodeOptions())
    transcript = Transcript()
    for chunk in recording.chunks:
        transcript.apply_all(decoder.feed(chunk.data))
    assert len(transcript.thinking) > 3000
    assert recording.end_ms > 8000


def test_titles_tell_the_recordings_apart() -> None:
    titles = [each.header.title for each in built_in()]
    assert len(set(titles)) == len(titles)


@pytest.mark.parametrize("replayed", built_in(), ids=lambda each: each.header.title)
def test_every_recording_has_a_live_pace(replayed: Replayable) -> None:
    recording = replayed.read()
    times = [chunk.ms for chunk in recording.chunks]
    assert 200 <= times[0] <= 500
    assert all(later - earlier <= 60 for earlier, later in pairwise(times))
    assert recording.ended


# Playing.


def test_plays_every_byte_to_the_end_at_once() -> None:
    taken = Taken()
    Demo().replay(raw("anything"), taken, speed=0)
    assert taken.over_came.wait(PATIENCE)
    assert (taken.status, taken.problem) == (200, None)
    recording = chosen(raw("anything"), built_in()).read()
    assert taken.pieces == [(chunk.data, chunk.ms) for chunk in recording.chunks]
    assert taken.end_ms == recording.end_ms


def test_speed_divides_the_times() -> None:
    taken = Taken()
    demo = Demo([replayable(header("x"), Chunk(10, b"a"), Chunk(40, b"b"), end_ms=80)])
    demo.replay(raw("x"), taken, speed=4)
    assert taken.over_came.wait(PATIENCE)
    assert taken.pieces == [(b"a", 2.5), (b"b", 10)]
    assert taken.end_ms == 20


class TakesOne(Taken):
    """Has the transfer stopped once a first piece came, as a run does at the finish mark."""

    def __init__(self) -> None:
        super().__init__()
        self.handle: Handle | None = None
        self.may_go_on = threading.Event()

    def data(self, data: bytes, ms: float) -> None:
        super().data(data, ms)
        assert self.may_go_on.wait(PATIENCE)
        assert self.handle is not None
        self.handle.stop()


def test_a_replay_at_once_that_is_stopped_ends_in_the_time_of_its_recording() -> None:
    taken = TakesOne()
    demo = Demo([replayable(header("x"), Chunk(5000, b"a"), Chunk(6000, b"b"), end_ms=8000)])
    taken.handle = demo.replay(raw("x"), taken, speed=0)
    taken.may_go_on.set()
    assert taken.over_came.wait(PATIENCE)
    assert taken.pieces == [(b"a", 5000)]
    assert taken.end_ms >= 5000


def test_stop_ends_it_at_once_and_keeps_what_came() -> None:
    taken = Taken()
    an_hour = 3_600_000
    demo = Demo([replayable(header("slow"), Chunk(0, b"first"), Chunk(an_hour, b"second"), end_ms=an_hour)])
    handle = demo.replay(raw("x"), taken)
    assert taken.piece_came.wait(PATIENCE)
    handle.stop()
    handle.stop()
    assert taken.over_came.wait(PATIENCE)
    assert taken.body == b"first"
    assert taken.problem is not None
    assert taken.problem.kind == "stopped"


def test_a_damaged_recording_ends_in_its_problem() -> None:
    def read() -> Recording:
        raise ThinkpaneError(Problem("recording", "damaged"))

    taken = Taken()
    Demo([Replayable(header("x"), read)]).replay(raw("x"), taken, speed=0)
    assert taken.over_came.wait(PATIENCE)
    assert taken.problem == Problem("recording", "damaged")
    assert taken.body == b""


def test_how_a_recording_ended_is_played_too() -> None:
    ended = Problem("network", "the line broke")
    recording = Recording(header("x"), (Chunk(0, b"a"),), problem=ended, ended=True)
    taken = Taken()
    Demo([Replayable(recording.header, lambda: recording)]).replay(raw("x"), taken, speed=0)
    assert taken.over_came.wait(PATIENCE)
    assert (taken.body, taken.problem) == (b"a", ended)
