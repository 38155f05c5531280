"""The GGUF reader: every version and byte order, and nothing but a clear problem for what is no header."""

import struct
import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.gguf_files import Value, gguf, text
from thinkpane.errors import ThinkpaneError
from thinkpane.formats import gguf as reader
from thinkpane.formats.gguf import GgufHeader, read_header

VALUES: dict[str, Value] = {
    "a.text": "é\n{{ x }}",
    "a.int": -3,
    "a.flag": True,
    "a.float": 0.5,
    "a.words": ["x", "yz"],
    "a.ints": [1, 2],
}


def header(data: bytes, **options: object) -> GgufHeader:
    return read_header(lambda offset, length: data[offset : offset + length], **options)  # type: ignore[arg-type]


def fault(data: bytes, **options: object) -> str:
    with pytest.raises(ThinkpaneError) as caught:
        header(data, **options)
    assert caught.value.problem.kind == "gguf"
    assert caught.value.problem.message.endswith(".")
    return caught.value.problem.message


@pytest.mark.parametrize("version", [1, 2, 3])
@pytest.mark.parametrize("order", ["<", ">"])
def test_every_version_and_byte_order_is_read(version: int, order: str) -> None:
    data = gguf(VALUES, version=version, order=order)
    found = header(data + b"tensors", lists=("a.words", "a.ints"))
    assert found.version == version
    assert found.values == {**VALUES, "a.words": ("x", "yz"), "a.ints": (1, 2)}
    assert found.lists == {"a.words": 2, "a.ints": 2}
    assert found.bytes_read == len(data)


def test_lists_that_nobody_asked_for_are_stepped_over() -> None:
    found = header(gguf({"n": [[1], [2, 3]], "w": ["a"] * 1000, "f": [0.5] * 1000, "last": "z"}))
    assert found.values == {"last": "z"}
    assert found.lists == {"n": 2, "w": 1000, "f": 1000}


def test_values_are_given_by_their_type() -> None:
    found = header(gguf(VALUES), lists=("a.words", "a.ints"))
    assert (found.text("a.text"), found.text("a.int"), found.text("no")) == ("é\n{{ x }}", None, None)
    assert (found.number("a.int"), found.number("a.flag"), found.number("a.text")) == (-3, None, None)
    assert (found.texts("a.words"), found.texts("a.text"), found.texts("a.ints")) == (("x", "yz"), (), ())
    assert (found.numbers("a.ints"), found.numbers("a.words")) == ((1, 2), ())


def test_bytes_are_asked_for_forward_and_a_piece_at_a_time() -> None:
    data = gguf({"w": ["a" * 1000] * 5000, "f": [1] * 300_000, "z": "end"})
    asked: list[tuple[int, int]] = []

    def read(offset: int, length: int) -> bytes:
        asked.append((offset, length))
        return data[offset : offset + length]

    assert read_header(read).values == {"z": "end"}
    assert [offset for offset, _ in asked] == sorted(offset for offset, _ in asked)
    assert max(length for _, length in asked) <= 2**20
    assert len(asked) <= len(data) // 2**20 + 2


def entry(kind: int, data: bytes, key: str = "k") -> bytes:
    return gguf({}, keys=1) + text(key) + struct.pack("<I", kind) + data


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "ends inside its header"),
        (b"GGU", "ends inside its header"),
        (b"PK\3\4....", "does not begin"),
        (b"GGUF" + struct.pack("<I", 9), "version (9)"),
        (gguf({}, keys=2**63), "9,223,372,036,854,775,808 keys"),
        (gguf({}, keys=1) + struct.pack("<Q", 2**40), "claims a text"),
        (entry(8, struct.pack("<Q", 2**60)), "claims a text of"),
        (entry(8, text(b"\xff")), "no UTF-8"),
        (entry(13, b""), "type that is not known (13)"),
        (entry(9, struct.pack("<IQ", 4, 2**62)), "items"),
        (entry(9, struct.pack("<IQ", 4, 2**20)), "ends inside its header"),
        (entry(9, struct.pack("<IQ", 9, 1) * 20), "lists within lists"),
        (gguf({}, keys=1) + text(b"\xff\xfe"), "no UTF-8"),
    ],
)
def test_what_is_no_header_is_one_clear_problem(data: bytes, words: str) -> None:
    # The list that ends early is only missed where its values are asked for, or by the next key.
    assert words in fault(data, lists=("k",))


def test_the_caller_s_limit_ends_the_reading() -> None:
    data = gguf({"w": "x" * 5000, "z": 1})
    assert "no more are read" in fault(data, limit=1000)
    assert header(data, limit=len(data)).number("z") == 1


def test_a_file_can_claim_nothing_it_does_not_hold() -> None:
    data = entry(9, struct.pack("<IQ", 12, reader.ITEMS))
    tracemalloc.start()
    fault(data, lists=("k",))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 2**20


@settings(max_examples=400, deadline=None)
@given(st.data())
def test_no_bytes_end_in_anything_but_a_problem(data: st.DataObject) -> None:
    whole = gguf(VALUES, version=data.draw(st.sampled_from([1, 2, 3])), order=data.draw(st.sampled_from("<>")))
    changed = bytearray(whole[: data.draw(st.integers(0, len(whole)))])
    for _ in range(data.draw(st.integers(0, 4))):
        if changed:
            changed[data.draw(st.integers(0, len(changed) - 1))] = data.draw(st.integers(0, 255))
    changed += data.draw(st.binary(max_size=30))
    lists = data.draw(st.sampled_from([(), ("a.words", "a.ints")]))
    assert outcome(bytes(changed), lists) in ("read", "gguf")


def outcome(data: bytes, lists: tuple[str, ...] = ()) -> str:
    try:
        header(data, lists=lists)
    except ThinkpaneError as error:
        return error.problem.kind
    return "read"


@given(st.binary(max_size=200))
def test_random_bytes_after_the_magic_are_contained(data: bytes) -> None:
    assert outcome(b"GGUF\3\0\0\0" + data) in ("read", "gguf")
