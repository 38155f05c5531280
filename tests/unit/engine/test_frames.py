"""Frames: any JSON object comes back, anything else is no frame."""

import io
import struct
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thinkpane.engine.frames import FRAME_CAP, encoded, read_frame

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


@pytest.mark.parametrize(
    "data", [b"", b"\0\0", struct.pack(">I", 5) + b"{}", struct.pack(">I", FRAME_CAP + 1), struct.pack(">I", 2) + b"[]"]
)
def test_what_is_no_frame(data: bytes) -> None:
    assert read_frame(io.BytesIO(data)) is None
