"""JSON as servers send it, which is read as far as it goes: no statistic may cost a reply."""

from thinkpane.errors import ThinkpaneError
from thinkpane.formats import strict_json
from thinkpane.formats.json_values import JsonValue


def server_value(text: str) -> JsonValue:
    """The JSON value of `text`, None where it is none, is JSON's null or is nested too deeply.

    NaN, Infinity and numbers beyond what a float holds (servers written in Python send them) are None in it.
    """
    try:
        return strict_json.parse(text, lenient=True)
    except ThinkpaneError:
        return None
