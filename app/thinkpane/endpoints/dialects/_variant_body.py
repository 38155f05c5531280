"""Chat completions in the ways of one server: thinking, limits, history and prefill from its variant."""

import re
from collections.abc import Iterable

from thinkpane.conversation.messages import REASONING_FIELDS
from thinkpane.endpoints.dialects._api import Call
from thinkpane.endpoints.dialects._decision import EFFORTS, SWITCHES, Decision, decision_of
from thinkpane.endpoints.dialects._params import renamed
from thinkpane.endpoints.dialects._requests import merged, messages_of
from thinkpane.endpoints.dialects._turns import THOUGHT_KINDS, Turn
from thinkpane.endpoints.variants import GENERIC, Variant
from thinkpane.errors import Problem
from thinkpane.formats.json_values import JsonObject, JsonValue

_LIMITS = ("max_tokens", "max_completion_tokens")
_MOVED = ("enable_thinking", "thinking")
_PROOFS = ("reasoning_details", "thinking_blocks")


def fields_of(call: Call, warnings: list[Problem]) -> JsonObject:
    """What the variant's server is sent beside model, messages and tools."""
    variant = call.variant
    body: JsonObject = dict(variant.always)
    if variant.template_variables:
        variables, decision = _for_template(call, warnings)
        if variables:
            body["chat_template_kwargs"] = variables
    else:
        own = tuple(name for name in _MOVED if isinstance(call.params.get(name), dict))
        decision = decision_of(call, variant.title, warnings, keep=own)
    body = merged(body, _thinking(call.model, decision, variant, warnings))
    has_history = call.reasoning_in_history and _has_thinking(call.messages)
    if variant.history_kept and has_history and decision.thinking:
        body = merged(body, variant.history_kept)
    _say_what_has_no_effect(decision, variant, warnings)
    return merged(body, _sampling(decision.params, variant, warnings))


def _say_what_has_no_effect(decision: Decision, variant: Variant, warnings: list[Problem]) -> None:
    for name, value in decision.params.items():
        if name in variant.ignored and decision.thinking is not False:
            sentence = f"{variant.title} takes “{name}” and does not heed it while the model thinks."
            warnings.append(Problem("param-ignored", sentence))
        if name in variant.over_zero and value == 0 and not isinstance(value, bool):
            sentence = f"{variant.title} refuses “{name}” at 0; a small number such as 0.01 does the same."
            warnings.append(Problem("param-refused", sentence))


def _for_template(call: Call, warnings: list[Problem]) -> tuple[JsonObject, Decision]:
    """The template variables, and what is left to decide where none of them says it already.

    Nobody knows the switch of a server that has no variant: there the decision is a variable by convention.
    """
    found, params = dict(call.variables), dict(call.params)
    for name in _MOVED:
        if isinstance(params.get(name), bool | str):
            found.setdefault(name, params.pop(name))
            sentence = f"“{name}” at the top level has no effect; sent to the template."
            warnings.append(Problem("template-variable-moved", sentence))
    for name in SWITCHES[:1]:
        if isinstance(found.get(name), str):
            sentence = (
                f"“{name}” is the text “{found[name]}”: templates take any text for true, and llama.cpp refuses it."
            )
            warnings.append(Problem("template-variable-text", sentence))
    thinking = None if any(name in found for name in SWITCHES) else call.thinking
    effort = None if any(name in found for name in EFFORTS) else call.effort
    if call.variant == GENERIC:
        for name, value, what in ((SWITCHES[0], thinking, "Thinking on or off"), (EFFORTS[0], effort, "The effort")):
            if value is not None:
                found[name] = value
                sentence = (
                    f"{what} is sent as the template variable “{name}”; a template that reads another name ignores it."
                )
                warnings.append(Problem("thinking-by-convention", sentence))
        thinking = effort = None
    budget = params.pop("thinking_budget", None) if call.variant.budget else None
    return found, Decision(thinking, effort, budget if isinstance(budget, int) else None, params)


def _thinking(model: str, decision: Decision, variant: Variant, warnings: list[Problem]) -> JsonObject:
    """The server's own fields for the decision; what it cannot say is warned of."""
    found: JsonObject = {}
    thinking, effort = decision.thinking, decision.effort
    if thinking is False and variant.always_on and re.search(variant.always_on, model):
        sentence = f"The thinking of {model} cannot be switched off on {variant.title}; nothing is sent about it."
        warnings.append(Problem("thinking-always-on", sentence))
        return found
    if thinking is not None:
        switch = variant.on if thinking else variant.off
        if switch is None:
            sentence = f"{variant.title} has no switch for thinking that is known here; it is not sent."
            warnings.append(Problem("thinking-not-sent", sentence))
        else:
            found = merged(found, switch)
    if effort is not None and decision.budget is not None and _shares_place(variant):
        sentence = f"{variant.title} takes an effort or a number of tokens, not both; the tokens are sent."
        warnings.append(Problem("effort-not-sent", sentence))
        effort = None
    if effort is not None and thinking is not False:
        if not variant.effort:
            warnings.append(Problem("effort-not-sent", f"{variant.title} takes no effort; “{effort}” is not sent."))
        else:
            if variant.efforts and effort not in variant.efforts:
                known = ", ".join(variant.efforts)
                sentence = f"{variant.title} knows the efforts {known}, not “{effort}”; it is sent as it is."
                warnings.append(Problem("effort-unknown", sentence))
            found = merged(found, _at(variant.effort, effort))
    if decision.budget is not None and variant.budget:
        found = merged(found, _at(variant.budget, decision.budget))
    elif decision.budget is not None:
        warnings.append(Problem("param-not-sent", f"{variant.title} has no thinking budget; it is not sent."))
    return found


def _shares_place(variant: Variant) -> bool:
    """Whether effort and budget are two keys of one object, of which the server takes one."""
    effort, budget = (path.rpartition(".")[0] for path in (variant.effort, variant.budget))
    return bool(effort) and effort == budget


def _sampling(params: JsonObject, variant: Variant, warnings: list[Problem]) -> JsonObject:
    names = dict(variant.renames) | dict.fromkeys(variant.lacks, "")
    if variant.token_limit:
        names |= dict.fromkeys(_LIMITS, variant.token_limit)
    return renamed(params, names, variant.title, warnings)


def chat_messages(call: Call, warnings: list[Problem]) -> list[JsonValue]:
    """The messages, their thinking where the variant's server wants it back; the generic one changes nothing.

    Raises ThinkpaneError (kind "request") where they are one text.
    """
    generic = messages_of(call)
    if call.variant == GENERIC or not isinstance(call.messages, list):
        return generic
    return [_history(message, index, call, warnings) for index, message in enumerate(call.messages)]


def _history(message: JsonValue, index: int, call: Call, warnings: list[Problem]) -> JsonValue:
    variant = call.variant
    if not isinstance(message, dict) or message.get("role") != "assistant":
        return message
    turn = Turn(index, message)
    text = turn.thinking if call.reasoning_in_history else ""
    found = {key: value for key, value in message.items() if key not in (*REASONING_FIELDS, *_PROOFS)}
    _say_what_is_lost(turn, call, warnings)
    if variant.history == "content":
        return found | ({"content": _with_thinking_part(text, turn)} if text else {})
    if variant.history == "reasoning_details":
        details: list[JsonValue] = list(turn.details)
        if call.reasoning_in_history and (text or details):
            found["reasoning_details"] = details or [{"type": "reasoning.text", "text": text}]
    elif variant.history and (text or _is_due(turn, call)):
        found[variant.history] = text
    return found


def _is_due(turn: Turn, call: Call) -> bool:
    return call.variant.history_with_calls and bool(turn.calls) and call.reasoning_in_history


def _say_what_is_lost(turn: Turn, call: Call, warnings: list[Problem]) -> None:
    variant = call.variant
    if not call.reasoning_in_history:
        if variant.history_with_calls and turn.calls and call.thinking is not False:
            sentence = (
                f"calls tools, and {variant.title} refuses it without its thinking; send the thinking in the history."
            )
            warnings.append(turn.warning("thinking-required", sentence))
    elif turn.thinking and not variant.history:
        warnings.append(turn.warning("thinking-not-sent", f"has thinking, which {variant.title} does not take back."))
    elif any(each.get("signature") or each.get("data") for each in _signed(turn, variant)):
        warnings.append(
            turn.warning("signature-not-sent", f"has signed thinking; {variant.title} takes only its text.")
        )


def _signed(turn: Turn, variant: Variant) -> Iterable[JsonObject]:
    """What of the turn's thinking may be signed and does not go back as it came."""
    return turn.thinking_blocks if variant.history == "reasoning_details" else (*turn.thinking_blocks, *turn.details)


def _with_thinking_part(text: str, turn: Turn) -> JsonValue:
    content = turn.data.get("content")
    rest: list[JsonValue] = [{"type": "text", "text": content}] if isinstance(content, str) and content else []
    if isinstance(content, list):
        rest = [part for part in content if not (isinstance(part, dict) and part.get("type") in THOUGHT_KINDS)]
    return [{"type": "thinking", "thinking": [{"type": "text", "text": text}]}, *rest]


def prefill_of(messages: list[JsonValue], call: Call, warnings: list[Problem]) -> tuple[list[JsonValue], JsonObject]:
    """The messages and fields that ask for the last message to be continued, as far as the server can."""
    last = messages[-1] if messages else None
    if not call.continue_final or not isinstance(last, dict) or last.get("role") != "assistant":
        return messages, {}
    style, title = call.variant.prefill, call.variant.title
    if last.get("tool_calls") and style != "none":
        sentence = "The last message calls tools; servers refuse to continue such a message."
        warnings.append(Problem("prefill-refused", sentence, message_index=len(messages) - 1))
    if style in ("prefix", "partial"):
        return [*messages[:-1], {**last, style: True}], {}
    if style == "none":
        warnings.append(Problem("prefill-not-sent", f"{title} cannot continue a message; it will begin a new one."))
    if style == "":
        sentence = "Continuing is asked for as vLLM, SGLang and llama.cpp understand it; other servers ignore that."
        warnings.append(Problem("prefill-by-convention", sentence))
    if style in ("", "continue_final_message"):
        return messages, {"add_generation_prompt": False, "continue_final_message": call.continue_final}
    return messages, {}


def _at(path: str, value: JsonValue) -> JsonObject:
    """{"a": {"b": value}} for "a.b"."""
    first, _, rest = path.partition(".")
    return {first: _at(rest, value)} if rest else {first: value}


def _has_thinking(messages: JsonValue) -> bool:
    found = messages if isinstance(messages, list) else []
    return any(isinstance(each, dict) and Turn(0, each).thinking != "" for each in found)
