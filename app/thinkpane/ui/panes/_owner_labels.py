"""What the prompt's gutter tells of owners: template lines and the colours of messages."""

from collections.abc import Callable

from thinkpane.prompt.owners import Group
from thinkpane.prompt.prompt import Prompt
from thinkpane.ui.widgets.text_change import Change, change_between
from thinkpane.ui.widgets.text_gutter import Labels


def labels_of(traced: Prompt, shown: Prompt, change: Change | None = None) -> Labels | None:
    """The labels for a prompt from the owners of a traced one: itself, or the one before it, whose lines stay where
    the text stayed; None without owners. change: what makes the one text of the other, None = to be found."""
    owners = traced.owners
    if owners is None:
        return None
    back = _same if traced.text == shown.text else _back(change or change_between(traced.text, shown.text))
    roles = _roles(traced)

    def line(position: int) -> int:
        return owners.line_at(back(position))

    def role(start: int, end: int) -> str:
        first, last = back(start), back(max(end - 1, start))
        if first < 0 or last < 0:
            return ""
        groups = (span.owner.group for span in owners.between(first, last + 1))
        return next((found for group in groups if (found := roles(group))), "")

    lines = traced.request.source.count("\n") + 1 if traced.request is not None else 1
    # A last good prompt that is shown while another template fails has lines of the former one.
    return Labels(line, max(lines, owners.last_line), role)


def room_of(labels: Labels) -> Labels:
    """The room of these labels, with nothing in it."""
    return Labels(lambda _position: 0, labels.most, are_known=False)


def _same(position: int) -> int:
    return position


def _back(change: Change) -> Callable[[int], int]:
    """From positions of the new text to those of the old one, -1 for what is new."""
    new_end = change.start + len(change.text)

    def back(position: int) -> int:
        if change.start <= position < new_end:
            return -1
        return position if position < change.start else position - new_end + change.end

    return back


def _roles(prompt: Prompt) -> Callable[[Group], str]:
    """The role of a group: the message's own, "tool" for tools and documents, "" for the template's text."""
    messages = prompt.origins.given
    given = messages if isinstance(messages, list) else []

    def role(group: Group) -> str:
        if group.kind in ("tools", "documents"):
            return "tool"
        message = given[group.index] if group.index is not None and group.index < len(given) else None
        found = message.get("role") if isinstance(message, dict) else None
        return found if isinstance(found, str) else ""

    return role
