"""Facts about control tags, for the cards of the messages they stand in."""

from collections.abc import Sequence

from thinkpane.analysis.tag_occurrences import tag_occurrences
from thinkpane.conversation.messages import Message
from thinkpane.formats.json_values import JsonValue
from thinkpane.ui.effects import Effects

Badge = tuple[str, str]
"""Text and tone, as MessagesPane.set_badges takes them."""

STAYS: Badge = ("tag stays visible to the model", "warning")


def message_badges(messages: Sequence[Message], effects: Effects | None) -> list[tuple[Badge, ...]]:
    """The badges of each message, in order; none for messages that are not sent."""
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
    return [tuple(each) for each in found]
