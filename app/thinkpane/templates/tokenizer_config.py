"""What a `tokenizer_config.json` says about templates and special tokens.

Rules: transformers 5.24, `PreTrainedTokenizerBase`. Every key that ends in `_token` and holds a token is a template
variable of that name; a token is a text, or an object with the text in `content`.
"""

from collections.abc import Iterator, Mapping

from thinkpane.formats.json_values import JsonObject, JsonValue
from thinkpane.templates.files import kind_of, source_problem

DEFAULT = "default"


def templates_in(config: JsonObject, place: str) -> dict[str, str]:
    """The templates under `chat_template` by name; a single text is called "default"; empty where there is none.

    place: the file's name for error sentences. Raises ThinkpaneError (kind "template_source") for any other shape.
    """
    value = config.get("chat_template")
    if value is None:
        return {}
    if isinstance(value, str):
        return {DEFAULT: value}
    if isinstance(value, list):
        return dict(_named(entry, number, place) for number, entry in enumerate(value))
    if isinstance(value, dict):
        return dict(_named({"name": name, "template": text}, name, place) for name, text in value.items())
    raise source_problem(
        f"“chat_template” in “{place}” is {kind_of(value)}; it must be a text or a list of named ones."
    )


def _named(entry: JsonValue, number: int | str, place: str) -> tuple[str, str]:
    if isinstance(entry, dict):
        name, text = entry.get("name"), entry.get("template")
        if isinstance(name, str) and isinstance(text, str):
            return name, text
    raise source_problem(f"“chat_template[{number}]” in “{place}” needs a “name” and a “template”, both texts.")


def token_variables(config: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """The special tokens that templates get as variables: bos_token, eos_token, … in the order of the file."""
    found: dict[str, JsonValue] = {}
    for name, value in config.items():
        text = token_text(value)
        if name.endswith("_token") and text is not None:
            found[name] = text
    extra = config.get("extra_special_tokens")
    if isinstance(extra, dict):
        found |= {name: text for name, value in extra.items() if (text := token_text(value)) is not None}
    return found


def listed_control_tokens(config: Mapping[str, JsonValue]) -> tuple[str, ...] | None:
    """`chat_control_tokens`: what sanitize_control_tokens takes for control tokens besides the special ones; None where
    the file does not say (transformers 5.24, `PreTrainedTokenizerBase`)."""
    found = config.get("chat_control_tokens")
    return tuple(each for each in found if isinstance(each, str)) if isinstance(found, list) else None


def special_tokens(config: Mapping[str, JsonValue]) -> tuple[str, ...]:
    """Every special token the file names, each once: named ones, further ones, and added tokens marked special."""
    named = [text for text in token_variables(config).values() if isinstance(text, str)]
    return tuple(dict.fromkeys([*named, *_further(config), *_added(config)]))


def _further(config: Mapping[str, JsonValue]) -> Iterator[str]:
    for key in ("additional_special_tokens", "extra_special_tokens"):
        listed = config.get(key)
        if isinstance(listed, list):
            yield from (text for value in listed if (text := token_text(value)) is not None)


def _added(config: Mapping[str, JsonValue]) -> Iterator[str]:
    added = config.get("added_tokens_decoder")
    if not isinstance(added, dict):
        return
    for value in added.values():
        text = token_text(value)
        if isinstance(value, dict) and value.get("special") is True and text is not None:
            yield text


def token_text(value: JsonValue) -> str | None:
    """The text of one token as such files write it; None where it is none, or empty."""
    if isinstance(value, dict):
        value = value.get("content")
    return value if isinstance(value, str) and value else None
