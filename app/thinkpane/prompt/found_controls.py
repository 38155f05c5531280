"""A template with the controls that its own text shows, beside those that its template.toml names."""

from dataclasses import replace

from thinkpane.engine.template_facts import FoundTag, FoundVariable, TemplateFacts
from thinkpane.formats.json_values import JsonValue
from thinkpane.templates.template import TagCandidate, Template, VariableCandidate

_TEXT_PLACES = {"starts": "starts", "ends": "ends", "is": "is"}


def with_found(template: Template, facts: TemplateFacts) -> Template:
    """`template` whose candidates and tags hold what `facts`, those of its source, found.

    Declared ones come first and keep their words; kind and default of a variable are the found ones, values are joined.
    """
    known = {each.name: each for each in facts.variables}
    declared = [_joined(each, known.pop(each.name, None)) for each in template.candidates]
    found = [_variable(each) for each in known.values() if each.name not in template.variables]
    tags = [each for each in facts.tags if not any(_is_same(other, each) for other in template.tags)]
    return replace(
        template,
        candidates=(*declared, *found),
        tags=(*(_marked(each, facts) for each in template.tags), *map(_tag, tags)),
    )


def _joined(declared: VariableCandidate, found: FoundVariable | None) -> VariableCandidate:
    if found is None:
        return declared
    values: tuple[JsonValue, ...] = (*declared.values, *(each for each in found.values if each not in declared.values))
    default = declared.default if found.default is None else found.default
    return replace(declared, kind=found.kind, default=default, values=values, fields=found.fields, line=found.line)


def _variable(found: FoundVariable) -> VariableCandidate:
    return VariableCandidate(found.name, found.kind, found.default, found.values, fields=found.fields, line=found.line)


def _is_same(declared: TagCandidate, found: FoundTag) -> bool:
    one, other = declared.tag, found.tag
    return one.lower() == other.lower() if found.any_case else one == other


def _marked(declared: TagCandidate, facts: TemplateFacts) -> TagCandidate:
    """A declared tag with what is known of the found one that it names."""
    found = next((each for each in facts.tags if _is_same(declared, each)), None)
    if found is None:
        return declared
    place = _TEXT_PLACES.get(found.how, "in")
    return replace(declared, place=place, values=found.values, any_case=found.any_case, line=found.line)


def _tag(found: FoundTag) -> TagCandidate:
    return TagCandidate(
        tag=found.tag,
        insert=f"{found.tag} ",
        where="",
        place=_TEXT_PLACES.get(found.how, "in"),
        values=found.values,
        any_case=found.any_case,
        declared=False,
        line=found.line,
    )
