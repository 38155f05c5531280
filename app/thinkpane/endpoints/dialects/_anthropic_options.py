"""How Anthropic wants thinking, sampling and tools (wire-format notes, section 10)."""

import re

from thinkpane.conversation.messages import call_function
from thinkpane.endpoints.dialects._decision import Decision
from thinkpane.endpoints.dialects._params import as_list, renamed
from thinkpane.errors import Problem
from thinkpane.formats.json_values import JsonObject, JsonValue

DEFAULT_MAX_TOKENS = 4096
"""The wire wants a limit; every model takes this one. With a thinking budget this much comes on top of it."""

SMALLEST_BUDGET = 1024
_BUDGETS = {"minimal": 1024, "low": 2048, "medium": 8192, "high": 16384, "xhigh": 32768, "max": 32768}
_NEAREST = {"minimal": "low", "ultra": "max"}
_VERSION = re.compile(r"claude-(?:[a-z]+-)?(\d{1,2})(?:[-.](\d{1,2}))?(?!\d)")
_ADAPTIVE_FROM = (4, 6)
_NO_BUDGET_FROM = (4, 7)
"""From here on a budget is refused, and the text of thinking is left out unless it is asked for."""
_NAMES = {
    "max_completion_tokens": "max_tokens",
    "stop": "stop_sequences",
    **dict.fromkeys(("n", "seed", "presence_penalty", "frequency_penalty", "repetition_penalty", "min_p"), ""),
    **dict.fromkeys(("logit_bias", "logprobs", "top_logprobs", "verbosity"), ""),
}


def takes_adaptive(model: str) -> bool:
    """True for models that decide themselves how much to think, and refuse a budget: Claude from 4.6 on."""
    return _version(model) >= _ADAPTIVE_FROM


def _version(model: str) -> tuple[int, int]:
    found = _VERSION.search(model)
    return (int(found[1]), int(found[2] or 0)) if found else (0, 0)


def thinking_of(model: str, decision: Decision, given: JsonValue, warnings: list[Problem]) -> JsonObject:
    """The fields `thinking` and `output_config`; given: the wire's own object, which is taken at its word.

    Newer models leave out the text of their thinking unless it is asked for, so it is.
    """
    effort = decision.effort
    found: JsonObject = {}
    if takes_adaptive(model):
        if effort:
            found["output_config"] = {"effort": _NEAREST.get(effort, effort)}
            if effort in _NEAREST:
                sentence = f"Effort {effort} is sent as {_NEAREST[effort]}, the nearest that Anthropic knows."
                warnings.append(Problem("effort-changed", sentence))
        if decision.budget:
            warnings.append(Problem("param-not-sent", f"{model} takes no thinking budget; it is not sent."))
    if isinstance(given, dict):
        _look_at(given, model, warnings)
        return found | {"thinking": given}
    if decision.thinking is False:
        return {"thinking": {"type": "disabled"}}
    if decision.thinking is None and effort is None and decision.budget is None:
        return {}
    if takes_adaptive(model):
        return found | {"thinking": {"type": "adaptive", "display": "summarized"}}
    return {"thinking": {"type": "enabled", "budget_tokens": _budget(decision, warnings)}}


def _look_at(given: JsonObject, model: str, warnings: list[Problem]) -> None:
    if _version(model) < _NO_BUDGET_FROM:
        return
    if given.get("type") == "enabled":
        sentence = f"{model} refuses a thinking budget; it takes “adaptive”, with an effort."
        warnings.append(Problem("thinking-form-refused", sentence))
    elif given.get("type") == "adaptive" and given.get("display") != "summarized":
        sentence = f"{model} leaves out the text of its thinking unless “display” is “summarized”."
        warnings.append(Problem("thinking-omitted", sentence))


def sampling_of(given: JsonObject, thinking: JsonObject, warnings: list[Problem]) -> JsonObject:
    """The parameters under Anthropic's names, with the limit that it wants; `given` is left as it is."""
    rest = dict(given)
    found: JsonObject = {}
    user, format = rest.pop("user", None), rest.pop("response_format", None)
    if user is not None:
        found["metadata"] = {"user_id": user}
    if isinstance(format, dict) and format.get("type") != "text":
        schema = format.get("json_schema")
        if isinstance(schema, dict):
            found["output_config"] = {"format": {"type": "json_schema", "schema": schema.get("schema", schema)}}
        else:
            warnings.append(Problem("param-not-sent", "Anthropic has no response format without a schema."))
    found |= renamed(rest, _NAMES, "Anthropic", warnings)
    if "stop_sequences" in found:
        found["stop_sequences"] = as_list(found["stop_sequences"])
    asked = thinking.get("thinking")
    budget = asked.get("budget_tokens") if isinstance(asked, dict) else None
    budget = budget if isinstance(budget, int) else 0
    limit = found.setdefault("max_tokens", budget + DEFAULT_MAX_TOKENS)
    if isinstance(limit, int) and limit <= budget:
        sentence = f"max_tokens ({limit}) has to be more than the thinking budget ({budget}); the server will refuse."
        warnings.append(Problem("max-tokens-below-budget", sentence))
    return found


def choice_of(given: JsonObject) -> JsonObject:
    """OpenAI's tool_choice and parallel_tool_calls as Anthropic's tool_choice; both are taken out of `given`."""
    choice, parallel = given.pop("tool_choice", None), given.pop("parallel_tool_calls", None)
    found: JsonObject = {}
    if isinstance(choice, str):
        found = {"type": {"required": "any"}.get(choice, choice)}
    elif isinstance(choice, dict):
        is_openai = choice.get("type") == "function"
        found = {"type": "tool", "name": call_function(choice).get("name")} if is_openai else dict(choice)
    if parallel is False:
        found = {"type": "auto"} | found | {"disable_parallel_tool_use": True}
    return found


def tools_of(tools: list[JsonValue]) -> list[JsonValue]:
    """OpenAI's tools as Anthropic's; tools in Anthropic's own form stay as they are."""
    return [_tool(tool) if isinstance(tool, dict) else tool for tool in tools]


def _tool(tool: JsonObject) -> JsonObject:
    function = tool.get("function")
    if not isinstance(function, dict):
        return tool
    found = {("input_schema" if key == "parameters" else key): value for key, value in function.items()}
    found.setdefault("input_schema", {"type": "object", "properties": {}})
    return found | ({"cache_control": tool["cache_control"]} if tool.get("cache_control") else {})


def _budget(decision: Decision, warnings: list[Problem]) -> int:
    """Tokens for thinking: those asked for, else what stands for the effort."""
    if decision.budget is not None:
        return decision.budget
    effort = decision.effort or "medium"
    budget = int(effort) if effort.isdecimal() else _BUDGETS.get(effort, _BUDGETS["medium"])
    if decision.effort:
        sentence = f"This model takes a thinking budget, not an effort: {effort} is sent as {budget} tokens."
        warnings.append(Problem("effort-changed", sentence))
    return max(budget, SMALLEST_BUDGET)
