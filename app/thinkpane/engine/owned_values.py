"""Input values that know their path (`messages[0].content`) and log which paths a template reads.

The containers are real dicts and lists, so that every test, filter and repr of a template sees what it would see
without tracing.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any, cast

from thinkpane.engine.owned_text import OwnedText, Run

_NAME = re.compile(r"[A-Za-z_]\w*\Z")


class Reads:
    """The paths that one render read, and the last plain value (None, True, …) that a read gave."""

    def __init__(self) -> None:
        self.paths: set[str] = set()
        self.last: tuple[object, str] = (self, "")

    def add(self, path: str, value: object) -> None:
        """Notes that `path` was read and gave `value`."""
        self.paths.add(path)
        if value is None or isinstance(value, bool):
            self.last = (value, path)

    def forget_last(self) -> None:
        """Begins anew with the last plain value."""
        self.last = (self, "")

    def path_of_last(self, value: object) -> str | None:
        """Where `value` was read, if it is the plain value that was read last."""
        return self.last[1] if self.last[0] is value else None


def step(path: str, key: object) -> str:
    """The path of an entry: `a.b` for names, `a["odd key"]` for other keys, `a[0]` for places in lists."""
    if isinstance(key, str):
        return f"{path}.{key}" if _NAME.match(key) else f'{path}["{key}"]'
    return f"{path}[{key}]"


def owned(value: Any, path: str, reads: Reads) -> Any:
    """`value` and all in it, knowing their paths."""
    if isinstance(value, str):
        return OwnedText(value, [Run(len(value), path, 0, len(value))] if value else [])
    if isinstance(value, dict):
        below = ((key, each, step(path, key)) for key, each in value.items())
        return OwnedDict({_owned_key(key, own): owned(each, own, reads) for key, each, own in below}, path, reads)
    if isinstance(value, list):
        return OwnedList((owned(each, step(path, index), reads) for index, each in enumerate(value)), path, reads)
    return owned_number(value, path) if type(value) in (int, float) else value


def _owned_key(key: str, path: str) -> str:
    return OwnedText(key, [Run(len(key), path)] if key else [])


def owned_number(value: float, path: str) -> float:
    """A number that came from `path`."""
    return OwnedInt(value)._at(path) if isinstance(value, int) else OwnedFloat(value)._at(path)


class OwnedInt(int):
    """A whole number that knows its path."""

    _knows_path = True
    _path: str

    def _at(self, path: str) -> "OwnedInt":
        self._path = path
        return self


class OwnedFloat(float):
    """A number that knows its path."""

    _knows_path = True
    _path: str

    def _at(self, path: str) -> "OwnedFloat":
        self._path = path
        return self


class OwnedList(list[Any]):
    """A list that knows its path and logs what is read of it."""

    _knows_path = True

    def __init__(self, values: Iterable[Any], path: str, reads: Reads) -> None:
        super().__init__(values)
        self._path = path
        self._reads = reads

    def __iter__(self) -> Iterator[Any]:
        for index, value in enumerate(super().__iter__()):
            self._reads.add(step(self._path, index), value)
            yield value

    def __getitem__(self, index: Any) -> Any:
        value = super().__getitem__(index)
        if isinstance(index, int):
            self._reads.add(step(self._path, index if index >= 0 else index + len(self)), value)
        return value


class OwnedDict(dict[Any, Any]):
    """A dict that knows its path and logs what is read of it; asking whether a key is there is a read too."""

    _knows_path = True

    def __init__(self, values: dict[Any, Any], path: str, reads: Reads) -> None:
        super().__init__(values)
        self._path = path
        self._reads = reads

    def __getitem__(self, key: Any) -> Any:
        value = super().__getitem__(key)
        self._reads.add(step(self._path, key), value)
        return value

    def __contains__(self, key: object) -> bool:
        found = super().__contains__(key)
        if found:
            self._reads.add(step(self._path, key), self)
        return found

    def get(self, key: Any, default: Any = None) -> Any:
        return self[key] if super().__contains__(key) else default

    def items(self) -> Any:
        pairs = super().items()
        for key, value in pairs:
            self._reads.add(step(self._path, key), value)
        return pairs

    def values(self) -> Any:
        for key, value in super().items():
            self._reads.add(step(self._path, key), value)
        return super().values()


def leaf_paths(value: Any, path: str) -> Iterator[str]:
    """The paths of all that stands in `value`, a container's own path only where it is empty."""
    if isinstance(value, dict) and value:
        for key, each in value.items():
            yield from leaf_paths(each, step(path, key))
    elif isinstance(value, list) and value:
        for index, each in enumerate(value):
            yield from leaf_paths(each, step(path, index))
    else:
        yield path


def plain(value: Any) -> Any:
    """`value` as JSON's own types again, for what must not see ours."""
    if isinstance(value, dict):
        return {plain(key): plain(each) for key, each in dict.items(value)}
    if isinstance(value, list):
        return [plain(each) for each in list.__iter__(value)]
    return cast("Any", str.__str__(value)) if isinstance(value, OwnedText) else value
