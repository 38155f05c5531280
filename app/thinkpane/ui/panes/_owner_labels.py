"""What the prompt's gutter tells of owners: template lines and the colours of messages."""

from collections.abc import Callable

from thinkpane.prompt.owners import Group
from thinkpane.prompt.prompt import Prompt
from thinkpane.ui.widgets.text_change import Change, change_between
from thinkpane.ui.widgets.text_gutter import Labels


class OwnerLabels:
    """The labels that the owners of one traced prompt give: to itself, and to the prompts that are typed after it until
    their own owners are known. What a span's role is, is looked up once: each key asks for the rows in sight again."""

    def __init__(self, traced: Prompt) -> None:
        """Raises ValueError for a prompt without owners."""
        if traced.owners is None:
            raise ValueError("the prompt has no owners")
        self._owners = traced.owners
        self._text = traced.text
        self._role_of = _roles(traced)
        self._roles: dict[int, str] = {}
        lines = traced.request.source.count("\n") + 1 if traced.request is not None else 1
        # A last good prompt that is shown while another template fails has lines of the former one.
        self._most = max(lines, traced.owners.last_line)

    def of(self, text: str, change: Change | None = None) -> Labels:
        """The labels for a text; lines stay where the traced text stayed. change: what makes `text` of the traced one,
        None = to be found."""
        if text == self._text:
            return Labels(self._owners.line_at, self._most, self._role)
        back = _back(change or change_between(self._text, text))

        def line(position: int) -> int:
            return self._owners.line_at(back(position))

        def role(start: int, end: int) -> str:
            first, last = back(start), back(max(end - 1, start))
            return self._role(first, last + 1) if first >= 0 and last >= 0 else ""

        return Labels(line, self._most, role)

    def _role(self, start: int, end: int) -> str:
        """The first role among the spans that touch [start, end)."""
        first, last = self._owners.number_at(start), self._owners.number_at(max(end - 1, start))
        if first < 0:
            return ""
        for number in range(first, max(first, last) + 1):
            found = self._roles.get(number)
            if found is None:
                found = self._roles[number] = self._role_of(self._owners.span(number).owner.group)
            if found:
                return found
        return ""


def labels_of(prompt: Prompt) -> Labels | None:
    """The labels for a prompt from its own owners; None without owners."""
    return OwnerLabels(prompt).of(prompt.text) if prompt.owners is not None else None


def room_of(labels: Labels) -> Labels:
    """The room of these labels, with nothing in it."""
    return Labels(lambda _position: 0, labels.most, are_known=False)


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
