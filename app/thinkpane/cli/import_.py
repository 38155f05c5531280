"""`thinkpane import`: says what a pasted text is, and what it holds."""

import argparse

from thinkpane.cli._api import Command, CommandLineError, Services
from thinkpane.cli.input_files import Inputs
from thinkpane.cli.jsonl import answer_lines
from thinkpane.cli.output import write_json
from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats.json_values import JsonObject
from thinkpane.workspace.importers._registry import recognise


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", nargs="?", metavar="FILE", help="a file with the text; - = standard input")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print one JSON object, an error too")
    form.add_argument("--jsonl", metavar="FILE", help="read every line of FILE, {id, paste} (- = standard input)")


def _run(arguments: argparse.Namespace, _services: Services) -> int:
    inputs = Inputs()
    if arguments.jsonl is not None:
        if arguments.file is not None:
            raise CommandLineError("thinkpane import: --jsonl takes the place of FILE")
        return answer_lines(inputs.read(arguments.jsonl), _line)
    if arguments.file is None:
        raise CommandLineError("thinkpane import: name a FILE, or - for standard input")
    try:
        write_json(recognise(_text(inputs.read(arguments.file))).as_json())
    except ThinkpaneError as error:
        if not arguments.json:
            raise
        write_json({"error": error.problem.as_json()})
        return 1
    return 0


def _line(line: JsonObject) -> JsonObject:
    paste = line.get("paste")
    if not isinstance(paste, str):
        raise ThinkpaneError(Problem("request", "“paste” must be text.", field="paste"))
    return recognise(paste).as_json()


def _text(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as fault:
        raise ThinkpaneError(Problem("file", f"The text is not UTF-8 (byte {fault.start}).")) from None


COMMAND = Command("import", "says what a pasted text is and what it holds", _add_arguments, _run)
