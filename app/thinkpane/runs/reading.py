"""How the reply to a prompt is to be read."""

from dataclasses import replace

from thinkpane.analysis.thinking_format import opens_thinking, thinking_tags
from thinkpane.endpoints.dialects._api import DecodeOptions, SendPath
from thinkpane.streaming.tags import DEFAULT_TAGS
from thinkpane.templates.template import Template


def decode_options(path: SendPath, prompt: str, template: Template, source: str) -> DecodeOptions:
    """On the raw path the prompt's own end says whether thinking is open already; on the chat path the server knows.

    source: the text that rendered the prompt, of several named ones in the template the chosen one.
    """
    if path == "chat":
        return DecodeOptions()
    own = replace(template, source=source)
    tags = tuple(dict.fromkeys((*thinking_tags(own), *DEFAULT_TAGS)))
    return DecodeOptions(think_tags=tags, prompt_opens_thinking=opens_thinking(prompt, own).open)
