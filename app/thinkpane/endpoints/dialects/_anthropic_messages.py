"""Conversations in Anthropic's form.

There the system text stands beside the messages, tool results are blocks of a user message, arguments are objects, and
thinking goes back only with the signature that came with it. What is lost is told.
"""

from collections.abc import Iterator

from thinkpane.endpoints.dialects._blocks import to_anthropic_block
from thinkpane.endpoints.dialects._turns import AskedCall, Turn, has_detail, left_over_warning, turns
from thinkpane.errors import Problem
from thinkpane.formats.json_values import JsonObject, JsonValue

_WIRE = "Anthropic"
_SYSTEM = ("system", "developer")


def to_anthropic(
    messages: list[JsonValue], warnings: list[Problem], *, thinking: bool = False
) -> tuple[JsonValue, list[JsonValue]]:
    """The system text ("" where there is none; text, or blocks where it has several) and the messages.

    thinking: it will be switched on, and then the server wants signed thinking back before every tool call.
    """
    return _Conversion(warnings, thinking).run(messages)


class _Conversion:
    """One conversation on its way."""

    def __init__(self, warnings: list[Problem], thinking: bool) -> None:
        self._warnings = warnings
        self._thinking = thinking
        self._system: list[JsonObject] = []
        self._system_is_plain = True
        self._found: list[JsonValue] = []
        self._open: list[str] = []
        self._results: list[JsonValue] | None = None

    def run(self, messages: list[JsonValue]) -> tuple[JsonValue, list[JsonValue]]:
        for turn in turns(messages):
            known = ("is_error",) if turn.role == "tool" else ()
            self._warnings += left_over_warning(turn, _WIRE, known)
            if turn.field("name") and turn.role != "tool":
                self._warn(turn, "field-not-sent", f"has a name, for which {_WIRE} has no place.")
            if turn.role in _SYSTEM:
                self._take_system(turn)
            elif turn.role == "tool":
                self._take_result(turn)
            elif turn.role == "assistant":
                self._results = None
                self._found.append({"role": "assistant", "content": self._assistant(turn)})
            else:
                self._take_user(turn)
        if len(self._system) == 1 and self._system_is_plain:
            return self._system[0]["text"], self._found
        return (list(self._system) if self._system else ""), self._found

    def _warn(self, turn: Turn, id: str, sentence: str) -> None:
        self._warnings.append(turn.warning(id, sentence))

    def _take_system(self, turn: Turn) -> None:
        if self._found:
            self._warn(turn, "system-moved", f"goes to the top: {_WIRE} has system text only there.")
        elif turn.role == "developer":
            self._warn(turn, "role-changed", f"is sent as system: {_WIRE} has no role developer.")
        self._system_is_plain = self._system_is_plain and isinstance(turn.data.get("content"), str)
        blocks = self._blocks(turn)
        if any(block.get("type") != "text" for block in blocks):
            self._warn(turn, "part-not-sent", f"has parts that are no text; {_WIRE} has only text in its system text.")
        self._system += [block for block in blocks if block.get("type") == "text"]

    def _take_user(self, turn: Turn) -> None:
        """Text right after tool results goes into their message, which has to hold all that follows the calls."""
        if turn.role != "user":
            self._warn(turn, "role-changed", f"is sent as user: {_WIRE} has no role {turn.role or '(none)'}.")
        blocks = self._blocks(turn)
        if self._results is not None:
            self._results += blocks
            self._results = None
            return
        content = turn.data.get("content")
        if not blocks:
            self._warn(turn, "message-empty", f"is empty, which {_WIRE} refuses.")
        self._found.append({"role": "user", "content": content if isinstance(content, str) else list(blocks)})

    def _take_result(self, turn: Turn) -> None:
        id = turn.call_id
        if not id and self._open:
            id = self._open[0]
            self._warn(turn, "tool-call-id-made", "answers no call by id; it is taken for the first open one.")
        elif id not in self._open:
            self._warn(turn, "tool-result-without-call", f"answers no call before it, which {_WIRE} refuses.")
        if id in self._open:
            self._open.remove(id)
        content = turn.data.get("content")
        result: JsonObject = {"type": "tool_result", "tool_use_id": id}
        if content is not None:
            result["content"] = content if isinstance(content, str) else list(self._blocks(turn))
        if turn.data.get("is_error") is not None:
            result["is_error"] = turn.data["is_error"]
        if self._results is None:
            self._results = []
            self._found.append({"role": "user", "content": self._results})
        self._results.append(result)

    def _assistant(self, turn: Turn) -> JsonValue:
        blocks: list[JsonValue] = [*self._thoughts(turn), *self._blocks(turn)]
        for number, call in enumerate(turn.calls, 1):
            blocks.append(self._tool_use(turn, call, number))
        content = turn.data.get("content")
        if isinstance(content, str) and blocks == [{"type": "text", "text": content}]:
            return content
        if not blocks:
            self._warn(turn, "message-empty", f"is empty, which {_WIRE} refuses.")
            return ""
        return blocks

    def _thoughts(self, turn: Turn) -> list[JsonObject]:
        signed = [block for block in turn.thinking_blocks if block.get("signature") or block.get("data")]
        if turn.thinking and not signed:
            sentence = f"has thinking without a signature; {_WIRE} takes none back, so it is not sent."
            self._warn(turn, "thinking-not-sent", sentence)
        elif signed and turn.thinking != _text_of(signed):
            self._warn(turn, "thinking-not-sent", "has other thinking than what is signed; the signed one is sent.")
        elif len(signed) < len(turn.thinking_blocks):
            self._warn(turn, "thinking-not-sent", "has a block of thinking without a signature; it is not sent.")
        if self._thinking and turn.calls and not signed:
            sentence = (
                "calls tools without its thinking block; with thinking on the server wants it back, signature and all."
            )
            self._warn(turn, "thinking-block-missing", sentence)
        if any("data" in detail for detail in turn.details) and not signed:
            self._warn(
                turn, "signature-not-sent", f"has hidden thinking of another provider, which {_WIRE} does not take."
            )
        return signed

    def _tool_use(self, turn: Turn, call: AskedCall, number: int) -> JsonObject:
        id, value = call.id, call.object
        if not id:
            id = f"call_{turn.index}_{number}"
            self._warn(turn, "tool-call-id-made", f"calls {call.name} without an id; it gets “{id}”.")
        self._open.append(id)
        if value is None:
            sentence = f"calls {call.name} with arguments that are no JSON object; {_WIRE} will refuse them."
            self._warn(turn, "tool-arguments-not-object", sentence)
        return {
            "type": "tool_use",
            "id": id,
            "name": call.name,
            "input": call.arguments if value is None else value,
        }

    def _blocks(self, turn: Turn) -> list[JsonObject]:
        return list(self._sendable(turn))

    def _sendable(self, turn: Turn) -> Iterator[JsonObject]:
        for part in turn.parts:
            block = to_anthropic_block(part)
            if block is not None and has_detail(part):
                self._warn(
                    turn, "field-not-sent", f"says how closely to look at a picture; {_WIRE} has no place for it."
                )
            if block is None:
                name = part.get("type") if isinstance(part, dict) else part
                self._warn(turn, "part-not-sent", f"has a part “{name}”, for which {_WIRE} has no place.")
            elif block.get("type") != "text" or block.get("text"):
                yield block


def _text_of(blocks: list[JsonObject]) -> str:
    return "\n\n".join(text for block in blocks if isinstance(text := block.get("thinking"), str) and text)
