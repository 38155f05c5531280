"""One logical reply as the bytes of every wire format, streamed in given pieces."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

Piece = tuple[str, str]
"""What it is ("thinking" or "answer") and its text."""


@dataclass(frozen=True)
class LogicalReply:
    """thinking and answer in the pieces that they are streamed in; calls: (id, name, arguments' text)."""

    thinking: tuple[str, ...]
    answer: tuple[str, ...]
    calls: tuple[tuple[str, str, str], ...] = ()


def encoded(api: str, reply: LogicalReply) -> bytes:
    """The reply in the wire format of that dialect, with a good end. Raw formats have think tags and no calls."""
    return _ENCODERS[api](reply)


def finish_mark(api: str) -> bytes:
    """What its finish mark is known by."""
    return {
        "openai-chat": b'"finish_reason": "end"',
        "openai-completions": b'"finish_reason": "end"',
        "openai-responses": b'"type": "response.completed"',
        "anthropic": b'"stop_reason": "end"',
        "llamacpp": b'"stop": true',
    }.get(api, b'"done": true')


def unfinished(api: str, reply: LogicalReply) -> bytes:
    """The same without the event of its finish mark and all that comes after it; the text is whole there."""
    whole = encoded(api, reply)
    parting = b"\n" if api in ("ollama", "ollama-generate") else b"\n\n"
    before, found, _ = whole[: whole.index(finish_mark(api))].rpartition(parting)
    return before + found


def _sse(values: Iterator[dict[str, Any]], *, named: bool = False, done: bool = False) -> bytes:
    lines = [
        (f"event: {value['type']}\n" if named else "") + f"data: {json.dumps(value, ensure_ascii=False)}\n\n"
        for value in values
    ]
    return ("".join(lines) + ("data: [DONE]\n\n" if done else "")).encode()


def _halves(text: str) -> list[str]:
    return [text[: len(text) // 2], text[len(text) // 2 :]]


def _tagged(reply: LogicalReply) -> list[str]:
    thought = ["<thi", "nk>\n", *reply.thinking, "\n</think", ">\n\n"] if reply.thinking else []
    return [*thought, *reply.answer]


def _chat(reply: LogicalReply) -> bytes:
    def chunk(delta: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
        return {"id": "r", "model": "m", "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}

    def values() -> Iterator[dict[str, Any]]:
        yield chunk({"role": "assistant", "content": ""})
        yield from (chunk({"reasoning_content": text, "content": None}) for text in reply.thinking)
        yield from (chunk({"content": text}) for text in reply.answer)
        for index, (id, name, arguments) in enumerate(reply.calls):
            function = {"name": name, "arguments": ""}
            yield chunk({"tool_calls": [{"index": index, "id": id, "type": "function", "function": function}]})
            for text in _halves(arguments):
                yield chunk({"tool_calls": [{"index": index, "function": {"arguments": text}}]})
        yield chunk({}, "end")

    return _sse(values(), done=True)


def _completions(reply: LogicalReply) -> bytes:
    def values() -> Iterator[dict[str, Any]]:
        for text in _tagged(reply):
            yield {"id": "r", "model": "m", "choices": [{"index": 0, "text": text, "finish_reason": None}]}
        yield {"id": "r", "model": "m", "choices": [{"index": 0, "text": "", "finish_reason": "end"}]}

    return _sse(values(), done=True)


def _anthropic(reply: LogicalReply) -> bytes:
    def block(
        index: int, start: dict[str, Any], kind: str, name: str, texts: tuple[str, ...]
    ) -> Iterator[dict[str, Any]]:
        yield {"type": "content_block_start", "index": index, "content_block": start}
        for text in texts:
            yield {"type": "content_block_delta", "index": index, "delta": {"type": kind, name: text}}
        yield {"type": "content_block_stop", "index": index}

    def values() -> Iterator[dict[str, Any]]:
        yield {"type": "message_start", "message": {"id": "r", "model": "m", "content": []}}
        if reply.thinking:
            yield from block(0, {"type": "thinking", "thinking": ""}, "thinking_delta", "thinking", reply.thinking)
        if reply.answer:
            yield from block(1, {"type": "text", "text": ""}, "text_delta", "text", reply.answer)
        for index, (id, name, arguments) in enumerate(reply.calls, 2):
            start = {"type": "tool_use", "id": id, "name": name, "input": {}}
            yield from block(index, start, "input_json_delta", "partial_json", tuple(_halves(arguments)))
        yield {"type": "message_delta", "delta": {"stop_reason": "end"}}
        yield {"type": "message_stop"}

    return _sse(values(), named=True)


def _responses(reply: LogicalReply) -> bytes:
    def values() -> Iterator[dict[str, Any]]:
        yield {"type": "response.created", "response": {"id": "r", "model": "m", "status": "in_progress"}}
        for text in reply.thinking:
            yield {"type": "response.reasoning_text.delta", "item_id": "rs", "output_index": 0, "delta": text}
        for text in reply.answer:
            yield {"type": "response.output_text.delta", "item_id": "ms", "output_index": 1, "delta": text}
        for index, (id, name, arguments) in enumerate(reply.calls, 2):
            item = {"type": "function_call", "id": f"fc{index}", "call_id": id, "name": name, "arguments": ""}
            yield {"type": "response.output_item.added", "output_index": index, "item": item}
            for text in _halves(arguments):
                yield {"type": "response.function_call_arguments.delta", "output_index": index, "delta": text}
            yield {"type": "response.output_item.done", "output_index": index, "item": item | {"arguments": arguments}}
        yield {"type": "response.completed", "response": {"id": "r", "status": "end", "output": []}}

    return _sse(values(), named=True)


def _ollama(reply: LogicalReply) -> bytes:
    def line(done: bool = False, **message: object) -> dict[str, Any]:
        return {"model": "m", "message": {"role": "assistant", "content": "", **message}, "done": done}

    def values() -> Iterator[dict[str, Any]]:
        yield from (line(thinking=text) for text in reply.thinking)
        yield from (line(content=text) for text in reply.answer)
        for id, name, arguments in reply.calls:
            yield line(tool_calls=[{"id": id, "function": {"name": name, "arguments": json.loads(arguments)}}])
        yield line(done=True) | {"done_reason": "end"}

    return "".join(json.dumps(value, ensure_ascii=False) + "\n" for value in values()).encode()


def _generate(reply: LogicalReply) -> bytes:
    lines = [{"model": "m", "response": text, "done": False} for text in _tagged(reply)]
    lines.append({"model": "m", "response": "", "done": True, "done_reason": "end"})
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines).encode()


def _llamacpp(reply: LogicalReply) -> bytes:
    def values() -> Iterator[dict[str, Any]]:
        yield from ({"index": 0, "content": text, "stop": False} for text in _tagged(reply))
        yield {"index": 0, "content": "", "stop": True, "stop_type": "end"}

    return _sse(values())


_ENCODERS: dict[str, Callable[[LogicalReply], bytes]] = {
    "openai-chat": _chat,
    "openai-completions": _completions,
    "anthropic": _anthropic,
    "openai-responses": _responses,
    "ollama": _ollama,
    "ollama-generate": _generate,
    "llamacpp": _llamacpp,
}
APIS = tuple(_ENCODERS)
RAW_APIS = ("openai-completions", "ollama-generate", "llamacpp")
