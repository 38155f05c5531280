"""`thinkpane lint`: what is wrong with a template and a conversation, or may go wrong elsewhere."""

import argparse
from typing import cast

from thinkpane.analysis.lint.findings import Finding
from thinkpane.analysis.lint.report import Question, lint
from thinkpane.cli._api import Command, CommandLineError, Services
from thinkpane.cli.input_files import Inputs
from thinkpane.cli.job_lines import job_of_line, request_of_job
from thinkpane.cli.jsonl import answer_lines
from thinkpane.cli.options import Asked, add_file, add_render_options, line_defaults, read_asked
from thinkpane.cli.output import write_found
from thinkpane.endpoints.kind import endpoint_kind, endpoint_kinds
from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats.json_values import JsonObject, JsonValue
from thinkpane.prompt.job import prepare
from thinkpane.workspace.body_sampling import given_params


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_file(parser)
    add_render_options(parser)
    parser.add_argument(
        "--target", metavar="KIND", help="the kind of endpoint the prompt goes to (openai-completions, llamacpp, …)"
    )
    parser.add_argument("--strict", action="store_true", help="end with status 1 where a finding is an error")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print one JSON object {findings}")
    form.add_argument("--jsonl", metavar="FILE", help="check every line of FILE (- = standard input)")


def _run(arguments: argparse.Namespace, services: Services) -> int:
    inputs = Inputs()
    if arguments.target is not None and arguments.target not in endpoint_kinds():
        known = ", ".join(endpoint_kinds())
        raise CommandLineError(f"thinkpane lint: there is no kind of endpoint “{arguments.target}”; there are {known}")
    if arguments.jsonl is not None:
        if arguments.file is not None:
            raise CommandLineError("thinkpane lint: --jsonl takes the place of FILE")
        if arguments.strict:
            raise CommandLineError("thinkpane lint: --strict judges one FILE, not the lines of --jsonl")
        defaults = line_defaults(arguments) | ({"target": arguments.target} if arguments.target else {})
        return answer_lines(inputs.read(arguments.jsonl), lambda line: _line(line, services), defaults)
    found: list[Finding] = []

    def find() -> tuple[Finding, ...]:
        found.extend(_one(arguments, inputs, services))
        return tuple(found)

    status = write_found(find, _as_json, _lines, json=arguments.json)
    fails = arguments.strict and any(each.severity == "error" for each in found)
    return 1 if fails else status


def _lines(found: tuple[Finding, ...]) -> list[str]:
    return [_told(each) for each in found] or ["No problems found."]


def _one(arguments: argparse.Namespace, inputs: Inputs, services: Services) -> tuple[Finding, ...]:
    given = arguments.file is not None or bool(arguments.continue_final)
    if not given and arguments.template is None:
        raise CommandLineError("thinkpane lint: name a FILE, or a template with --template")
    asked = read_asked(arguments, inputs, services.reach, needs_file=False)
    target = arguments.target if arguments.target is not None else _target(asked, services)
    job = asked.job
    request = prepare(job, services.engine).request
    chosen = frozenset(job.variables)
    return lint(Question(job.template, request, given, chosen, target, given_params(asked.state)), services.engine)


def _line(line: JsonObject, services: Services) -> JsonObject:
    given = line.get("messages") is not None
    job = job_of_line(line if given else {**line, "messages": []})
    target = line.get("target")
    if target is not None and not isinstance(target, str):
        raise ThinkpaneError(Problem("request", "“target” must be text.", field="target"))
    if target and target not in endpoint_kinds():
        known = ", ".join(endpoint_kinds())
        sentence = f"There is no kind of endpoint “{target}”; there are {known}."
        raise ThinkpaneError(Problem("request", sentence, field="target"))
    request = request_of_job(job, line, services.engine)
    return _as_json(
        lint(Question(job.template, request, given, frozenset(job.variables), target or ""), services.engine)
    )


def _target(asked: Asked, services: Services) -> str:
    """The kind of the endpoint that the document names; "" where it is none of this machine's."""
    try:
        endpoint = services.endpoints.named(asked.state.endpoint)
    except ThinkpaneError:
        return ""
    return endpoint_kind(endpoint, asked.state.path)


def _as_json(found: tuple[Finding, ...]) -> JsonObject:
    return {"findings": cast("list[JsonValue]", [each.as_json() for each in found])}


def _told(finding: Finding) -> str:
    places = []
    if finding.line is not None:
        places.append(f"template line {finding.line}")
    if finding.message_index is not None:
        places.append(f"message {finding.message_index + 1}")
    place = f"{', '.join(places)}: " if places else ""
    return f"{finding.severity:<7}  {place}{' '.join(finding.summary.split())} [{finding.id}]"


COMMAND = Command("lint", "tells what is wrong with a template and a conversation", _add_arguments, _run)
