"""How the next prompt would hold a thought: rendered twice, with the thought and with another, and compared."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from thinkpane.conversation import edits
from thinkpane.conversation.conversation import Conversation
from thinkpane.conversation.message_edits import set_reasoning
from thinkpane.conversation.messages import call_function, message
from thinkpane.engine.request import Rendered, RenderRequest
from thinkpane.errors import ThinkpaneError
from thinkpane.prompt.diff import common_end, common_start
from thinkpane.prompt.job import PromptJob, prepare
from thinkpane.prompt.profiles._api import Facts
from thinkpane.ui.widgets.badge import Tone

NEXT = "(the next message)"
"""Stands for what a person, or a tool, says next."""

_OTHER = "Another thought."
_AROUND = 240


@dataclass(frozen=True, slots=True)
class Replayed:
    """sentence, tone: for a badge. excerpt: part of the next prompt; start, end: where in it the thought stands."""

    sentence: str
    tone: Tone = ""
    excerpt: str = ""
    start: int = 0
    end: int = 0


def replayed(
    job: PromptJob,
    index: int,
    thought: str,
    render_many: Callable[[Sequence[RenderRequest]], Sequence[Rendered]],
    facts: Facts,
) -> Replayed:
    """How the prompt after the assistant message at `index` of the job's conversation would hold `thought`.

    What follows the reply is made up: a result for each of its tool calls, else a message of the user.
    """
    try:
        requests = [
            prepare(replace(job, conversation=_next(job.conversation, index, text)), facts).request
            for text in (thought, _OTHER if thought.strip() != _OTHER else _OTHER * 2)
        ]
    except ThinkpaneError as error:
        return Replayed(f"The next prompt cannot be made: {error.problem.message}", "bad")
    ours, other = render_many(requests)
    if ours.problem is not None:
        return Replayed(f"The next prompt cannot be rendered: {ours.problem.message}", "bad")
    return found_in(ours.text or "", other.text or "", thought)


def found_in(prompt: str, other: str, thought: str) -> Replayed:
    """Where `prompt` holds the thought. other: the same prompt with another thought."""
    core = thought.strip()
    if not core:
        return Replayed("There is no thought to replay.", "", prompt[-_AROUND:])
    if prompt == other:
        return Replayed(
            "Dropped: the template leaves this thought out of the next prompt.", "warning", prompt[-_AROUND:]
        )
    start = common_start(prompt, other)
    end = len(prompt) - min(common_end(prompt, other), min(len(prompt), len(other)) - start)
    at = prompt.find(core, max(0, start - len(core)))
    whole = 0 <= at <= start
    if whole:
        start, end = at, at + len(core)
    line = f"line {prompt.count(chr(10), 0, start) + 1:,} of the next prompt."
    begin = max(0, start - _AROUND)
    excerpt, place = prompt[begin : end + _AROUND], (start - begin, end - begin)
    if whole:
        return Replayed(f"Replayed as it is, in {line}", "good", excerpt, *place)
    return Replayed(f"Replayed in another form, in {line}", "warning", excerpt, *place)


def _next(talk: Conversation, index: int, thought: str) -> Conversation:
    """The conversation up to that reply, with another thought and something after it."""
    talk = replace(talk, messages=talk.messages[: index + 1])
    talk = edits.edit(talk, index, set_reasoning, thought)
    calls = talk.messages[index].tool_calls
    if not calls:
        return edits.add(talk, message("user", NEXT))
    for call in calls:
        call_id, name = call.get("id"), call_function(call).get("name")
        talk = edits.append_tool_result(
            talk, call_id if isinstance(call_id, str) else "", name if isinstance(name, str) else "", NEXT
        )
    return talk
