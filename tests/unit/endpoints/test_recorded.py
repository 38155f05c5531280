"""The Demo endpoint: the right recording for what is asked, its bytes at its pace, Stop at once."""

import threading
from collections.abc import Mapping

import pytest

from thinkpane.endpoints.dialects._api import Call, DecodeOptions
from thinkpane.endpoints.dialects._registry import dialect_named
from thinkpane.endpoints.recorded import Demo, chosen, recordings
from thinkpane.endpoints.recording import Chunk, Recording, RecordingHeader
from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.streaming.transcript import Transcript


class Taken:
    """A sink that keeps what came."""

    def __init__(self, stop_after: int = 0) -> None:
        self.status = 0
        self.body = b""
        self.pieces = 0
        self.problem: Problem | None = None
        self.over_came = threading.Event()
        self.piece_came = threading.Event()

    def head(self, status: int, headers: Mapping[str, str], ms: float) -> None:
        self.status = status

    def data(self, data: bytes, ms: float) -> None:
        self.body += data
        self.pieces += 1
        self.piece_came.set()

    def over(self, problem: Problem | None, ms: float) -> None:
        self.problem = problem
        self.over_came.set()


def raw(prompt: str) -> Call:
    return Call("raw", prompt=prompt)


@pytest.mark.parametrize(
    ("prompt", "label"),
    [
        ("[gMASK]<sop><|system|>Reasoning effort: Artemis — [L3]<|user|>x<|assistant|><think>", "L3"),
        ("[gMASK]<sop><|system|>Reasoning effort: Proteus — [L10]<|user|>[L3] x<|assistant|><think>", "L10"),
        ("[gMASK]<sop><|system|>Reasoning effort: Swarm<|user|>x<|assistant|><think>", "Swarm"),
        ("[gMASK]<sop><|system|>Reasoning effort: Council<|user|>x<|assistant|><think>", "Council"),
        ("[gMASK]<sop><|system|>Reasoning effort: Artemis<|user|>x<|assistant|><think></think>", "L0"),
        ("[gMASK]<sop><|system|>Reasoning Effort: High<|user|>x<|assistant|><think>", "High"),
        ("[gMASK]<sop><|system|>Reasoning Effort: Max<|user|>x<|assistant|><think>", "Max"),
        ("<|im_start|>user\nYou are a memory extraction expert.\n", "memories"),
        ("anything else", ""),
    ],
)
def test_the_prompt_decides_which_recording_answers(prompt: str, label: str) -> None:
    assert chosen(raw(prompt)).header.label == label


def test_a_tool_result_gets_the_reply_that_follows_it() -> None:
    prompt = "Reasoning effort: Artemis<|observation|><tool_response>21</tool_response><|assistant|><think>"
    assert "after the tool" in Demo().title(raw(prompt))


def test_the_conversation_decides_on_the_chat_path() -> None:
    call = Call("chat", messages=[{"role": "user", "content": "[L3] x"}])
    assert chosen(call).header.label == "L3"


def test_no_recording_fits() -> None:
    with pytest.raises(ThinkpaneError, match="no recorded reply"):
        chosen(raw("x"), [Recording(RecordingHeader("a", "openai-chat", match=("y",)))])


@pytest.mark.parametrize("recording", recordings(), ids=lambda each: each.header.title)
def test_every_recording_decodes_clean(recording: Recording) -> None:
    seeded = recording.header.dialect == "openai-completions"
    decoder = dialect_named(recording.header.dialect).decoder(DecodeOptions(prompt_opens_thinking=seeded))
    transcript = Transcript()
    for chunk in recording.chunks:
        transcript.apply_all(decoder.feed(chunk.data))
    transcript.apply_all(decoder.close())
    assert transcript.is_clean
    assert not transcript.warnings
    assert transcript.answer
    if recording.header.label in ("Swarm", "Council"):
        assert transcript.answer.startswith(f"[{recording.header.label.upper()} VERDICT]")


def test_plays_every_byte_to_the_end() -> None:
    taken = Taken()
    Demo().replay(raw("anything"), taken, speed=0)
    assert taken.over_came.wait(20)
    assert taken.status == 200
    assert taken.problem is None
    assert taken.body == chosen(raw("anything")).data


def test_stop_ends_it_and_keeps_what_came(monkeypatch: pytest.MonkeyPatch) -> None:
    slow = Recording(
        RecordingHeader("slow", "openai-chat"), (Chunk(0, b"first"), Chunk(3_600_000, b"second")), end_ms=3_600_000
    )
    monkeypatch.setattr("thinkpane.endpoints.recorded.recordings", lambda: (slow,))
    taken = Taken()
    handle = Demo().replay(raw("x"), taken)
    assert taken.piece_came.wait(20)
    handle.stop()
    assert taken.over_came.wait(20)
    assert taken.body == b"first"
    assert taken.problem is not None
    assert taken.problem.kind == "stopped"
