"""Facts about messages for their cards: control tags that stay, what lost, and text that is not in the prompt."""

from collections.abc import Sequence

from thinkpane.analysis.effects import Effects
from thinkpane.analysis.tag_occurrences import tag_occurrences
from thinkpane.conversation.messages import Message
from thinkpane.formats.json_values import JsonValue
from thinkpane.prompt.owners import Group
from thinkpane.prompt.prompt import Prompt

Badge = tuple[str, str]
"""Text and tone, as MessagesPane.set_badges takes them."""

STAYS: Badge = ("tag stays visible to the model", "warning")


ABSENT: Badge = ("not in the prompt", "bad")


def message_badges(
    messages: Sequence[Message], effects: Effects | None, prompt: Prompt | None = None
) -> list[tuple[Badge, ...]]:
    """The badges of each message, in order; none for messages that are not sent.

    prompt: the one on show; once its owners are known they tell whose text is not in it.
    """
    found: list[list[Badge]] = [[] for _ in messages]
    if effects is None:
        return [tuple(each) for each in found]
    places = [place for place, each in enumerate(messages) if not each.excluded]
    sent: JsonValue = [dict(messages[place].data) for place in places]
    staying = [each.tag.tag for each in effects.discovery.tags if each.stays and each.effect == "changes"]
    for index in sorted({tag.message for tag in tag_occurrences(sent, staying)}):
        found[places[index]].append(STAYS)
    for reason in effects.in_force.reasons:
        if not reason.won and reason.message is not None and reason.message < len(places):
            found[places[reason.message]].append((reason.text.rstrip("."), "warning"))
    for index in _absent(messages, places, prompt):
        found[places[index]].append(ABSENT)
    return [tuple(each) for each in found]


def _absent(messages: Sequence[Message], places: Sequence[int], prompt: Prompt | None) -> list[int]:
    """Which of the messages that are sent have text and not one character of the prompt."""
    request = prompt.request if prompt is not None and not prompt.stale else None
    if prompt is None or prompt.owners is None or request is None:
        return []
    sent = request.messages
    if not isinstance(sent, list) or len(sent) != len(places):
        return []  # steps or the profile made others of them
    counts = prompt.owners.counts
    return [
        index for index, place in enumerate(places) if messages[place].text and Group("message", index) not in counts
    ]
