"""A run of before sent once more: the very body that went out then, whatever the document says by now."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from thinkpane.endpoints.dialects._api import (
    DEFAULT_LIMITS,
    Call,
    DecodeOptions,
    Decoder,
    Dialect,
    HttpRequest,
    Limits,
    SendPath,
)
from thinkpane.endpoints.dialects._registry import dialect_named
from thinkpane.endpoints.dialects._requests import merged
from thinkpane.endpoints.profile import Endpoint
from thinkpane.endpoints.redact import masked_url
from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats.json_values import JsonObject, JsonValue
from thinkpane.runs.calls import request_for, variant_of
from thinkpane.runs.pair import PairPlace
from thinkpane.runs.run import Run

_CUT = re.compile(r"data:.{0,59}… \(\d[\d,]* characters\)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Repeated:
    """All that sending it takes. place: the new run's in its pair. options: how the first reply was read."""

    endpoint: Endpoint
    dialect: Dialect
    call: Call
    options: DecodeOptions
    place: PairPlace
    body: JsonObject


class AsSent:
    """A dialect that sends one body as it was sent, and reads as ever."""

    def __init__(self, dialect: Dialect, body: JsonObject) -> None:
        self._dialect = dialect
        self._body = body

    @property
    def name(self) -> str:
        """The dialect's own."""
        return self._dialect.name

    @property
    def title(self) -> str:
        """The dialect's own."""
        return self._dialect.title

    @property
    def path(self) -> SendPath:
        """The dialect's own."""
        return self._dialect.path

    @property
    def counterpart(self) -> str:
        """The dialect's own."""
        return self._dialect.counterpart

    def url(self, base_url: str) -> str:
        """The dialect's own."""
        return self._dialect.url(base_url)

    def request(self, base_url: str, call: Call) -> HttpRequest:
        """The dialect's request with the body in place of what the call says, but for whether it streams."""
        made = self._dialect.request(base_url, _bare(call))
        body = {key: value for key, value in self._body.items() if key != "stream_options" or call.stream}
        return replace(made, body=body | {"stream": call.stream}, warnings=())

    def decoder(self, options: DecodeOptions, limits: Limits = DEFAULT_LIMITS) -> Decoder:
        """The dialect's own."""
        return self._dialect.decoder(options, limits)

    def answer_decoder(self, options: DecodeOptions, limits: Limits = DEFAULT_LIMITS) -> Decoder:
        """The dialect's own."""
        return self._dialect.answer_decoder(options, limits)

    def error(self, status: int, headers: Mapping[str, str], body: bytes) -> Problem:
        """The dialect's own."""
        return self._dialect.error(status, headers, body)


def repeated(run: Run, endpoint: Endpoint, place: PairPlace) -> Repeated:
    """What `run` sent, with the place's sampling laid over it. endpoint: the one of its name, as it is now.

    Raises ThinkpaneError (kind "repeat") where the request cannot go out again as it was: its endpoint leads elsewhere
    by now, or its pictures are not kept.
    """
    if run.how is None:
        raise _refused("the journal does not say how its reply is to be read")
    if _has_cut(run.request.body):
        raise _refused("journals keep only the beginnings of its pictures and files")
    body, dialect = run.request.body, dialect_named(run.how.dialect.name)
    model, prompt = body.get("model"), body.get("prompt")
    call = Call(
        dialect.path,
        model if isinstance(model, str) else "",
        messages=body.get("messages") if dialect.path == "chat" else None,
        prompt=prompt if isinstance(prompt, str) else run.prompt,
        variant=variant_of(endpoint),
    )
    if masked_url(request_for(endpoint, dialect, _bare(call)).url) != masked_url(run.request.url):
        raise _refused(f"the endpoint “{endpoint.name}” leads to another address now")
    body = merged(body, _in_its_words(dialect, endpoint.base_url, call, place.params))
    return Repeated(endpoint, AsSent(dialect, body), call, run.how.options, place, body)


def _in_its_words(dialect: Dialect, base_url: str, call: Call, params: Mapping[str, JsonValue]) -> JsonObject:
    """The part of a body that says that sampling in this dialect."""
    without, with_it = (dialect.request(base_url, replace(_bare(call), params=each)).body for each in ({}, params))
    return {key: value for key, value in with_it.items() if without.get(key) != value}


def _bare(call: Call) -> Call:
    """The same with next to nothing said."""
    messages: JsonValue = [{"role": "user", "content": ""}] if call.path == "chat" else None
    return Call(call.path, call.model, messages, prompt=call.prompt, stream=call.stream, variant=call.variant)


def _has_cut(value: JsonValue) -> bool:
    match value:
        case str():
            return value.startswith("data:") and _CUT.fullmatch(value) is not None
        case list():
            return any(map(_has_cut, value))
        case dict():
            return any(map(_has_cut, value.values()))
    return False


def _refused(why: str) -> ThinkpaneError:
    sentence = f"Nothing was sent: {why}, so that the earlier request cannot go out again."
    return ThinkpaneError(Problem("repeat", sentence))
