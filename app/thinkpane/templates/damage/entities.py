"""A template copied from a page's source, with HTML's names for characters."""

import html
import re

from thinkpane.templates.damage.pieces import line_of
from thinkpane.templates.damage.values import ENTITIES, Damage, Mended

_NAMED = {"<": ("&lt;", "&#60;"), ">": ("&gt;", "&#62;"), "'": ("&#39;", "&#x27;", "&apos;"), '"': ("&quot;", "&#34;")}
_ENTITY = re.compile(r"&(?:lt|gt|quot|apos|amp|nbsp|#\d{1,6}|#x[0-9a-fA-F]{1,5});")


def find(text: str) -> Damage | None:
    """Names for brackets or quotes in a text with tags that has none of the characters themselves."""
    if not re.search(r"\{[{%]", text):
        return None
    named = [name for plain, names in _NAMED.items() if plain not in text for name in names if name in text]
    if not named:
        return None
    first = min(text.index(name) for name in named)
    return Damage(
        ENTITIES,
        line_of(text, first),
        f"Characters are written as HTML names ({', '.join(named)}): {len(_ENTITY.findall(text))} of them.",
        "certain",
    )


def mend(text: str, _family: str | None) -> Mended:
    """Writes the characters themselves, once: what was escaped twice stays escaped once."""
    plain, count = _ENTITY.subn(lambda found: html.unescape(found.group()), text)
    return Mended(plain, f"Wrote {count} characters for their HTML names.")
