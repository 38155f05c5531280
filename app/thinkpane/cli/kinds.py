"""`thinkpane kinds`: what each core registry holds."""

import argparse
from typing import cast

from thinkpane.analysis.lint._registry import all_checks
from thinkpane.cli._api import Command, Services
from thinkpane.cli._registry import command_names
from thinkpane.cli.output import write_json, write_line
from thinkpane.endpoints.dialects._registry import all_dialects
from thinkpane.formats.json_values import JsonValue
from thinkpane.prompt.profiles._registry import all_profiles
from thinkpane.templates.sources._registry import all_sources
from thinkpane.tokens.kinds._registry import all_kinds
from thinkpane.tokens.servers._registry import all_servers
from thinkpane.workspace.importers._registry import all_importers


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def _run(arguments: argparse.Namespace, _services: Services) -> int:
    kinds = _kinds()
    if arguments.json:
        write_json({name: cast("JsonValue", found) for name, found in kinds.items()})
        return 0
    width = max(map(len, kinds)) + 2
    for name, found in kinds.items():
        write_line(f"{name:<{width}}{', '.join(found)}")
    return 0


def _kinds() -> dict[str, list[str]]:
    return {
        "checks": list(all_checks()),
        "commands": list(command_names()),
        "dialects": [each.name for each in all_dialects()],
        "importers": [each.name for each in all_importers()],
        "profiles": list(all_profiles()),
        "template_sources": [each.name for each in all_sources()],
        "tokenizers": [each.name for each in all_kinds()],
        "tokenizer_servers": [each.name for each in all_servers()],
    }


COMMAND = Command("kinds", "lists what each registry holds", _add_arguments, _run)
