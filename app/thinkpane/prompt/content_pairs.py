"""Where the texts of a message's content stand in what the template is given: steps put text or parts before them, and
profiles make parts of a text or one text of the parts."""

from dataclasses import dataclass

from thinkpane.conversation.messages import part_text
from thinkpane.formats.json_values import JsonValue


@dataclass(frozen=True, slots=True)
class TextPair:
    """One text of the document and where it stands. own, given: ways like `content[0].text` in the message and in what
    is given; before: characters before it there; length: its own; is_all: nothing else stands there."""

    own: str
    given: str
    before: int
    length: int
    is_all: bool


def text_pairs(own: JsonValue, given: JsonValue) -> list[TextPair]:
    """The pairs of a message's own content and of what is given; texts that are found nowhere are left out."""
    ours, theirs = _texts(own), _texts(given)
    if isinstance(own, list) and isinstance(given, list):
        more = len(given) - len(own)
        return _same_places(ours, {_moved(way, -more): text for way, text in theirs.items()}, more)
    found: list[TextPair] = []
    for way, text in ours.items():
        reached = found[-1].before + found[-1].length if found and isinstance(given, str) else 0
        for other, whole in theirs.items():
            at = before(text, whole) if isinstance(own, str) else whole.find(text, reached) if text else -1
            if at is not None and at >= 0:
                found.append(TextPair(way, other, at, len(text), text == whole))
                break
    return found


def own_way(way: str, own: JsonValue, given: JsonValue) -> str | None:
    """The way of something that is no text, such as a picture: from what is given to the message's own content; None
    for what the message does not have."""
    if not isinstance(own, list):
        return "content"
    if not isinstance(given, list) or not way.startswith("content["):
        return way
    moved = _moved(way, len(own) - len(given))
    return moved if not moved.startswith("content[-") else None


def before(own: str, given: str) -> int | None:
    """How many characters stand before `own` in `given`; None where it does not stand in it, or not only once."""
    if own == given:
        return 0
    if own and given.endswith(own):  # steps put their text before
        return len(given) - len(own)
    return given.find(own) if own and given.count(own) == 1 else None


def _same_places(ours: dict[str, str], theirs: dict[str, str], more: int) -> list[TextPair]:
    found: list[TextPair] = []
    for way, text in ours.items():
        at = before(text, theirs[way]) if way in theirs else None
        if at is not None:
            found.append(TextPair(way, _moved(way, more), at, len(text), text == theirs[way]))
    return found


def _texts(content: JsonValue) -> dict[str, str]:
    """The texts of a content by their ways."""
    if isinstance(content, str):
        return {"content": content}
    found: dict[str, str] = {}
    for number, part in enumerate(content if isinstance(content, list) else ()):
        if isinstance(part, str):
            found[f"content[{number}]"] = part
        elif isinstance(part, dict) and isinstance(part.get("text"), str):
            found[f"content[{number}].text"] = part_text(part)
    return found


def _moved(way: str, by: int) -> str:
    """The way with its part `by` places further on."""
    number, _, rest = way.removeprefix("content[").partition("]")
    return f"content[{int(number) + by}]{rest}"
