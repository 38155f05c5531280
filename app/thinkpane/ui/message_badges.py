"""Facts about messages for their cards: control tags that stay, what lost, and text that is not in the prompt."""

from collections.abc import Sequence

from thinkpane.analysis.effects import Effects
from thinkpane.analysis.tag_occurrences import tag_occurrences
from thinkpane.conversation.messages import Message
from thinkpane.formats.json_values import JsonValue
from thinkpane.prompt.prompt import Prompt

Badge = tuple[str, str]
"""Text and tone, as MessagesPane.show_badges takes them."""

STAYS: Badge = ("tag stays visible to the model", "warning")


ABSENT: Badge = ("not in the prompt", "bad")


def message_badges(
    messages: Sequence[Message], effects: Effects | None, prompt: Prompt | None = None
) -> dict[int, tuple[Badge, ...]]:
    """The badges of the messages that have any, by index; messages that are not sent have none.

    prompt: the one on show; once its owners are known they tell whose text is not in it.
    """
    if effects is None:
        return {}
    found: dict[int, list[Badge]] = {}
    places = [place for place, each in enumerate(messages) if not each.excluded]
    staying = [each.tag.tag for each in effects.discovery.tags if each.stays and each.effect == "changes"]
    if staying:
        sent: JsonValue = [dict(messages[place].data) for place in places]
        for index in sorted({tag.message for tag in tag_occurrences(sent, staying)}):
            found.setdefault(places[index], []).append(STAYS)
    for reason in effects.in_force.reasons:
        if not reason.won and reason.message is not None and reason.message < len(places):
            found.setdefault(places[reason.message], []).append((reason.text.rstrip("."), "warning"))
    for index in _absent(messages, places, prompt):
        found.setdefault(places[index], []).append(ABSENT)
    return {place: tuple(badges) for place, badges in found.items()}


def _absent(messages: Sequence[Message], places: Sequence[int], prompt: Prompt | None) -> list[int]:
    """Which of the messages that are sent have text and not one character of the prompt."""
    request = prompt.request if prompt is not None and not prompt.stale else None
    if prompt is None or prompt.owners is None or request is None:
        return []
    sent = request.messages
    if not isinstance(sent, list) or len(sent) != len(places):
        return []  # steps or the profile made others of them
    present = {group.index for group in prompt.owners.counts if group.kind == "message"}
    return [index for index, place in enumerate(places) if index not in present and messages[place].text]
