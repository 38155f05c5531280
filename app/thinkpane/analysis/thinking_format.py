"""Whether a prompt ends inside a thinking block, so that the reply starts with thinking and no tag opens it."""

import re
from dataclasses import dataclass

from thinkpane.templates.template import Template

USUAL_TAGS: tuple[tuple[str, str], ...] = (
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("<|START_THINKING|>", "<|END_THINKING|>"),
    ("[THINK]", "[/THINK]"),
    ("<seed:think>", "</seed:think>"),
    ("<reasoning>", "</reasoning>"),
    ("<|channel>thought", "<channel|>"),
)
"""Opening and closing marks of thinking that templates use: Qwen, DeepSeek and GLM; older tunes; Cohere; Magistral;
Seed-OSS; Granite-like tunes; Gemma 4. Used where a template does not declare its own."""

# A turn that starts after the opening mark shows that the mark was somebody's text, not the reply's start.
_TURN = re.compile(r"<\|[^|<>\n]{1,40}\|>|</?s>|\[/?INST\]|<(?:start|end)_of_turn>")


@dataclass(frozen=True, slots=True)
class ThinkingEnd:
    """How a prompt ends.

    open: inside a thinking block. closed_empty: right after an empty one, which is how templates turn thinking off.
    tag, close: the marks concerned, None where the prompt ends with neither.
    """

    open: bool = False
    tag: str | None = None
    close: str | None = None
    closed_empty: bool = False


def thinking_tags(template: Template | None) -> tuple[tuple[str, str], ...]:
    """The marks to look for: the template's own, else those of `USUAL_TAGS` that its text holds, else all of them."""
    if template is None:
        return USUAL_TAGS
    if template.thinking is not None:
        return (template.thinking,)
    return tuple(pair for pair in USUAL_TAGS if pair[0] in template.source or pair[1] in template.source) or USUAL_TAGS


def opens_thinking(prompt_text: str, template: Template | None = None) -> ThinkingEnd:
    """Reads the end of a prompt.

    Inside a block: the last opening mark has no closing mark and no turn mark after it; text may follow it (a reply
    that is continued in its thinking). So a mark that a person quotes in an earlier message opens nothing.
    """
    for opening, closing in thinking_tags(template):
        if prompt_text.rstrip().endswith(closing):
            inside = prompt_text.rstrip()[: -len(closing)].rstrip()
            if inside.endswith(opening):
                return ThinkingEnd(False, opening, closing, closed_empty=True)
        at = prompt_text.rfind(opening)
        if at < 0:
            continue
        rest = prompt_text[at + len(opening) :]
        if closing not in rest and not _TURN.search(rest):
            return ThinkingEnd(True, opening, closing)
    return ThinkingEnd()
