"""A template copied with the escapes of the JSON text it stood in: `\\n` for line breaks, `\\"` for quotes."""

import json
import re

from thinkpane.templates.damage.pieces import line_of
from thinkpane.templates.damage.values import ESCAPES, Damage, Mended

_BESIDE_TAG = re.compile(r"[%#}]\}\\n|\\n *\{[%#{]")
_ESCAPE = re.compile(r'\\(?:u(?P<code>[0-9a-fA-F]{4})|(?P<plain>["\\/bfnrt]))')
_PLAIN = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")


def find(text: str) -> Damage | None:
    """Escaped line breaks beside tags, more of them than real ones."""
    beside = list(_BESIDE_TAG.finditer(text))
    if _whole(text) is None and (len(beside) < 2 or text.count("\\n") <= text.count("\n")):
        return None
    first = beside[0].start() if beside else 0
    return Damage(
        ESCAPES,
        line_of(text, first),
        f"The template is written as a JSON text: {text.count(chr(92) + 'n')} line breaks stand as \\n.",
        "certain" if _whole(text) is not None or len(beside) > 4 else "likely",
    )


def mend(text: str, _family: str | None) -> Mended:
    """Reads the escapes; a text in quotes is read as the JSON text it is."""
    whole = _whole(text)
    if whole is not None:
        return Mended(whole, "Read the JSON text between its quotes.")
    plain = _ESCAPE.sub(lambda found: chr(int(found["code"], 16)) if found["code"] else _PLAIN[found["plain"]], text)
    joined = _PAIR.sub(lambda found: found.group().encode("utf-16", "surrogatepass").decode("utf-16"), plain)
    return Mended(joined, 'Read the escapes of JSON: \\n as a line break, \\" as a quote.')


def _whole(text: str) -> str | None:
    """The text between the quotes, where all of it is one JSON text with a tag in it."""
    if not text.strip().startswith('"'):
        return None
    try:
        value = json.loads(text.strip())
    except ValueError:
        return None
    return value if isinstance(value, str) and re.search(r"\{[{%#]", value) else None
