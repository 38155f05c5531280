"""Reads the header of a GGUF file: its keys and values, never its tensors.

Format: the GGUF specification of ggml (docs/gguf.md), versions 1 to 3, both byte orders. Every length is checked
against what may be before anything is read or reserved, so that a file can claim nothing it does not hold.
"""

import struct
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final, Protocol, TypeAlias

from thinkpane.formats.gguf_bytes import ByteReader, gguf_problem

GgufValue: TypeAlias = "bool | int | float | str | tuple[GgufValue, ...]"

MAGIC = b"GGUF"
KEYS: Final = 65_536
"""Keys a header may have; large models have about 50."""
KEY_BYTES: Final = 65_535
TEXT_BYTES: Final = 8 * 2**20
"""Bytes of one text; the longest templates have about 100 kB."""
ITEMS: Final = 4 * 2**20
"""Items of one list; the largest vocabularies have about 300,000 tokens and as many merges."""
HEADER_BYTES: Final = 256 * 2**20
"""Bytes of a whole header where the caller sets no lower limit; large vocabularies need about 20 MB."""
DEEPEST: Final = 4
"""Lists within lists."""

_TEXT, _LIST = 8, 9
# Type number -> struct's letter (specification, gguf_metadata_value_type).
_NUMBERS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}


class ReadBytes(Protocol):
    """Where a file's bytes come from: a file, or requests for ranges of a remote one."""

    def __call__(self, offset: int, length: int) -> bytes:
        """The bytes from `offset`, at most `length`; fewer only at the file's end. Raises ThinkpaneError."""


@dataclass(frozen=True, slots=True)
class GgufHeader:
    """version: of the format. values: the single values, and of the lists those that were asked for.

    lists: the lengths of all lists. bytes_read: how far into the file the header goes.
    """

    version: int
    values: Mapping[str, GgufValue]
    lists: Mapping[str, int]
    bytes_read: int

    def text(self, key: str) -> str | None:
        """The text at `key`, None where there is none."""
        value = self.values.get(key)
        return value if isinstance(value, str) else None

    def number(self, key: str) -> int | None:
        """The whole number at `key`, None where there is none."""
        value = self.values.get(key)
        return value if isinstance(value, int) and not isinstance(value, bool) else None

    def texts(self, key: str) -> tuple[str, ...]:
        """The list of texts at `key`, empty where there is none or it was not asked for."""
        value = self.values.get(key)
        return tuple(each for each in value if isinstance(each, str)) if isinstance(value, tuple) else ()

    def numbers(self, key: str) -> tuple[int, ...]:
        """The list of whole numbers at `key`, empty where there is none or it was not asked for."""
        value = self.values.get(key)
        return tuple(each for each in value if isinstance(each, int)) if isinstance(value, tuple) else ()


def read_header(read: ReadBytes, *, lists: Collection[str] = (), limit: int = HEADER_BYTES) -> GgufHeader:
    """The header of the file whose bytes `read` gives; asks for them in order, a piece at a time.

    lists: keys of the lists to keep; others are stepped over. limit: bytes to read at most.
    Raises ThinkpaneError (kind "gguf") for anything but a GGUF header, and what `read` raises.
    """
    source = ByteReader(read, limit)
    if source.take(4, "its first bytes") != MAGIC:
        raise gguf_problem("The file does not begin with “GGUF”.")
    version, order = _version(source.take(4, "its version"))
    header = _Header(source, order, "I" if version == 1 else "Q", frozenset(lists))
    header.count("tensors")
    keys = header.count("keys")
    if keys > KEYS:
        raise gguf_problem(f"It claims {keys:,} keys; at most {KEYS:,} are read.")
    values: dict[str, GgufValue] = {}
    lengths: dict[str, int] = {}
    for _ in range(keys):
        header.entry(values, lengths)
    return GgufHeader(version, values, lengths, source.at)


def _version(data: bytes) -> tuple[int, str]:
    """The version and struct's sign of the byte order: a version is a small number in one of them only."""
    for order in ("<", ">"):
        (version,) = struct.unpack(order + "I", data)
        if 1 <= version <= 3:
            return version, order
    raise gguf_problem(f"Its version ({struct.unpack('<I', data)[0]}) is not known; 1 to 3 are.")


class _Header:
    """Reads values in one byte order, with counts as wide as the version has them."""

    def __init__(self, source: ByteReader, order: str, count: str, kept: frozenset[str]) -> None:
        self._source = source
        self._order = order
        self._count = struct.Struct(order + count)
        self._type = struct.Struct(order + "I")
        self._kept = kept

    def count(self, what: str) -> int:
        """A count or a length."""
        number: int = self._count.unpack(self._source.take(self._count.size, what))[0]
        return number

    def entry(self, values: dict[str, GgufValue], lengths: dict[str, int]) -> None:
        """Reads one key with its value."""
        key = self._text("a key", KEY_BYTES)
        kind = self._kind(key)
        if kind != _LIST:
            values[key] = self._single(kind, key)
            return
        inner, length = self._list_head(key)
        lengths[key] = length
        if key in self._kept:
            values[key] = self._items(inner, length, key, 1)
        else:
            self._skip(inner, length, key, 1)

    def _kind(self, key: str) -> int:
        kind: int = self._type.unpack(self._source.take(4, f"the type of “{key}”"))[0]
        if kind not in _NUMBERS and kind not in (_TEXT, _LIST):
            raise gguf_problem(f"“{_short(key)}” has a type that is not known ({kind}).")
        return kind

    def _single(self, kind: int, key: str) -> GgufValue:
        if kind == _TEXT:
            return self._text(f"“{_short(key)}”", TEXT_BYTES)
        form = struct.Struct(self._order + _NUMBERS[kind])
        value: bool | int | float = form.unpack(self._source.take(form.size, key))[0]
        return value

    def _list_head(self, key: str) -> tuple[int, int]:
        inner, length = self._kind(key), self.count(key)
        if length > ITEMS:
            raise gguf_problem(f"“{_short(key)}” claims {length:,} items; at most {ITEMS:,} are read.")
        return inner, length

    def _items(self, inner: int, length: int, key: str, depth: int) -> tuple[GgufValue, ...]:
        if inner == _TEXT:
            return tuple(self._token(key) for _ in range(length))
        if inner == _LIST:
            return tuple(self._items(*self._inner_head(key, depth), key, depth + 1) for _ in range(length))
        width = struct.calcsize(_NUMBERS[inner])
        data = self._source.take(width * length, key)
        return struct.unpack(f"{self._order}{length}{_NUMBERS[inner]}", data)

    def _skip(self, inner: int, length: int, key: str, depth: int) -> None:
        if inner == _TEXT:
            for _ in range(length):
                self._source.skip(self._text_length(key, TEXT_BYTES), key)
        elif inner == _LIST:
            for _ in range(length):
                self._skip(*self._inner_head(key, depth), key, depth + 1)
        else:
            self._source.skip(struct.calcsize(_NUMBERS[inner]) * length, key)

    def _inner_head(self, key: str, depth: int) -> tuple[int, int]:
        if depth >= DEEPEST:
            raise gguf_problem(f"“{_short(key)}” has lists within lists more than {DEEPEST} deep.")
        return self._list_head(key)

    def _text_length(self, what: str, limit: int) -> int:
        length = self.count(what)
        if length > limit:
            raise gguf_problem(f"{what} claims a text of {length:,} bytes; at most {limit:,} are read.")
        return length

    def _text(self, what: str, limit: int) -> str:
        data = self._source.take(self._text_length(what, limit), what)
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError as fault:
            raise gguf_problem(f"{what} is no UTF-8 text (byte {fault.start} of it).") from None

    def _token(self, key: str) -> str:
        # A token of a byte-level vocabulary may be part of a character; no special token is.
        return self._source.take(self._text_length(key, TEXT_BYTES), key).decode("utf-8", "replace")


def _short(key: str) -> str:
    return key if len(key) <= 80 else key[:79] + "…"
