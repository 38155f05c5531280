"""A template whose text was edited in a document: everything but the text stays as the original has it.

In a document's file it is an object: {"ref": REF of the original, "source": text, "variables": {name: value},
"special_tokens": [text]}. The last two are the original's, for where it cannot be read; "ref" is left out where there
is no original. Other keys are kept.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats.json_values import JsonObject, JsonValue
from thinkpane.templates.template import JINJA, Template

_KEYS = ("ref", "source", "variables", "special_tokens")


@dataclass(frozen=True, slots=True)
class EditedTemplate:
    """The edited text, and what is remembered of the original: its variables and special tokens, None = nothing is.

    extra: keys of the file's object that are none of ours.
    """

    source: str
    variables: Mapping[str, JsonValue] | None = None
    special_tokens: tuple[str, ...] = ()
    extra: Mapping[str, JsonValue] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class KeptEdit:
    """An edit that is not in force, because the document has another template now: of which REF, and which named text
    of it ("" = chosen as transformers does). ref "": a text without an original."""

    ref: str
    name: str
    edited: EditedTemplate


def edit_of(original: Template, source: str) -> EditedTemplate:
    """The edit that puts `source` in place of `original`'s text."""
    return EditedTemplate(source, dict(original.variables), original.special_tokens)


def with_source(template: Template, source: str) -> Template:
    """`template` with this text in place of its own. It has no named ones: whatever is asked for, the text is taken."""
    return replace(template, source=source, named={}, syntax=JINJA)


def load_edited(load: Callable[[str], Template], ref: str, edited: EditedTemplate) -> Template:
    """The template of an edited text whose original is `ref`, "" where there is none.

    load: gives the template of a REF. Where it cannot, what is remembered of the original stands in, and a note says
    so; where nothing is, `load`'s ThinkpaneError is raised: without its special tokens the prompt would be another one.
    """
    if not ref:
        return Template(
            "",
            edited.source,
            title="Own text",
            variables=edited.variables or {},
            special_tokens=edited.special_tokens,
        )
    try:
        return with_source(load(ref), edited.source)
    except ThinkpaneError as error:
        if edited.variables is None:
            raise
        note = f"The original cannot be read; only its special tokens are known. {error.problem.message}"
        return Template(
            ref, edited.source, variables=edited.variables, special_tokens=edited.special_tokens, notes=(note,)
        )


def edited_to_json(ref: str, edited: EditedTemplate) -> JsonObject:
    """The file's object."""
    found: JsonObject = {"ref": ref} if ref else {}
    found["source"] = edited.source
    if edited.variables is not None:
        found["variables"] = dict(edited.variables)
        found["special_tokens"] = list(edited.special_tokens)
    return found | {key: value for key, value in edited.extra.items() if key not in _KEYS}


def edited_from_json(value: JsonObject) -> tuple[str, EditedTemplate]:
    """The REF and the edit of a file's object. Raises ThinkpaneError (kind "json")."""
    ref, source = value.get("ref", ""), value.get("source")
    variables, tokens = value.get("variables"), value.get("special_tokens", [])
    if not isinstance(ref, str) or not isinstance(source, str):
        raise _wrong("“template” must be a REF, or an object with “source” (the text) and “ref” (a REF).")
    if variables is not None and not isinstance(variables, dict):
        raise _wrong("“template.variables” must be an object.")
    if not isinstance(tokens, list) or not all(isinstance(each, str) for each in tokens):
        raise _wrong("“template.special_tokens” must be a list of texts.")
    extra = {key: each for key, each in value.items() if key not in _KEYS}
    return ref, EditedTemplate(source, variables, tuple(str(each) for each in tokens), extra)


def kept_to_json(kept: KeptEdit) -> JsonObject:
    """The object that a document's file has for a kept edit: the edit's own, with "name" where it has one."""
    return edited_to_json(kept.ref, kept.edited) | ({"name": kept.name} if kept.name else {})


def kept_from_json(value: JsonValue) -> KeptEdit:
    """The kept edit of a file's object. Raises ThinkpaneError (kind "json")."""
    if not isinstance(value, dict):
        raise _wrong("An entry of “kept_edits” must be an object.")
    name = value.get("name", "")
    if not isinstance(name, str):
        raise _wrong("“kept_edits.name” must be text.")
    ref, edited = edited_from_json({key: each for key, each in value.items() if key != "name"})
    return KeptEdit(ref, name, edited)


def _wrong(sentence: str) -> ThinkpaneError:
    return ThinkpaneError(Problem("json", sentence))
