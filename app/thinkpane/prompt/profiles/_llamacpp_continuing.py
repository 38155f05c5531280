"""How llama.cpp goes on with a reply: it renders the conversation without it and writes the reply's start itself.

Source: see llamacpp.py. Its parsers know how a family starts a reply and marks thinking; here both are found by
rendering, as its own analysis of templates does it. A reply at the end is continued without being asked to.
"""

from dataclasses import replace

from thinkpane.engine.request import Ends, RenderRequest
from thinkpane.formats.json_values import JsonObject
from thinkpane.prompt.diff import common_start
from thinkpane.prompt.profiles._api import Facts
from thinkpane.prompt.profiles._rewriting import Rewrites, texts_of

_REASONING, _ANSWER = "Zqreasoning7", "Zqanswer7"
_WAYS: tuple[JsonObject, ...] = (
    {"reasoning_content": _REASONING},
    {"thinking": _REASONING},
    {"content": [{"type": "thinking", "thinking": _REASONING}, {"type": "text", "text": _ANSWER}]},
)
_FAMILIES = (
    (("<|tool_calls_section_begin|>", "<|tool_call_begin|>"), "<think>", "</think>"),
    (("<|tool_list_start|>", "<|tool_list_end|>"), "<think>", "</think>"),
    (("List of tools: [",), "<think>", "</think>"),
    (("'<|tool_call>call:'",), "<|channel>thought\n", "<channel|>"),
    (("[SYSTEM_PROMPT]", "[TOOL_CALLS]", "[ARGS]"), "[THINK]", "[/THINK]"),
    ((">>>all", ">>>${recipient}"), "all\n", ""),
)
"""Kimi K2, LFM2, Gemma 4, Ministral, Functionary: how llama.cpp starts their replies, whatever the template does."""

_CODER, _CODERS_END = ("<tool_call>", "<function=", "<parameter="), "\n</think>\n\n"
"""Qwen3-Coder and templates with its tool calls: how llama.cpp ends their thinking."""

_NOT_THINKING = "[CALL_ID]"  # Mistral Small has it and does not think

_THINK, _THOUGHT = "<think>", "</think>"


def continued(request: RenderRequest, given: list[JsonObject], facts: Facts, notes: Rewrites) -> RenderRequest:
    """The request, with its last reply put after the prompt where llama.cpp does that.

    given: the messages as they came, of which the last one is read. Raises ThinkpaneError where llama.cpp refuses.
    """
    asked = request.continue_final_message
    last = given[-1]
    messages = request.messages if isinstance(request.messages, list) else []
    if last.get("role") != "assistant":
        if asked:
            return replace(request, continue_final_message=False, add_generation_prompt=False)
        return request
    index = len(given) - 1
    if len(given) > 1 and given[-2].get("role") == "assistant" and not asked:
        raise notes.refusal("two replies stand at the end, and only one can be continued", index, "role")
    if last.get("tool_calls"):
        raise notes.refusal("a reply with tool calls cannot be continued", index, "tool_calls")
    base = replace(request, messages=messages[:-1], add_generation_prompt=False, continue_final_message=False)
    content, reasoning = _text(last), str(last.get("reasoning_content") or "")
    only_thinking = asked == "reasoning_content" or (asked in (True, False) and bool(reasoning) and not content)
    before, between = _marks(base, facts)
    where = f"messages[{index}]"
    suffix = [(before, ""), (reasoning if between else "", f"{where}.reasoning_content")]
    if not only_thinking:
        suffix += [(between, ""), (content, f"{where}.content")]
    how = "the reply at the end" if asked else "a reply at the end is continued without being asked to: it"
    notes.message(index, f"{how} is put after the prompt as llama.cpp writes it.")
    return replace(base, ends=Ends(suffix=tuple(each for each in suffix if each[0])))


def _marks(base: RenderRequest, facts: Facts) -> tuple[str, str]:
    """What stands before a reply's thinking, and between its thinking and its answer; "" where there is no thinking."""
    bare = facts.render(_plain(base, [])).text or ""
    header = _header(base, bare, facts)
    for fields in _WAYS:
        reply: JsonObject = {"role": "assistant", "content": _ANSWER, **fields}
        written = facts.render(_plain(base, [reply])).text or ""
        before, found, after = written[common_start(bare, written) :].partition(_REASONING)
        if found and _ANSWER in after and not (after[0] in "'\"" and before.endswith(after[0])):
            same = common_start(header, before)
            start = before[:same] + before[same:].lstrip("\n")
            coder = all(mark in base.source for mark in _CODER)
            return start if header else _beyond_end(bare, start), _CODERS_END if coder else after.partition(_ANSWER)[0]
    for needed, opening, closing in _FAMILIES:
        if all(mark in base.source for mark in needed) and _NOT_THINKING not in base.source:
            return header + opening, closing
    silent = replace(base, variables={**base.variables, "enable_thinking": False})
    for each in (header, _header(silent, bare, facts)):
        if _THINK in each:
            return header.partition(_THINK)[0] + _THINK, _THOUGHT
    return header, ""


def _beyond_end(bare: str, start: str) -> str:
    """A reply's start without what the conversation ends with already, for templates that always prompt for a reply."""
    return next((start[size:] for size in range(len(start), 0, -1) if bare.endswith(start[:size])), start)


def _header(base: RenderRequest, bare: str, facts: Facts) -> str:
    """The generation prompt: what a render has with it and not without."""
    prompted = facts.render(with_left_out(replace(base, add_generation_prompt=True))).text or ""
    return prompted[common_start(bare, prompted) :]


def _plain(base: RenderRequest, more: list[JsonObject]) -> RenderRequest:
    messages = base.messages if isinstance(base.messages, list) else []
    return with_left_out(replace(base, messages=[*messages, *more]))


def with_left_out(request: RenderRequest) -> RenderRequest:
    """The request; what has no value in it is not defined at all, and the generation prompt is asked for or not."""
    generate = request.add_generation_prompt is not False
    nothing = {
        "tools": not request.tools,
        "documents": request.documents is None,
        "add_generation_prompt": not generate,
    }
    names = tuple(name for name, lacking in nothing.items() if lacking)
    return replace(request, left_out=names, add_generation_prompt=generate)


def _text(message: JsonObject) -> str:
    content = message.get("content")
    if isinstance(content, list):
        return "\n\n".join(texts_of(content))
    return content if isinstance(content, str) else ""
