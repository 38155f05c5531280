"""How the bytes of a reply are read: what a run keeps of it, so that the same bytes can be read otherwise later."""

from dataclasses import dataclass, field, replace

from thinkpane.endpoints.dialects._api import (
    DEFAULT_LIMITS,
    NOTHING_CONTINUED,
    Continued,
    DecodeOptions,
    Decoder,
    Dialect,
    Limits,
)


@dataclass(frozen=True, slots=True)
class How:
    """dialect: the wire format. streamed: a stream was asked for, not one JSON body.

    continued: what the request's last message held.
    """

    dialect: Dialect
    options: DecodeOptions = field(default_factory=DecodeOptions)
    limits: Limits = DEFAULT_LIMITS
    streamed: bool = True
    continued: Continued = NOTHING_CONTINUED

    def decoder(self) -> Decoder:
        """A new decoder that reads so."""
        make = self.dialect.decoder if self.streamed else self.dialect.answer_decoder
        return make(replace(self.options, continued=self.continued), self.limits)
