"""The jobs "format", "damage" and "repair": work on a template's text that takes seconds for half a megabyte.

No template code runs in them; they are here because loops and regular expressions over long texts hold the
interpreter's lock, which would stop the window from any thread of its process.
"""

from typing import cast

from thinkpane.formats.jinja_format import formatted, is_formattable
from thinkpane.formats.json_values import JsonObject, JsonValue
from thinkpane.templates.repair import FAMILIES, KINDS, inspect, repair


def format_job(payload: JsonObject) -> JsonObject:
    """{source} in; {source} out, formatted; null where the tags do not match: there is no depth to indent by then."""
    source = str(payload["source"])
    return {"source": formatted(source) if is_formattable(source) else None}


def damage_job(payload: JsonObject) -> JsonObject:
    """{source} in; {damages: [{kind, line, sentence, confidence}]} out, in the order of `repair.KINDS`."""
    found: list[JsonValue] = [
        {"kind": each.kind, "line": each.line, "sentence": each.sentence, "confidence": each.confidence}
        for each in inspect(str(payload["source"]))
    ]
    return {"damages": found}


def repair_job(payload: JsonObject) -> JsonObject:
    """{source, kinds?, family?} in, without kinds all of them; {source, said: [sentence of each step]} out."""
    kinds, family = payload.get("kinds"), payload.get("family")
    wanted = KINDS if kinds is None else [each for each in cast("list[str]", kinds) if each in KINDS]
    done = repair(str(payload["source"]), wanted, str(family) if family in FAMILIES else None)
    return {"source": done.text, "said": [step.sentence for step in done.steps]}
