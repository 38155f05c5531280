"""How a server's chat completions differ from the generic dialect, as data that a person can see and edit."""

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Literal, TypeAlias, get_args

from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats.json_values import JsonObject, JsonValue

PrefillStyle: TypeAlias = Literal["", "none", "trailing", "prefix", "partial", "continue_final_message"]
"""How a message is continued: "" = nobody knows; not at all; by standing last; by a mark in it; by a request field."""


@dataclass(frozen=True, slots=True)
class Variant:
    """One server's ways.

    name: its id; other_names: what else it is called; hosts: whose addresses end so are taken for it.
    on, off: fields laid over the body to switch thinking; None = it has no such switch, {} = nothing needs be said.
    always: fields that every request gets. always_on: a pattern of models whose thinking cannot be switched off.
    effort, budget: where they stand ("reasoning.effort"), "" = it has none. efforts: the words it knows, () = any.
    token_limit: the parameter that bounds the reply, "" = as the person wrote it.
    template_variables: takes `chat_template_kwargs`. prefill: PrefillStyle; prefill_path: how its address has to end
    for that.
    history: the field in which earlier thinking goes back ("content" = as thinking parts, "" = it takes none).
    history_with_calls: it refuses a turn with tool calls that comes without its thinking, even an empty one.
    history_kept: fields laid over the body when earlier thinking goes along and thinking is on.
    arrives: where thinking comes, for people. renames: parameters under its own names. lacks: parameters it refuses.
    ignored: parameters that it takes without a word and does not heed while it thinks.
    over_zero: parameters that it refuses at 0. stream_usage: takes `stream_options`.
    raw: takes prompts as they stand, at /completions.
    """

    name: str
    title: str
    other_names: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()
    on: Mapping[str, JsonValue] | None = None
    off: Mapping[str, JsonValue] | None = None
    always: Mapping[str, JsonValue] = field(default_factory=dict)
    always_on: str = ""
    effort: str = "reasoning_effort"
    efforts: tuple[str, ...] = ()
    budget: str = ""
    token_limit: str = ""
    template_variables: bool = False
    prefill: PrefillStyle = ""
    prefill_path: str = ""
    history: str = "reasoning_content"
    history_with_calls: bool = False
    history_kept: Mapping[str, JsonValue] = field(default_factory=dict)
    arrives: tuple[str, ...] = ("reasoning_content",)
    renames: Mapping[str, str] = field(default_factory=dict)
    lacks: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()
    over_zero: tuple[str, ...] = ()
    stream_usage: bool = True
    raw: bool = True

    def as_json(self) -> JsonObject:
        """All of it as JSON, lists for tuples."""
        return {key: list(value) if isinstance(value, tuple) else value for key, value in asdict(self).items()}


GENERIC = Variant("", "Any server", template_variables=True)


def edited(variant: Variant, edits: Mapping[str, JsonValue]) -> Variant:
    """The variant with some fields set otherwise. Raises ThinkpaneError (kind "variant") that names the field."""
    known = {each.name: getattr(variant, each.name) for each in fields(variant) if each.name not in ("name", "title")}
    changes: dict[str, object] = {}
    for name, value in edits.items():
        if name not in known:
            raise _wrong(name, f"is none of {', '.join(known)}")
        changes[name] = _fitting(name, value, known[name])
    return replace(variant, **changes)  # type: ignore[arg-type]


def _fitting(name: str, value: JsonValue, now: object) -> object:
    if name in ("on", "off"):
        if value is None or isinstance(value, dict):
            return value
        raise _wrong(name, "must be an object or null")
    if isinstance(now, tuple):
        if isinstance(value, list) and all(isinstance(each, str) for each in value):
            return tuple(value)
        raise _wrong(name, "must be a list of texts")
    if isinstance(now, bool):
        if isinstance(value, bool):
            return value
        raise _wrong(name, "must be true or false")
    if isinstance(now, Mapping):
        if isinstance(value, dict) and (name != "renames" or all(isinstance(each, str) for each in value.values())):
            return value
        raise _wrong(name, "must be an object")
    if not isinstance(value, str) or (name == "prefill" and value not in get_args(PrefillStyle)):
        words = ", ".join(filter(None, get_args(PrefillStyle)))
        raise _wrong(name, f"must be one of {words}" if name == "prefill" else "must be text")
    if name == "always_on":
        try:
            re.compile(value)
        except re.error as fault:
            raise _wrong(name, f"is no pattern: {fault}") from None
    return value


def _wrong(name: str, what: str) -> ThinkpaneError:
    return ThinkpaneError(Problem("variant", f"“{name}” {what}.", field=name))
