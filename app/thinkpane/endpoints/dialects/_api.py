"""What a dialect is: how one wire format asks and how its reply is read. Pure: no IO in any dialect."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeAlias

from thinkpane.endpoints.connection import USUAL, Connection
from thinkpane.endpoints.variants import GENERIC, Variant
from thinkpane.errors import Problem
from thinkpane.formats.json_values import JsonObject, JsonValue
from thinkpane.streaming.events import Event

SendPath: TypeAlias = Literal["chat", "raw"]


@dataclass(frozen=True, slots=True)
class Call:
    """What is to be asked, before any wire format.

    messages: for the chat path; prompt: for the raw path, sent exactly.
    variables: template variables; thinking, effort: the decision of the controls, None = say nothing.
    params: sampling by its common names (temperature, top_p, max_tokens, stop, seed, …); only what is to be sent.
    extra_body: laid over the finished body. reasoning_in_history: earlier thinking goes along in its messages.
    continue_final: the last message is to be continued (true, or the name of its field).
    variant: the server's ways of chat completions; other dialects have none.
    """

    path: SendPath
    model: str = ""
    messages: JsonValue = None
    tools: list[JsonValue] | None = None
    documents: list[JsonValue] | None = None
    prompt: str | None = None
    variables: Mapping[str, JsonValue] = field(default_factory=dict)
    thinking: bool | None = None
    effort: str | None = None
    params: Mapping[str, JsonValue] = field(default_factory=dict)
    extra_body: Mapping[str, JsonValue] = field(default_factory=dict)
    stream: bool = True
    reasoning_in_history: bool = True
    continue_final: bool | str = False
    variant: Variant = GENERIC


@dataclass(frozen=True, slots=True)
class SecretHeader:
    """Which header carries the key, and what stands before it. The key itself is added by the client only."""

    name: str = "Authorization"
    prefix: str = "Bearer "


BEARER = SecretHeader()


@dataclass(frozen=True, slots=True)
class HttpRequest:
    """One request, complete but for the key.

    warnings: what could not be said in this dialect. connection: how its server is reached.
    """

    method: str
    url: str
    headers: tuple[tuple[str, str], ...]
    body: JsonObject
    secret: SecretHeader = BEARER
    warnings: tuple[Problem, ...] = ()
    connection: Connection = USUAL


@dataclass(frozen=True, slots=True)
class Continued:
    """What the request's last message holds, where it is the assistant's own: the reply may go on with it."""

    thinking: str = ""
    answer: str = ""


NOTHING_CONTINUED = Continued()


@dataclass(frozen=True, slots=True)
class DecodeOptions:
    """How a reply is to be read.

    think_mode: leading = a tag block counts only while the answer is still blank; anywhere = also later, outside code.
    think_tags: pairs (open, close); None = the usual four (think, thinking, thought, reasoning).
    prompt_opens_thinking: the prompt ended inside an open thinking block.
    channels: "harmony" reads gpt-oss channel tokens in text; "" does not.
    continued: what a server that sends one body may repeat before what the model wrote; it is no part of the reply.
    """

    think_mode: Literal["leading", "anywhere"] = "leading"
    think_tags: tuple[tuple[str, str], ...] | None = None
    prompt_opens_thinking: bool = False
    channels: Literal["", "harmony"] = ""
    continued: Continued = NOTHING_CONTINUED


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds while reading a reply (seed 003). Bytes for event and block; seconds for idle."""

    event_bytes: int = 1_000_000
    block_bytes: int = 10_000_000
    blocks: int = 100
    idle_seconds: float = 120.0


DEFAULT_LIMITS = Limits()


class Decoder(Protocol):
    """Reads one reply, bytes in, events out; the same events however the bytes are cut."""

    @property
    def is_over(self) -> bool:
        """True once nothing that may still come matters, so that reading can end there; `close` is still due."""

    def feed(self, data: bytes) -> list[Event]:
        """The events that `data` completes."""

    def close(self) -> list[Event]:
        """What remains when the body has ended, the last of them `Ended`. Called once."""


class Dialect(Protocol):
    """One wire format."""

    @property
    def name(self) -> str:
        """Its id in settings and on the command line, e.g. "openai-chat"."""

    @property
    def title(self) -> str:
        """Its name for people."""

    @property
    def path(self) -> SendPath:
        """The path it takes."""

    @property
    def counterpart(self) -> str:
        """The dialect that takes the other path at the same servers, "" where there is none."""

    def url(self, base_url: str) -> str:
        """Where requests go for a base URL as a person typed it."""

    def request(self, base_url: str, call: Call) -> HttpRequest:
        """The request for `call`. Raises ThinkpaneError where the call cannot be made in this dialect."""

    def decoder(self, options: DecodeOptions, limits: Limits = DEFAULT_LIMITS) -> Decoder:
        """A decoder for a streamed reply (Content-Type text/event-stream or what the dialect streams)."""

    def answer_decoder(self, options: DecodeOptions, limits: Limits = DEFAULT_LIMITS) -> Decoder:
        """A decoder for a reply that is one JSON body."""

    def error(self, status: int, headers: Mapping[str, str], body: bytes) -> Problem:
        """The one sentence for an HTTP error answer: the server's own text, status, retry_after, class."""
