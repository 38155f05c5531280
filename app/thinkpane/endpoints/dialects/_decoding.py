"""What all dialects do alike with a reply: which decoder reads it, and how an HTTP error becomes a sentence."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import ClassVar, Literal

from thinkpane.endpoints.dialects._api import DEFAULT_LIMITS, DecodeOptions, Decoder, Limits
from thinkpane.endpoints.dialects._body import BodyDecoder, ReplyReader
from thinkpane.endpoints.dialects._errors import http_problem
from thinkpane.endpoints.dialects._reply import Reply
from thinkpane.errors import Problem


class Decoding(ABC):
    """The reply side of a dialect."""

    name: str
    framing: ClassVar[Literal["sse", "ndjson"]] = "sse"

    @abstractmethod
    def _reader(self, reply: Reply) -> ReplyReader:
        """What fills `reply` from this dialect's values."""

    def decoder(self, options: DecodeOptions, limits: Limits = DEFAULT_LIMITS) -> Decoder:
        """For a streamed reply."""
        reply = Reply(options, limits)
        return self._decoder(reply, limits, streamed=True)

    def answer_decoder(self, options: DecodeOptions, limits: Limits = DEFAULT_LIMITS) -> Decoder:
        """For a reply that is one JSON body."""
        reply = Reply(options, limits)
        return self._decoder(reply, limits, streamed=False)

    def _decoder(self, reply: Reply, limits: Limits, *, streamed: bool) -> Decoder:
        reader = self._reader(reply)
        return BodyDecoder(reply, reader, limits, dialect=self.name, streamed=streamed, framing=self.framing)

    def error(self, status: int, headers: Mapping[str, str], body: bytes) -> Problem:
        """The one sentence for an HTTP error answer (kind "server")."""
        return http_problem(status, headers, body)
