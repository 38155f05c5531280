"""`thinkpane templates`: the built-in templates."""

import argparse

from thinkpane.cli._api import Command, Services
from thinkpane.cli.output import write_json, write_line
from thinkpane.formats.json_values import JsonObject, JsonValue
from thinkpane.templates.library import all_built_in
from thinkpane.templates.template import Template


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def _run(arguments: argparse.Namespace, _services: Services) -> int:
    found = all_built_in()
    if arguments.json:
        listed: list[JsonValue] = [_described(each) for each in found]
        write_json({"templates": listed})
        return 0
    width = max((len(each.id) for each in found), default=0) + 2
    for each in found:
        write_line(f"{each.id:<{width}}{each.title}")
    return 0


def _described(template: Template) -> JsonObject:
    return {
        "id": template.id,
        "title": template.title,
        "origin": template.origin,
        "licence": template.licence,
        "uncertain": list(template.uncertain),
        "tiers": [each.label for each in template.tiers],
        "tags": [each.tag for each in template.tags],
    }


COMMAND = Command("templates", "lists the built-in templates", _add_arguments, _run)
