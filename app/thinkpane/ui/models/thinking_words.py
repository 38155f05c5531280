"""Why text is believed to be thinking, in words for a badge and its tooltip."""

from typing import NamedTuple


class Why(NamedTuple):
    """badge: short; hint: one sentence more."""

    badge: str
    hint: str = ""


def why(source: str) -> Why:
    """The words for a block's source (streaming/events.py, ThinkingSource)."""
    kind, _, name = source.partition(": ")
    if source == "opened by the prompt":
        return Why(source, "The prompt ends inside a thinking block, so the reply begins inside it.")
    if source.startswith("closed by "):
        tag = source.removeprefix("closed by ")
        return Why(source, f"{tag} came and nothing had opened it, so all before it was thinking.")
    if kind == "field" and name:
        return Why(source, f"The server sends it in its field “{name}”, apart from the answer.")
    if kind == "tag" and name:
        return Why(f"tag {name} in the answer", f"It stands after {name} in the text of the answer.")
    if kind == "channel" and name:
        return Why(f"channel {name}", f"The model's own channel tokens name its channel “{name}”.")
    if kind == "block" and name:
        return Why(source, f"The server sends it as a block of its own, of type “{name}”.")
    return Why(source)
