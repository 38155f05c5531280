"""Frames: any JSON object comes back, anything else is no frame."""

import io
import json
import struct
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thinkpane.engine.frames import FRAME_CAP, Caps, FrameTooLong, encoded, read_frame

ANY_TEXT = st.text(st.characters(codec=None, exclude_categories=()))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | ANY_TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(ANY_TEXT, inner, max_size=3),
    max_leaves=10,
)


@given(st.lists(st.dictionaries(ANY_TEXT, VALUES, max_size=3), max_size=3))
def test_objects_come_back_one_by_one(objects: list[Any]) -> None:
    stream = io.BytesIO(b"".join(map(encoded, objects)))
    assert [read_frame(stream) for _ in objects] == objects
    assert read_frame(stream) is None


def test_long_texts_travel_beside_the_json() -> None:
    message: Any = {
        "result": {"text": "\x00\ud800é", "results": [{"text": "b"}, {"text": ""}, {"problem": {}}]},
        "n": 1,
    }
    frame = encoded(message)
    assert (
        "\x00\ud800éb".encode("utf-8", "surrogatepass")
        == frame[-len("\x00\ud800éb".encode("utf-8", "surrogatepass")) :]
    )
    assert read_frame(io.BytesIO(frame)) == message
    assert message["result"]["text"] == "\x00\ud800é"


@pytest.mark.parametrize(
    "message",
    [{"a": "x" * 100}, {"a": [0] * 40}, {"result": {"text": "x" * 11}}, {"a": [[]] * 21}],
    ids=["json", "commas", "text", "brackets"],
)
def test_frames_are_held_to_caps(message: Any) -> None:
    caps = Caps(json=100, texts=10, parts=40)
    with pytest.raises(FrameTooLong):
        encoded(message, caps)
    assert read_frame(io.BytesIO(encoded(message)), caps) is None
    assert read_frame(io.BytesIO(encoded(message))) == message


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\0\0",
        struct.pack(">II", 5, 0) + b"{}",
        struct.pack(">II", FRAME_CAP + 1, 0),
        struct.pack(">II", 2, FRAME_CAP + 1) + b"{}",
        struct.pack(">II", 2, 0) + b"[]",
        struct.pack(">II", 2, 3) + b"{}abc",
        struct.pack(">II", 31, 3) + b'{"result":{"text":{"bytes":4}}}' + b"abc",
        struct.pack(">II", 31, 3) + b'{"result":{"text":{"bytes":3}}}' + b"ab",
        struct.pack(">II", 32, 3) + b'{"result":{"text":{"bytes":-3}}}' + b"abc",
    ],
)
def test_what_is_no_frame(data: bytes) -> None:
    assert read_frame(io.BytesIO(data)) is None


@given(st.recursive(VALUES, lambda inner: st.lists(inner, max_size=40) | st.dictionaries(ANY_TEXT, inner, max_size=4)))
def test_json_in_pieces_is_the_json_of_the_whole(value: Any) -> None:
    message: Any = {"payload": {"messages": [value] * 40, "other": value}, "x": {}, "y": [], "mark": "z"}
    whole = json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
    frame = encoded(message)
    assert frame[8:] == whole
