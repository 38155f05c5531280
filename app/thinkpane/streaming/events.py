"""The internal event model: what any dialect's reply decodes to (source: the house's wire-format notes, section 0).

Events are small frozen values without behaviour. A decoder (endpoints/dialects) makes them, a transcript
(streaming/transcript.py) adds them up, the panes show them.
"""

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from thinkpane.errors import Problem
from thinkpane.formats.json_values import JsonObject

ThinkingSource: TypeAlias = str
"""Why text is believed to be thinking: "field: reasoning_content", "tag: <think>", "opened by the prompt", …"""

WHOLE_BLOCK = "block: "
"""How the source of thinking starts that a server sends as blocks of their own; a blank line stands between them."""


@dataclass(frozen=True, slots=True)
class Started:
    """The reply began. id and model are the server's own words, "" where it does not say."""

    id: str = ""
    model: str = ""


@dataclass(frozen=True, slots=True)
class ThinkingDelta:
    """More thinking text. block: key of the block it belongs to (a new key opens a new block)."""

    text: str
    source: ThinkingSource
    block: str = ""


@dataclass(frozen=True, slots=True)
class ThinkingOpaque:
    """Thinking that cannot be read: a signature of it, or a redacted (encrypted) block."""

    what: Literal["signature", "redacted"]
    data: str
    block: str = ""


@dataclass(frozen=True, slots=True)
class AnswerDelta:
    """More answer text."""

    text: str
    block: str = ""


@dataclass(frozen=True, slots=True)
class AnswerWasThinking:
    """A closing tag came that nothing had opened: all answer text so far was thinking. source: why that is believed."""

    source: ThinkingSource


@dataclass(frozen=True, slots=True)
class ToolDelta:
    """A piece of a tool call.

    key: which call. id, name: as far as they are known now, where this piece says something new about them.
    arguments: more of the JSON text.
    """

    key: str
    id: str | None = None
    name: str | None = None
    arguments: str = ""


@dataclass(frozen=True, slots=True)
class UsageReport:
    """Token counts as the server sent them."""

    usage: JsonObject


@dataclass(frozen=True, slots=True)
class TimingsReport:
    """The server's own timings as it sent them (llama.cpp)."""

    timings: JsonObject


@dataclass(frozen=True, slots=True)
class Finish:
    """The server says why it stopped, in its own word."""

    reason: str


@dataclass(frozen=True, slots=True)
class Warned:
    """Something a person should know about the reply. id: a fixed short word; message: one sentence."""

    id: str
    message: str


@dataclass(frozen=True, slots=True)
class Failed:
    """The reply failed; what came before stays. problem.kind: server, incomplete, not_a_stream, limit, network, …"""

    problem: Problem


@dataclass(frozen=True, slots=True)
class Unknown:
    """An event nobody here knows; kept and shown, never fatal."""

    name: str
    data: JsonObject = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Ended:
    """The last event of every reply. clean: a finish mark was seen and no error."""

    clean: bool


Event: TypeAlias = (
    Started
    | ThinkingDelta
    | ThinkingOpaque
    | AnswerDelta
    | AnswerWasThinking
    | ToolDelta
    | UsageReport
    | TimingsReport
    | Finish
    | Warned
    | Failed
    | Unknown
    | Ended
)
