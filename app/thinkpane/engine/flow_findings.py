"""Makes the findings of what was noted: each variable with its kind, default and values, and the tags."""

from collections.abc import Collection, Iterable, Mapping
from typing import cast

from thinkpane.engine.flow import Flow
from thinkpane.engine.flow_notes import Notes, TagNote
from thinkpane.engine.flow_values import Constant
from thinkpane.engine.template_facts import FoundTag, FoundVariable, VariableKind
from thinkpane.formats.json_values import JsonValue

_SPECIAL = "_token"
"""How the names of special tokens end that transformers hands to a template: bos_token, eos_token, image_token, …"""

_OTHERS = frozenset({"additional_special_tokens", "continue_final_message", "null", "undefined"})
"""Names that are given otherwise (with the special tokens, as an option of the render), or meant as constants."""

_SHORTEST = 2  # characters of a tag; templates cut texts at “:” and “,”, and nobody steers one with these


def found_variables(flow: Flow, functions: Iterable[str]) -> tuple[FoundVariable, ...]:
    """The variables that only a caller can give. functions: the names that Jinja and transformers bind."""
    own = frozenset(functions)
    return tuple(
        _variable(name, line, flow.notes)
        for name, line in flow.names.from_outside().items()
        if name not in own and not is_token(name) and name not in _OTHERS
    )


def is_token(name: str) -> bool:
    """Whether a variable of that name is a special token."""
    return name.endswith((_SPECIAL, f"{_SPECIAL}_id"))


def found_tags(notes: Notes) -> tuple[FoundTag, ...]:
    """The texts that are looked for in messages."""
    openings = {note.opening for note in notes.tags.values()}
    return tuple(_tag(note, openings) for note in notes.tags.values() if len(note.opening) >= _SHORTEST)


def _variable(name: str, line: int, notes: Notes) -> FoundVariable:
    fields = _fields(name, notes)
    defaults = notes.defaults.get(name, ())
    kind = _kind(name, notes, defaults)
    found = notes.values.get(f"{name}[]" if kind == "list" else name, {})
    values = [value for _, value in found if value is not None]
    default = defaults[0][1] if len(defaults) == 1 else None
    if kind == "choice" and isinstance(default, str) and default and default not in values:
        values.append(default)
    if kind == "bool":
        values = []
    return FoundVariable(name, kind, cast("JsonValue", default), tuple(values), fields, int(line))


def _kind(name: str, notes: Notes, defaults: Iterable[Constant]) -> VariableKind:
    uses = notes.uses.get(name, set())
    kinds = {kind for kind, _ in (*notes.values.get(name, {}), *defaults)}
    if "fields" in uses:
        return "object"
    entries = notes.values.get(f"{name}[]", {}).keys() | notes.uses.get(f"{name}[]", set())
    if "walked" in uses or (entries and "str" not in kinds and "printed" not in uses):
        return "list"
    if any(kind == "str" for kind, _ in notes.values.get(name, {})):
        return "choice"
    if "str" in kinds:
        return "text"
    if "bool" in kinds or ("truth" in uses and not uses & {"printed", "dumped", "number"} and not kinds):
        return "bool"
    return "number" if kinds & {"int", "float"} or "number" in uses else "text"


def _fields(name: str, notes: Notes) -> tuple[str, ...]:
    noted: Mapping[str, object] = {**notes.uses, **notes.values}
    starts = (f"{name}.", f"{name}[].")
    found = [path.split(".")[1].split("[")[0] for path in noted if path.startswith(starts)]
    return tuple(dict.fromkeys(found))


def _tag(note: TagNote, openings: Collection[str]) -> FoundTag:
    # A mark that is itself looked for, as the one that opens a thinking block, ends nothing.
    closed = note.closing and note.closing not in openings
    tag = f"{note.opening}…{note.closing}" if closed else note.opening
    return FoundTag(tag, note.how, note.any_case, tuple(note.values) if closed else (), int(note.line))
