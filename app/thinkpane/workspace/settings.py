"""The settings: a declared list, and the file that holds those that a person changed.

The file is one JSON object; a name "limits.blocks" is the key "blocks" of the object "limits". Keys that nobody here
knows are kept and written back.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats.json_values import JsonObject, JsonValue
from thinkpane.formats.strict_json import dump, parse_bytes
from thinkpane.workspace.atomic_file import file_error, read_file, write_atomically

SettingValue: TypeAlias = str | int | float | bool


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting. The type of `default` is the setting's type; a float takes whole numbers too.

    choices: the only texts allowed, () = any. low, high: bounds of a number, both allowed. unit: for the dialog.
    """

    name: str
    default: SettingValue
    title: str
    help: str
    choices: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None
    unit: str = ""

    def checked(self, value: JsonValue) -> SettingValue:
        """`value` in the setting's type. Raises ThinkpaneError (kind "settings") saying what is allowed."""
        if isinstance(self.default, float) and isinstance(value, int) and not isinstance(value, bool):
            value = float(value)
        if type(value) is not type(self.default) or not self._is_allowed(value):
            sentence = f"The setting {self.name} is {dump(value, indent=None)}, but must be {self.allowed()}."
            raise ThinkpaneError(Problem("settings", sentence, field=self.name))
        return value

    def allowed(self) -> str:
        """What values it takes, in words."""
        if self.choices:
            return "one of " + ", ".join(self.choices)
        kind = {bool: "true or false", str: "text", int: "a whole number", float: "a number"}[type(self.default)]
        if self.low is not None and self.high is not None:
            return f"{kind} from {self.low:g} to {self.high:g}"
        return kind

    def _is_allowed(self, value: SettingValue) -> bool:
        if isinstance(value, str):
            return not self.choices or value in self.choices
        return (self.low is None or value >= self.low) and (self.high is None or value <= self.high)


SETTINGS: tuple[Setting, ...] = (
    Setting("theme", "system", "Theme", "Dark, light, or as the system has it.", choices=("system", "dark", "light")),
    Setting("zoom", 1.0, "Zoom", "Size of all text.", low=0.5, high=3.0),
    Setting("prompt.shaded", False, "Shade tokens", "Every token of the prompt is shaded."),
    Setting("prompt.ids", False, "Token ids", "Ids stand below each line of the prompt."),
    Setting("prompt.invisible", False, "Invisible characters", "The prompt has marks for them."),
    Setting("output.markdown", True, "Render answers", "Shows Markdown as it is meant; else the characters that came."),
    Setting(
        "output.order",
        "grouped",
        "Order of the output",
        "Thinking, answer and tool calls each together, or in the order in which they came.",
        choices=("grouped", "arrival"),
    ),
    Setting(
        "thinking.mode",
        "leading",
        "Think tags count",
        "A think tag counts only before the answer begins, or anywhere in it outside code.",
        choices=("leading", "anywhere"),
    ),
    Setting(
        "limits.event_bytes",
        1_000_000,
        "Largest event",
        "A reply with a larger event is cut off.",
        low=1_000,
        high=1_000_000_000,
        unit="bytes",
    ),
    Setting(
        "limits.block_bytes",
        10_000_000,
        "Largest block",
        "A reply with a larger block of text is cut off.",
        low=1_000,
        high=1_000_000_000,
        unit="bytes",
    ),
    Setting("limits.blocks", 100, "Most blocks", "A reply with more blocks than this is cut off.", low=1, high=100_000),
    Setting(
        "limits.idle_seconds",
        120.0,
        "Longest silence",
        "A reply that sends nothing for this long is cut off.",
        low=1.0,
        high=86_400.0,
        unit="s",
    ),
    Setting(
        "loop_guard.blocks",
        3,
        "Loop guard",
        "The guard stops a reply when this many thinking blocks follow each other without a tool call; 0 is off.",
        low=0,
        high=1_000,
        unit="blocks",
    ),
    Setting("demo.speed", 1.0, "Demo speed", "How fast recorded replies play; 0 plays at once.", low=0.0, high=100.0),
    Setting(
        "deadlines.render_seconds",
        2.0,
        "Time for a template",
        "A template that renders longer is stopped.",
        low=0.1,
        high=60.0,
        unit="s",
    ),
    Setting(
        "deadlines.connect_seconds",
        10.0,
        "Time to connect",
        "A server that does not answer the call for this long counts as down.",
        low=0.5,
        high=600.0,
        unit="s",
    ),
    Setting(
        "deadlines.headers_seconds",
        120.0,
        "Time to answer",
        "A server that has not begun to answer for this long is given up; a long prompt may take it that long.",
        low=1.0,
        high=86_400.0,
        unit="s",
    ),
    Setting(
        "deadlines.first_event_seconds",
        0.0,
        "Time to the first event",
        "A reply that shows only signs of life for this long is given up; 0 waits as long as it takes.",
        low=0.0,
        high=86_400.0,
        unit="s",
    ),
    Setting(
        "deadlines.total_seconds",
        0.0,
        "Time for a reply",
        "A reply that is not whole after this long is cut off; 0 waits as long as it takes.",
        low=0.0,
        high=86_400.0,
        unit="s",
    ),
    Setting(
        "retries.times",
        2,
        "Ask again",
        "How often a server that has no room is asked again, where it says when; never once a reply has begun.",
        low=0,
        high=20,
        unit="times",
    ),
)
BY_NAME: Mapping[str, Setting] = {each.name: each for each in SETTINGS}


class Settings:
    """The settings in force. `problems`: what the file has that cannot be used; the defaults hold in its place."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._data: JsonObject = {}
        self._listeners: list[Callable[[str], None]] = []
        self.problems: list[Problem] = []
        self._is_readable = True
        self._read()

    def get(self, name: str) -> SettingValue:
        """The value of a setting. Raises KeyError for a name that is not declared."""
        setting = BY_NAME[name]
        found = _lookup(self._data, name)
        if found is None:
            return setting.default
        try:
            return setting.checked(found)
        except ThinkpaneError:
            return setting.default

    def text(self, name: str) -> str:
        """The value of a setting that is text."""
        found = self.get(name)
        assert isinstance(found, str)
        return found

    def number(self, name: str) -> float:
        """The value of a setting that is a number of any kind."""
        found = self.get(name)
        assert isinstance(found, int | float)
        return float(found)

    def whole(self, name: str) -> int:
        """The value of a setting that is a whole number."""
        found = self.get(name)
        assert isinstance(found, int)
        return found

    def set(self, name: str, value: SettingValue) -> None:
        """Puts a value in force and into the file; a default is taken out of the file.

        Raises ThinkpaneError: kind "settings" where the value is not allowed, "file" where it is in force but could
        not be written. KeyError for a name that is not declared.
        """
        setting = BY_NAME[name]
        checked = setting.checked(value)
        self._data = _with(self._data, name.split("."), None if checked == setting.default else checked)
        self.problems = [each for each in self.problems if each.field != name]
        for callback in tuple(self._listeners):
            callback(name)
        self._write()

    def listen(self, callback: Callable[[str], None]) -> Callable[[], None]:
        """Calls `callback` with the name of each setting that changes; calling the result ends that."""
        self._listeners.append(callback)

        def end() -> None:
            if callback in self._listeners:
                self._listeners.remove(callback)

        return end

    def _read(self) -> None:
        if not self._file.exists():
            return
        try:
            found = parse_bytes(read_file(self._file, at_most=1 << 24))
        except ThinkpaneError as fault:
            self._is_readable = False
            self.problems.append(Problem("settings", f"{self._file.name}: {fault.problem.message}"))
            return
        if not isinstance(found, dict):
            self._is_readable = False
            self.problems.append(Problem("settings", f"{self._file.name} must hold one JSON object."))
            return
        self._data = found
        for setting in SETTINGS:
            value = _lookup(found, setting.name)
            try:
                if value is not None:
                    setting.checked(value)
            except ThinkpaneError as fault:
                self.problems.append(fault.problem)

    def _write(self) -> None:
        # A file that could not be read may be a person's half-finished edit: it is put aside, not overwritten.
        if not self._is_readable:
            try:
                self._file.replace(self._file.with_suffix(".broken.json"))
            except OSError as fault:
                raise file_error(self._file, "put aside", fault) from None
            self._is_readable = True
        write_atomically(self._file, (dump(self._data) + "\n").encode("utf-8"))


def _lookup(data: JsonObject, name: str) -> JsonValue:
    found: JsonValue = data
    for key in name.split("."):
        found = found.get(key) if isinstance(found, dict) else None
    return found


def _with(data: JsonObject, keys: list[str], value: JsonValue) -> JsonObject:
    """`data` with the value at that place, None = without it; objects that end up empty go too."""
    first, rest = keys[0], keys[1:]
    if rest:
        inner = data.get(first)
        value = _with(inner if isinstance(inner, dict) else {}, rest, value) or None
    if value is None:
        return {key: each for key, each in data.items() if key != first}
    return {**data, first: value}
