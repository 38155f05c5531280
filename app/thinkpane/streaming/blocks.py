"""The blocks a transcript is made of. They grow while a reply streams; only their transcript changes them."""

from dataclasses import dataclass, field

from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats import strict_json
from thinkpane.formats.json_values import JsonValue
from thinkpane.streaming.events import WHOLE_BLOCK


class GrowingText:
    """Text that is appended to many times and read now and then: appending costs what the piece costs."""

    __slots__ = ("_pieces", "size")

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self.size = 0
        """Characters so far."""

    def append(self, text: str) -> None:
        """Adds `text` at the end."""
        self._pieces.append(text)
        self.size += len(text)

    def tail(self, start: int) -> str:
        """What stands from character `start` on; costs what that and its pieces cost, not what the whole does."""
        left = self.size - start
        if left <= 0:
            return ""
        found: list[str] = []
        for piece in reversed(self._pieces):
            found.append(piece)
            left -= len(piece)
            if left <= 0:
                break
        found.reverse()
        found[0] = found[0][-left:] if left else found[0]
        return "".join(found)

    def __str__(self) -> str:
        if len(self._pieces) > 1:
            self._pieces = ["".join(self._pieces)]
        return self._pieces[0] if self._pieces else ""


@dataclass(slots=True)
class ThinkingBlock:
    """One run of thinking.

    source: why it is believed to be thinking. signature: the server's proof of it, "" where none came.
    redacted: the server keeps its text to itself (encrypted, or left out). opaque: the encrypted text as it came.
    started, latest: seconds since the run began, of the first and the latest piece.
    """

    key: str
    source: str = ""
    signature: str = ""
    opaque: str = ""
    started: float = 0.0
    latest: float = 0.0
    growing: GrowingText = field(default_factory=GrowingText)

    @property
    def text(self) -> str:
        """All its text so far."""
        return str(self.growing)

    def tail(self, start: int) -> str:
        """Its text from character `start` on."""
        return self.growing.tail(start)

    @property
    def redacted(self) -> bool:
        """True where there is a block but its text is hidden."""
        return not self.growing.size and bool(self.signature or self.opaque)

    @property
    def stands_alone(self) -> bool:
        """True where a blank line parts it from the thinking before it."""
        return self.source.startswith(WHOLE_BLOCK)


@dataclass(slots=True)
class AnswerBlock:
    """One run of answer text. started, latest: seconds since the run began, of the first and the latest piece."""

    key: str
    started: float = 0.0
    latest: float = 0.0
    growing: GrowingText = field(default_factory=GrowingText)

    @property
    def text(self) -> str:
        """All its text so far."""
        return str(self.growing)

    def tail(self, start: int) -> str:
        """Its text from character `start` on."""
        return self.growing.tail(start)


@dataclass(slots=True)
class ToolCall:
    """One tool call. id: "" where the server sent none. started: seconds since the run began."""

    key: str
    id: str = ""
    name: str = ""
    started: float = 0.0
    latest: float = 0.0
    growing: GrowingText = field(default_factory=GrowingText)

    @property
    def arguments(self) -> str:
        """The arguments' JSON text as it came, whole or not."""
        return str(self.growing)

    @property
    def arguments_value(self) -> JsonValue:
        """The arguments as a value, None where they are no JSON (or JSON's null)."""
        try:
            return strict_json.parse(self.arguments)
        except ThinkpaneError:
            return None

    @property
    def arguments_problem(self) -> Problem | None:
        """Why the arguments are no JSON, with line and column; None where they are. Cut short counts as no JSON."""
        try:
            strict_json.parse(self.arguments)
        except ThinkpaneError as fault:
            return fault.problem
        return None
