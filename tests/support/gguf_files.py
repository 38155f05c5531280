"""Writes GGUF headers for tests, as the specification has them."""

import struct
from collections.abc import Mapping, Sequence

Value = bool | int | float | str | Sequence["Value"]


def text(value: str | bytes, order: str = "<", count: str = "Q") -> bytes:
    """A text with its length before it."""
    data = value if isinstance(value, bytes) else value.encode("utf-8")
    return struct.pack(order + count, len(data)) + data


def typed(value: Value, order: str = "<", count: str = "Q") -> tuple[int, bytes]:
    """A value's type number and bytes: bool, int64, float64, text, or a list of the type of its first item."""
    if isinstance(value, bool):
        return 7, struct.pack(order + "?", value)
    if isinstance(value, int):
        return 11, struct.pack(order + "q", value)
    if isinstance(value, float):
        return 12, struct.pack(order + "d", value)
    if isinstance(value, str):
        return 8, text(value, order, count)
    items = [typed(each, order, count) for each in value]
    kind = items[0][0] if items else 4
    return 9, struct.pack(order + "I" + count, kind, len(items)) + b"".join(data for _, data in items)


def gguf(values: Mapping[str, Value], *, version: int = 3, order: str = "<", keys: int | None = None) -> bytes:
    """A file's header with those keys and no tensor. keys: the number it claims."""
    count = "I" if version == 1 else "Q"
    head = b"GGUF" + struct.pack(f"{order}I{count}{count}", version, 0, len(values) if keys is None else keys)
    parts = [head]
    for key, value in values.items():
        kind, data = typed(value, order, count)
        parts += text(key, order, count), struct.pack(order + "I", kind), data
    return b"".join(parts)
