"""`thinkpane request`: the HTTP request that Send would make, key masked; nothing is sent."""

import argparse
from typing import cast

from thinkpane.cli._api import Command, CommandLineError, Services
from thinkpane.cli.endpoint_options import Target, add_endpoint_options, read_target
from thinkpane.cli.input_files import Inputs
from thinkpane.cli.jsonl import answer_lines
from thinkpane.cli.options import add_file, add_render_options, line_defaults, read_asked
from thinkpane.cli.output import write_error, write_json, write_line
from thinkpane.cli.request_forms import as_curl, as_json, as_python
from thinkpane.cli.request_lines import request_of_line
from thinkpane.endpoints.dialects._api import Call, HttpRequest
from thinkpane.engine.host import Engine
from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.prompt.job import prepare
from thinkpane.runs.calls import chat_call, raw_call, request_for


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_file(parser)
    add_render_options(parser)
    add_endpoint_options(parser)
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--as", choices=("json", "curl", "python"), dest="form", default="json", help="in which form")
    form.add_argument("--json", action="store_const", const="json", dest="form", help="the same as --as json")
    form.add_argument("--jsonl", metavar="FILE", help="one request for every line of FILE (- = standard input)")


def _run(arguments: argparse.Namespace, services: Services) -> int:
    inputs = Inputs()
    if arguments.jsonl is not None:
        if arguments.file is not None:
            raise CommandLineError("thinkpane request: --jsonl takes the place of FILE")
        if arguments.endpoint is not None:
            raise CommandLineError("thinkpane request: with --jsonl each line says its api and base_url itself")
        defaults = line_defaults(arguments) | ({"model": arguments.model} if arguments.model else {})
        if "kwargs" in defaults:
            defaults["variables"] = defaults.pop("kwargs")
        return answer_lines(inputs.read(arguments.jsonl), lambda line: request_of_line(line, services.engine), defaults)
    try:
        target = read_target(arguments, read_asked(arguments, inputs, services.reach), services.endpoints)
        if target.dialect is None:
            sentence = (
                "The demo endpoint replays recorded replies and is sent nothing; name an endpoint with --endpoint."
            )
            raise ThinkpaneError(Problem("endpoint", sentence))
        request = request_for(target.endpoint, target.dialect, call_for(target, services.engine))
    except ThinkpaneError as error:
        if arguments.form != "json":
            raise
        write_json({"error": error.problem.as_json()})
        return 1
    _write(request, arguments.form, target)
    return 0


def call_for(target: Target, engine: Engine) -> Call:
    """What Send would ask. Raises ThinkpaneError where the prompt cannot be rendered."""
    prepared = prepare(target.job, engine)
    if target.path == "chat":
        return chat_call(prepared, model=target.model, variables=target.job.variables, params=target.params)
    rendered = engine.render(prepared.request)
    if rendered.problem is not None:
        raise ThinkpaneError(rendered.problem)
    return raw_call(cast("str", rendered.text), model=target.model, params=target.params)


def _write(request: HttpRequest, form: str, target: Target) -> None:
    has_key = bool(target.endpoint.key_ref)
    if form == "json":
        write_json(as_json(request, has_key=has_key))
        return
    for warning in request.warnings:
        write_error(f"warning: {warning.message}")
    make = as_curl if form == "curl" else as_python
    write_line(make(request, has_key=has_key, key_env=target.key_env))


COMMAND = Command("request", "shows the HTTP request that would be sent", _add_arguments, _run)
