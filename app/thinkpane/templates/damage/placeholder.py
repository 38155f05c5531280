"""`[object Object]`: what a page wrote for something it could not show. What stood there is lost."""

from thinkpane.templates.damage.pieces import line_of
from thinkpane.templates.damage.values import PLACEHOLDER, Damage, Mended

WORDS = "[object Object]"


def find(text: str) -> Damage | None:
    """The words themselves."""
    at = text.find(WORDS)
    if at < 0:
        return None
    count = text.count(WORDS)
    return Damage(
        PLACEHOLDER,
        line_of(text, at),
        f"“{WORDS}” stands in {count} place{'s' if count > 1 else ''} where a page swallowed a tag, most often with "
        "everything up to the next “>”. What stood there is lost.",
        "certain",
    )


def mend(text: str, _family: str | None) -> Mended:
    """Changes nothing: the lost text is not in what is left."""
    return Mended(text, f"What stood at “{WORDS}” cannot be brought back from this text; look for another copy.")
