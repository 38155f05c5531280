"""Writes what is known about a template as the text of a template.toml; template_toml.py reads it back as it was."""

import re
from collections.abc import Iterator, Mapping

from thinkpane.formats.json_values import JsonValue
from thinkpane.templates.files import source_problem
from thinkpane.templates.template import Template, TierCandidate, VariableCandidate

_ESCAPES = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r"}
_UNWRITABLE = re.compile('["\\\\\x00-\x1f\x7f\u2028\u2029]')
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_HALF = re.compile("[\ud800-\udfff]")


def toml_of(template: Template) -> str:
    """The text of a template.toml for `template`.

    Raises ThinkpaneError (kind "template_source") for what TOML cannot hold: null inside a value, half a surrogate
    pair.
    """
    return "\n".join(_lines(template)) + "\n"


def _lines(template: Template) -> Iterator[str]:
    yield _pair("title", template.title)
    yield _pair("origin", template.origin)
    yield _pair("licence", template.licence)
    if template.uncertain:
        yield _pair("uncertain", list(template.uncertain))
    given = dict(template.variables)
    for name in ("bos", "eos"):
        if isinstance(token := given.get(f"{name}_token"), str) and token in template.special_tokens:
            yield _pair(name, token)
            del given[f"{name}_token"]
    yield _pair("special_tokens", list(template.special_tokens))
    if template.thinking:
        yield _pair("thinking", list(template.thinking))
    yield from _table("given", given)
    yield from _table("roles", template.roles)
    if template.messages_as_text is not None:
        yield "\n[messages_as_text]"
        yield from (_pair(name, value) for name, value in template.messages_as_text.items())
    for tier in template.tiers:
        yield from _tier(tier)
    for variable in template.candidates:
        yield from _variable(variable)
    for tag in template.tags:
        yield "\n[[tags]]"
        yield from (_pair(name, getattr(tag, name)) for name in ("tag", "insert", "summary", "where"))


def _table(name: str, values: Mapping[str, JsonValue] | Mapping[str, str]) -> Iterator[str]:
    if values:
        yield f"\n[{name}]"
        yield from (_pair(key, value) for key, value in values.items())


def _tier(tier: TierCandidate) -> Iterator[str]:
    yield "\n[[tiers]]"
    yield from (_pair(name, getattr(tier, name)) for name in ("label", "short", "tag", "summary"))
    yield _pair("variables", dict(tier.variables))


def _variable(variable: VariableCandidate) -> Iterator[str]:
    yield "\n[[variables]]"
    yield _pair("name", variable.name)
    yield _pair("kind", variable.kind)
    if variable.default is not None:
        yield _pair("default", variable.default)
    if variable.values:
        yield _pair("values", list(variable.values))
    yield _pair("summary", variable.summary)


def _pair(name: str, value: JsonValue) -> str:
    return f"{_key(name)} = {_value(value)}"


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else _string(name)


def _value(value: JsonValue) -> str:
    match value:
        case None:
            raise source_problem("A template.toml cannot hold null.")
        case bool():
            return "true" if value else "false"
        case str():
            return _string(value)
        case list():
            return f"[{', '.join(_value(each) for each in value)}]"
        case dict():
            return f"{{ {', '.join(_pair(key, each) for key, each in value.items())} }}" if value else "{}"
        case _:
            # Python writes numbers, infinity and not-a-number as TOML does.
            return repr(value)


def _string(text: str) -> str:
    if _HALF.search(text):
        raise source_problem("A template.toml cannot hold half a surrogate pair.")
    escaped = _UNWRITABLE.sub(lambda found: _ESCAPES.get(found[0], f"\\u{ord(found[0]):04X}"), text)
    return f'"{escaped}"'
