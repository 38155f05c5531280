"""The proof that a change of a template's text changes no prompt: the same tree to Jinja, and the same renders."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from thinkpane.analysis.rendering import RenderMany
from thinkpane.analysis.thinking_probes import FIELDS, called, cited, newest, older, question, reply
from thinkpane.engine.request import Rendered, RenderRequest
from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats.json_values import JsonObject

Job = Callable[[str, JsonObject], JsonObject]
"""Does a worker's job by its name; raises ThinkpaneError."""

UNFINISHED = frozenset({"timeout", "memory", "crash", "worker", "cancelled"})
"""Kinds of problem of renders that came to no end: that two of them did proves nothing."""


def difference(
    before: str, after: str, at_hand: Sequence[RenderRequest], job: Job, render: RenderMany
) -> Problem | None:
    """Why `after` may not take the place of `before`: None where both make the same prompts.

    Both are parsed and their trees compared; then both render the requests `at_hand` and the probe conversations
    (question, reply, thinking, tool call and result, documents, with and without the generation prompt). Renders that
    fail must fail with the same words; where one comes to no end, that is why.
    """
    try:
        if not job("same_template", {"source": before, "other": after})["same"]:
            return Problem("template", "Jinja would read another template: this was not done.")
    except ThinkpaneError as error:
        return error.problem
    requests = [*at_hand, *_probes(at_hand)]
    old = render([replace(each, source=before) for each in requests])
    new = render([replace(each, source=after) for each in requests])
    for each in (*old, *new):
        if each.problem is not None and each.problem.kind in UNFINISHED:
            return each.problem
    for place, (one, other) in enumerate(zip(old, new, strict=True)):
        if _told(one) != _told(other):
            which = "this conversation" if place < len(at_hand) else f"probe conversation {place - len(at_hand) + 1}"
            return Problem("template", f"The prompt of {which} would be another one: this was not done.")
    return None


def _probes(at_hand: Sequence[RenderRequest]) -> list[RenderRequest]:
    base = at_hand[0] if at_hand else RenderRequest("", [])
    plain, thinking = reply(""), reply(FIELDS[0])
    return [
        question(base, {}),
        question(base, {}, generate=False),
        newest(base, plain, {}),
        older(base, thinking, {}),
        called(base, thinking, {}),
        cited(base, plain, {}),
    ]


def _told(rendered: Rendered) -> tuple[str | None, str]:
    return rendered.text, rendered.problem.message if rendered.problem else ""
