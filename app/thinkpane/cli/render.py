"""`thinkpane render`: prints the prompt exactly, nothing added."""

import argparse
from typing import cast

from thinkpane.cli._api import Command, CommandLineError, Services
from thinkpane.cli.input_files import Inputs
from thinkpane.cli.job_lines import request_of_line
from thinkpane.cli.jsonl import answer_lines
from thinkpane.cli.options import add_file, add_render_options, line_defaults, read_asked
from thinkpane.cli.output import write_exactly, write_json
from thinkpane.engine.host import Engine
from thinkpane.engine.request import RenderRequest
from thinkpane.errors import ThinkpaneError
from thinkpane.formats.json_values import JsonObject
from thinkpane.prompt.job import Prepared, prepare


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_file(parser)
    add_render_options(parser)
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print one JSON object {text, …}")
    form.add_argument("--trace", action="store_true", help="print JSON with the owner of every character")
    form.add_argument("--jsonl", metavar="FILE", help="render every line of FILE (- = standard input)")


def _run(arguments: argparse.Namespace, services: Services) -> int:
    inputs = Inputs()
    if arguments.jsonl is not None:
        if arguments.file is not None:
            raise CommandLineError("thinkpane render: --jsonl takes the place of FILE")
        defaults = line_defaults(arguments)
        return answer_lines(inputs.read(arguments.jsonl), lambda line: _line(line, services), defaults)
    return _one(arguments, inputs, services)


def _one(arguments: argparse.Namespace, inputs: Inputs, services: Services) -> int:
    try:
        prepared = prepare(read_asked(arguments, inputs, services.reach).job, services.engine)
        found = _rendered(prepared.request, services.engine, arguments.trace)
    except ThinkpaneError as error:
        if not (arguments.json or arguments.trace):
            raise
        write_json({"error": error.problem.as_json()})
        return 1
    if arguments.json or arguments.trace:
        write_json({**found, **_notes(prepared)})
    else:
        write_exactly(cast("str", found["text"]))
    return 0


def _line(line: JsonObject, services: Services) -> JsonObject:
    return _rendered(request_of_line(line, services.engine), services.engine, bool(line.get("trace")))


def _rendered(request: RenderRequest, engine: Engine, trace: bool) -> JsonObject:
    """{text}, and traced also {spans, reads, ignored, lines}; raises ThinkpaneError."""
    if trace:
        return engine.trace(request)
    rendered = engine.render(request)
    if rendered.problem is not None:
        raise ThinkpaneError(rendered.problem)
    return {"text": cast("str", rendered.text)}


def _notes(prepared: Prepared) -> JsonObject:
    """What steps and profile did to get the prompt, where they did anything."""
    notes: JsonObject = {}
    if prepared.decisions:
        notes["steps"] = [{"step": each.step, "text": each.text, "acted": each.acted} for each in prepared.decisions]
    if prepared.rewrites:
        notes["rewrites"] = list(prepared.rewrites)
    return notes


COMMAND = Command("render", "prints the prompt exactly as the model would get it", _add_arguments, _run)
