"""Sampling parameters by their common (OpenAI's) names, under the names that another wire has for them."""

from collections.abc import Mapping

from thinkpane.errors import Problem
from thinkpane.formats.json_values import JsonObject, JsonValue

COMMON_NAMES = frozenset(
    (
        "temperature", "top_p", "top_k", "min_p", "max_tokens", "max_completion_tokens", "stop", "seed", "n",
        "presence_penalty", "frequency_penalty", "repetition_penalty", "logit_bias", "logprobs", "top_logprobs",
        "tool_choice", "parallel_tool_calls", "response_format", "reasoning_effort", "verbosity", "user",
    )
)  # fmt: skip
"""What an OpenAI body may hold beside its conversation, and every dialect says in its own way or not at all."""


def renamed(
    params: Mapping[str, JsonValue], names: Mapping[str, str], where: str, warnings: list[Problem]
) -> JsonObject:
    """`params` under the wire's names; names: common name -> its name there, "" = the wire cannot say it.

    A name that is not in the table stays as it is. where: the wire's name for people.
    """
    found: JsonObject = {}
    for name, value in params.items():
        if target := names.get(name, name):
            found[target] = value
        else:
            warnings.append(Problem("param-not-sent", f"{where} has no parameter “{name}”; it is not sent."))
    return found


def as_list(value: JsonValue) -> JsonValue:
    """Stop sequences as a list, where a wire does not take one text."""
    return [value] if isinstance(value, str) else value
