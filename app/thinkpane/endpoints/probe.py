"""Finds out by trying how a server's chat completions are switched: tiny requests, one field of its variant at a time.

Nothing is believed for being accepted: most servers ignore what they do not know (wire-format notes, section 3). A
field counts as working where the reply or the count of the prompt's tokens changes as it must.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from thinkpane.endpoints.asking import Answer
from thinkpane.endpoints.deadlines import Deadlines
from thinkpane.endpoints.dialects._api import Call, DecodeOptions
from thinkpane.endpoints.dialects._errors import http_problem
from thinkpane.endpoints.dialects._registry import dialect_named
from thinkpane.endpoints.dialects._requests import merged
from thinkpane.endpoints.server import Server
from thinkpane.endpoints.variants import Variant
from thinkpane.errors import ThinkpaneError
from thinkpane.formats.json_values import JsonObject, JsonValue
from thinkpane.streaming.transcript import Transcript

Outcome: TypeAlias = Literal["works", "ignored", "refused", "unknown"]

FEW, MORE = 4, 12
"""Tokens that are asked for: where the reply does not matter, and where its thinking must show."""

DEADLINES = Deadlines(connect=10.0, headers=240.0, idle=60.0)
"""For one try; a machine that is busy makes a few tokens a second, and the prompt comes before them."""

_ONE_ANSWER = ("timeout", "incomplete", "limit", "compression")
"""Faults of one answer, after which the next try may go well."""

_ON, _OFF = True, False
_SWITCHES: tuple[tuple[JsonObject, JsonObject], ...] = (
    (
        {"chat_template_kwargs": {"enable_thinking": _ON, "thinking": _ON}},
        {"chat_template_kwargs": {"enable_thinking": _OFF, "thinking": _OFF}},
    ),
    ({"thinking": {"type": "enabled"}}, {"thinking": {"type": "disabled"}}),
    ({"enable_thinking": _ON}, {"enable_thinking": _OFF}),
    ({"reasoning_effort": "medium"}, {"reasoning_effort": "none"}),
    ({"reasoning": {"enabled": _ON}}, {"reasoning": {"enabled": _OFF}}),
)
_LIMITS = ("max_completion_tokens", "max_tokens")
_PARAMETERS: JsonObject = {"seed": 1, "top_k": 5, "min_p": 0.1, "logprobs": True, "repetition_penalty": 1.1, "n": 1}
_ASK: JsonObject = {"role": "user", "content": "Count from 1 to 9."}
_BEGUN = "1, 2, 3, 4, 5,"
_THOUGHT = "They want the numbers in order, with nothing before and nothing after, which is easy enough."


@dataclass(frozen=True, slots=True)
class Finding:
    """What came of one field. name: the variant's; tried: what was sent; detail: one sentence."""

    name: str
    outcome: Outcome
    detail: str
    tried: JsonValue = None


@dataclass(frozen=True, slots=True)
class Probed:
    """All findings in order, and the fields of the variant that they say are otherwise."""

    findings: tuple[Finding, ...] = ()
    edits: Mapping[str, JsonValue] = field(default_factory=dict)


def probe(server: Server, model: str, variant: Variant, tell: Callable[[Finding], None]) -> Probed:
    """Tries one field after another and tells each finding at once; waits for every answer.

    Raises ThinkpaneError where the plainest request already fails, or the server breaks off in between.
    """
    return _Probe(server, model, variant, tell).run()


@dataclass(frozen=True, slots=True)
class _Reply:
    """An answer, read. error: the server's words where it refused."""

    status: int
    transcript: Transcript
    error: str = ""

    @property
    def is_good(self) -> bool:
        return self.status == 200 and not self.error

    def tokens(self, name: str) -> int | None:
        """A count of its usage."""
        value = (self.transcript.usage or {}).get(name)
        return value if isinstance(value, int) else None


class _Probe:
    def __init__(self, server: Server, model: str, variant: Variant, tell: Callable[[Finding], None]) -> None:
        self._server = server
        self._model = model
        self._variant = variant
        self._tell = tell
        self._dialect = dialect_named("openai-chat")
        self._findings: list[Finding] = []
        self._edits: dict[str, JsonValue] = {}
        self._sources: list[str] = []
        self._limit = variant.token_limit or "max_tokens"

    def run(self) -> Probed:
        plain = self._ask({}, FEW)
        if not plain.is_good:
            self._limit = next(each for each in _LIMITS if each != self._limit)
            again = self._ask({}, FEW)
            if not again.is_good:
                raise ThinkpaneError(http_problem(plain.status, {}, plain.error.encode()))
            plain = again
        self._try_token_limit()
        self._try_thinking()
        self._try_effort()
        self._try_history()
        self._try_prefill(plain)
        self._try_stream_usage()
        self._try_parameters()
        self._say_where_thinking_arrives()
        return Probed(tuple(self._findings), dict(self._edits))

    def _try_token_limit(self) -> None:
        own, good = self._variant.token_limit, list[str]()
        for name in _LIMITS:
            self._limit = name
            reply = self._ask({}, FEW)
            count = reply.tokens("completion_tokens")
            if reply.is_good and count is not None and count <= FEW:
                good.append(name)
        self._limit = own if own in good else good[0] if good else own or "max_tokens"
        if not good:
            self._say("token_limit", "unknown", "Neither name was seen to bound the reply.", list(_LIMITS))
            return
        verb = "bound" if len(good) > 1 else "bounds"
        self._say("token_limit", "works", f"“{'” and “'.join(good)}” {verb} the reply.", list(good))
        if own not in good and not (own == "" and len(good) == len(_LIMITS)):
            self._edit("token_limit", good[0])

    def _try_thinking(self) -> None:
        own = self._variant
        pairs = [(dict(own.on), dict(own.off))] if own.on and own.off else []
        pairs += [each for each in _SWITCHES if each not in pairs]
        refused = 0
        for on, off in pairs:
            with_, without = self._ask(on, MORE), self._ask(off, MORE)
            refused += not (with_.is_good and without.is_good)
            if not (with_.is_good and without.is_good):
                continue
            changes = with_.tokens("prompt_tokens") != without.tokens("prompt_tokens")
            if with_.transcript.thinking and not without.transcript.thinking:
                self._say("on", "works", "Thinking comes and goes with it.", [on, off])
            elif changes:
                self._say("on", "works", "The prompt changes with it, but no thinking was seen.", [on, off])
            else:
                continue
            self._edit("on", on)
            self._edit("off", off)
            return
        outcome: Outcome = "refused" if refused == len(pairs) else "ignored"
        self._say("on", outcome, "None of the known switches changed anything.", None)

    def _try_effort(self) -> None:
        path = self._variant.effort or "reasoning_effort"
        low, strange = self._ask(_at(path, "low"), FEW), self._ask(_at(path, "thinkpane-probe"), FEW)
        high = self._ask(_at(path, "high"), FEW)
        if not low.is_good:
            self._say("effort", "refused", f"“{path}” is not taken: {low.error[:120]}", path)
        elif low.tokens("prompt_tokens") != high.tokens("prompt_tokens"):
            self._say("effort", "works", f"The prompt changes with “{path}”.", path)
            self._edit("effort", path)
        elif not strange.is_good:
            self._say("effort", "works", f"“{path}” is read: a word that it does not know is refused.", path)
            self._edit("effort", path)
        else:
            self._say("effort", "ignored", f"“{path}” is accepted, and changes nothing that can be seen.", path)

    def _try_history(self) -> None:
        turn: JsonObject = {"role": "assistant", "content": "1, 2, 3."}
        base = self._ask({}, FEW, [_ASK, turn, _ASK])
        refused = False
        for name in dict.fromkeys((self._variant.history or "reasoning_content", "reasoning_content", "reasoning")):
            if name in ("content", "reasoning_details"):
                continue
            reply = self._ask({}, FEW, [_ASK, {**turn, name: _THOUGHT}, _ASK])
            refused = refused or not reply.is_good
            before, after = base.tokens("prompt_tokens"), reply.tokens("prompt_tokens")
            if reply.is_good and before is not None and after is not None and after > before:
                self._say("history", "works", f"Earlier thinking in “{name}” is in the prompt.", name)
                self._edit("history", name)
                return
        outcome: Outcome = "refused" if refused else "ignored"
        self._say("history", outcome, "Earlier thinking was not seen to reach the prompt.", None)

    def _try_prefill(self, plain: _Reply) -> None:
        last: JsonObject = {"role": "assistant", "content": _BEGUN}
        closed = self._ask({}, FEW, [_ASK, last, {"role": "user", "content": "."}])
        tries: tuple[tuple[str, JsonObject, JsonObject], ...] = (
            ("trailing", last, {}),
            ("continue_final_message", last, {"add_generation_prompt": False, "continue_final_message": True}),
            ("prefix", {**last, "prefix": True}, {}),
            ("partial", {**last, "partial": True}, {}),
        )
        refused = 0
        for style, message, extra in tries:
            reply = self._ask(extra, FEW, [_ASK, message])
            refused += not reply.is_good
            said = reply.transcript.answer.strip().removeprefix(_BEGUN).strip()
            if reply.is_good and said[:1] == "6":
                self._say("prefill", "works", f"The reply goes on where the message ends ({style}).", style)
                self._edit("prefill", style)
                return
        several = plain.is_good and closed.is_good
        outcome: Outcome = "refused" if refused == len(tries) and several else "unknown"
        self._say("prefill", outcome, "No style was seen to continue a message; a small model may not count.", None)

    def _try_stream_usage(self) -> None:
        reply = self._ask({"stream": True, "stream_options": {"include_usage": True}}, FEW)
        if not reply.is_good:
            self._say("stream_usage", "refused", f"stream_options is not taken: {reply.error[:120]}", None)
            self._edit("stream_usage", False)
        elif reply.transcript.usage:
            self._say("stream_usage", "works", "A stream ends with its counts.", None)
            self._edit("stream_usage", True)
        else:
            self._say("stream_usage", "ignored", "stream_options is accepted, but no counts came.", None)

    def _try_parameters(self) -> None:
        lacks: list[JsonValue] = [
            name for name, value in _PARAMETERS.items() if not self._ask({name: value}, FEW).is_good
        ]
        known = ", ".join(_PARAMETERS)
        said = f"Refused: {', '.join(map(str, lacks))}." if lacks else f"None of {known} is refused."
        self._say("lacks", "refused" if lacks else "works", said, lacks or None)
        kept: list[JsonValue] = [name for name in self._variant.lacks if name not in _PARAMETERS or name in lacks]
        self._edit("lacks", [*kept, *(name for name in lacks if name not in kept)])

    def _say_where_thinking_arrives(self) -> None:
        if not self._sources:
            self._say("arrives", "unknown", "No thinking was seen.", None)
            return
        places = [
            each.removeprefix("field: ") if each.startswith("field: ") else "think tags" for each in self._sources
        ]
        found = list(dict.fromkeys(places))
        self._say("arrives", "works", f"Thinking arrives in {', '.join(found)}.", None)
        self._edit("arrives", list(found))

    def _ask(self, extra: JsonObject, limit: int, messages: list[JsonValue] | None = None) -> _Reply:
        asked: list[JsonValue] = messages if messages is not None else [_ASK]
        call = Call("chat", self._model, messages=asked, stream=bool(extra.get("stream")))
        request = self._dialect.request(self._server.endpoint.base_url, call)
        own: JsonObject = {"model": self._model} if self._model else {}
        own |= {"messages": asked, "stream": call.stream, "temperature": 0, self._limit: limit}
        body = merged(merged(own, self._server.endpoint.extra_body), extra)
        try:
            reply = self._read(self._server.sent(replace(request, body=body)), streamed=call.stream)
        except ThinkpaneError as error:
            if error.problem.kind not in _ONE_ANSWER:
                raise
            reply = _Reply(0, Transcript(), error.problem.message)
        self._sources += [block.source for block in reply.transcript.thinking_blocks if block.text]
        return reply

    def _read(self, answer: Answer, *, streamed: bool) -> _Reply:
        transcript = Transcript()
        if answer.status != 200:
            words = answer.body.decode("utf-8", "replace")
            return _Reply(answer.status, transcript, words or f"HTTP {answer.status}")
        make = self._dialect.decoder if streamed else self._dialect.answer_decoder
        decoder = make(DecodeOptions())
        transcript.apply_all(decoder.feed(answer.body))
        transcript.apply_all(decoder.close())
        problem = transcript.problem
        return _Reply(answer.status, transcript, problem.message if problem is not None else "")

    def _say(self, name: str, outcome: Outcome, detail: str, tried: JsonValue) -> None:
        finding = Finding(name, outcome, detail, tried)
        self._findings.append(finding)
        self._tell(finding)

    def _edit(self, name: str, value: JsonValue) -> None:
        """Keeps what works where the variant says otherwise."""
        if self._variant.as_json().get(name) != value:
            self._edits[name] = value


def _at(path: str, value: JsonValue) -> JsonObject:
    """{"a": {"b": value}} for "a.b"."""
    first, _, rest = path.partition(".")
    return {first: _at(rest, value)} if rest else {first: value}
