"""`thinkpane endpoints`: the endpoints that can be named; never a key, only where it is found."""

import argparse

from thinkpane.cli._api import Command, Services
from thinkpane.cli.output import write_json, write_line
from thinkpane.endpoints.profile import Endpoint
from thinkpane.endpoints.redact import masked_url
from thinkpane.formats.json_values import JsonObject, JsonValue
from thinkpane.workspace.endpoint_store import DEMO_ENDPOINT


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def _run(arguments: argparse.Namespace, services: Services) -> int:
    found = (DEMO_ENDPOINT, *services.endpoints.all())
    if arguments.json:
        listed: list[JsonValue] = [_described(each) for each in found]
        write_json({"endpoints": listed})
        return 0
    rows = [[each.name, each.dialect, masked_url(each.base_url), each.model, each.key_ref] for each in found]
    widths = [max(map(len, column)) + 2 for column in zip(*rows, strict=True)]
    for row in rows:
        write_line("".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
    return 0


def _described(endpoint: Endpoint) -> JsonObject:
    return {
        "name": endpoint.name,
        "dialect": endpoint.dialect,
        "base_url": masked_url(endpoint.base_url),
        "model": endpoint.model,
        "key": endpoint.key_ref or None,
    }


COMMAND = Command("endpoints", "lists the endpoints that can be named", _add_arguments, _run)
