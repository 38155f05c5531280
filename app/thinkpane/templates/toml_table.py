"""A TOML table that is read key by key, each with its type, and that names every fault by its place."""

import tomllib
from collections.abc import Iterator, Mapping

from thinkpane.formats.json_values import JsonValue
from thinkpane.templates.files import source_problem

_ABSENT = object()


class TomlTable:
    """One table of a TOML file. file: its name, place: "" or e.g. "tiers[2]", both for error sentences.

    Every method raises ThinkpaneError (kind "template_source") where a value has the wrong type.
    """

    def __init__(self, values: Mapping[str, object], file: str, place: str = "") -> None:
        self._values = values
        self._file = file
        self._place = place
        self._read: set[str] = set()

    def text(self, key: str, default: str | None = None) -> str:
        """The text at `key`; without a default it must be there."""
        value = self._get(key, _ABSENT if default is None else default)
        if not isinstance(value, str):
            raise self._wrong(key, "must be a text")
        return value

    def texts(self, key: str) -> tuple[str, ...]:
        """The list of texts at `key`, empty where it is absent."""
        value = self._get(key, [])
        if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
            raise self._wrong(key, "must be a list of texts")
        return tuple(value)

    def value(self, key: str) -> JsonValue:
        """Whatever stands at `key`, None where it is absent."""
        return self._json(self._get(key, None), key)

    def values(self, key: str) -> tuple[JsonValue, ...]:
        """The list at `key`, empty where it is absent."""
        value = self._get(key, [])
        if not isinstance(value, list):
            raise self._wrong(key, "must be a list")
        return tuple(self._json(each, key) for each in value)

    def mapping(self, key: str) -> dict[str, JsonValue]:
        """The table at `key`, empty where it is absent."""
        value = self._get(key, {})
        if not isinstance(value, dict):
            raise self._wrong(key, "must be a table")
        return {name: self._json(each, f"{key}.{name}") for name, each in value.items()}

    def tables(self, key: str) -> Iterator["TomlTable"]:
        """The tables at `[[key]]`, in order."""
        value = self._get(key, [])
        if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
            raise self._wrong(key, "must be a list of tables")
        for number, each in enumerate(value):
            yield TomlTable(each, self._file, self._full(f"{key}[{number}]"))

    def has(self, key: str) -> bool:
        """Whether `key` is there."""
        return key in self._values

    def finish(self) -> None:
        """Says that everything was read: a key nobody asked for is a fault, most often a typing slip."""
        for key in self._values:
            if key not in self._read:
                raise self._wrong(key, "is not known")

    def _get(self, key: str, default: object) -> object:
        self._read.add(key)
        value = self._values.get(key, default)
        if value is _ABSENT:
            raise self._wrong(key, "is missing")
        return value

    def _json(self, value: object, key: str) -> JsonValue:
        if isinstance(value, list):
            return [self._json(each, key) for each in value]
        if isinstance(value, dict):
            return {name: self._json(each, f"{key}.{name}") for name, each in value.items()}
        if value is None or isinstance(value, (bool, int, float, str)):
            return value
        raise self._wrong(key, "is a date or time; write it as a text")

    def _full(self, key: str) -> str:
        return f"{self._place}.{key}" if self._place else key

    def _wrong(self, key: str, fault: str) -> Exception:
        return source_problem(f"{self._file}: “{self._full(key)}” {fault}.")


def parse(text: str, file: str) -> TomlTable:
    """The top table of a TOML text. Raises ThinkpaneError (kind "template_source") with the parser's words."""
    try:
        return TomlTable(tomllib.loads(text), file)
    except tomllib.TOMLDecodeError as fault:
        raise source_problem(f"{file} is not valid TOML: {fault}.") from None
