"""How the reply to a prompt is to be read."""

from dataclasses import replace
from typing import Literal, TypeAlias

from thinkpane.analysis.thinking_format import ThinkingFormat, opens_thinking, thinking_tags
from thinkpane.endpoints.dialects._api import DecodeOptions, SendPath
from thinkpane.streaming.tags import DEFAULT_TAGS
from thinkpane.templates.template import Template

ThinkMode: TypeAlias = Literal["leading", "anywhere"]

_HARMONY = "<|channel|>analysis<|message|>"


def decode_options(
    path: SendPath,
    prompt: str,
    template: Template,
    source: str,
    found: ThinkingFormat | None = None,
    mode: ThinkMode = "leading",
) -> DecodeOptions:
    """On the raw path the prompt's own end says whether thinking is open already; on the chat path the server knows.

    source: the text that rendered the prompt, of several named ones in the template the chosen one.
    found: the template's thinking format, None = what its text and its template.toml show. mode: where a tag counts.
    """
    if path == "chat":
        return DecodeOptions(think_mode=mode)
    own = replace(template, source=source)
    if found is not None and found.tags is not None:
        if found.open == _HARMONY:
            return DecodeOptions(think_mode=mode, channels="harmony")
        own = replace(own, thinking=found.tags)
    tags = tuple(dict.fromkeys((*thinking_tags(own), *DEFAULT_TAGS)))
    return DecodeOptions(think_mode=mode, think_tags=tags, prompt_opens_thinking=opens_thinking(prompt, own).open)
