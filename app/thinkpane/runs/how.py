"""How the bytes of a reply are read: what a run keeps of it, so that the same bytes can be read otherwise later."""

from dataclasses import dataclass, field

from thinkpane.endpoints.dialects._api import DEFAULT_LIMITS, DecodeOptions, Decoder, Dialect, Limits


@dataclass(frozen=True, slots=True)
class How:
    """dialect: the wire format. streamed: a stream was asked for, not one JSON body."""

    dialect: Dialect
    options: DecodeOptions = field(default_factory=DecodeOptions)
    limits: Limits = DEFAULT_LIMITS
    streamed: bool = True

    def decoder(self) -> Decoder:
        """A new decoder that reads so."""
        make = self.dialect.decoder if self.streamed else self.dialect.answer_decoder
        return make(self.options, self.limits)
