"""The options of every command that renders (render, request, send, …), and the job they make of a FILE."""

import argparse
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from thinkpane.cli._api import CommandLineError
from thinkpane.cli.input_files import STANDARD_INPUT, Inputs
from thinkpane.cli.output import write_error
from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats.json_values import JsonValue
from thinkpane.formats.strict_json import parse, parse_bytes
from thinkpane.prompt.job import PromptJob
from thinkpane.prompt.profiles._registry import all_profiles
from thinkpane.templates.edited import load_edited
from thinkpane.templates.library import from_source, load
from thinkpane.templates.reach import Reach
from thinkpane.templates.template import Template
from thinkpane.workspace.body_variables import render_options, split_options, with_carried
from thinkpane.workspace.document_file import document_from_json
from thinkpane.workspace.state import DocumentState


@dataclass(frozen=True, slots=True)
class Asked:
    """What a command line asks to be rendered: the document it made, and the job for the engine.

    file_variables: the template variables of FILE itself, before the options.
    """

    state: DocumentState
    job: PromptJob
    file_variables: Mapping[str, JsonValue]


def add_file(parser: argparse.ArgumentParser) -> None:
    """The FILE argument: an OpenAI-style body, a document, or `-`."""
    parser.add_argument(
        "file", nargs="?", metavar="FILE", help="a request body or a .thinkpane.json document; - = standard input"
    )


def add_render_options(parser: argparse.ArgumentParser) -> None:
    """The options that all commands which render share (docs/cli.md)."""
    parser.add_argument(
        "--template",
        metavar="REF",
        help="a built-in id, a path, hf:owner/name, a server's URL, or - for standard input",
    )
    parser.add_argument("--template-name", metavar="N", help="which of the template's named ones")
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        dest="variables",
        help="a template variable: JSON, else text; repeatable",
    )
    parser.add_argument("--profile", choices=tuple(all_profiles()), help="the runtime profile")
    parser.add_argument("--no-generation-prompt", action="store_true", help="do not open the reply")
    parser.add_argument(
        "--continue-final",
        nargs="?",
        const=True,
        default=False,
        metavar="FIELD",
        help="continue the last message (its FIELD, else its content)",
    )
    parser.add_argument("--now", metavar="ISO", type=_iso_time, help="the time that strftime_now tells")


def _iso_time(text: str) -> str:
    """The time as it was given, which the engine reads in the same way."""
    try:
        datetime.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"“{text}” is no ISO time, such as 2026-01-15T09:30:00") from None
    return text


def read_asked(
    arguments: argparse.Namespace, inputs: Inputs, reach: Reach | None = None, *, needs_file: bool = True
) -> Asked:
    """The document of FILE with what the options say over it, and its prompt job.

    reach: for a template that the command line names; a FILE never has anything fetched, it may be anybody's.
    needs_file: without one there is no conversation, which most commands cannot do without.

    Raises ThinkpaneError for a FILE or a template that cannot be read, CommandLineError for options that cannot be.
    """
    if arguments.file == STANDARD_INPUT == arguments.template:
        raise CommandLineError("thinkpane: “-” is standard input and can be read only once")
    if arguments.file is None and not needs_file and not arguments.continue_final:
        document: DocumentState = DocumentState()
        continued: bool | str = False
    else:
        name, continued = _file_and_field(arguments.file, arguments.continue_final)
        document = _document(name, inputs)
    state = _with_options(document, arguments)
    variables, options = split_options(state.variables)
    if arguments.no_generation_prompt:
        options["add_generation_prompt"] = False
    generate, going_on = render_options(options)
    template = _template(state, inputs, reach if arguments.template else None)
    if template.tokenizer_fault:
        write_error(f"thinkpane: {template.tokenizer_fault}")
    job = PromptJob(
        template=template,
        conversation=state.conversation,
        template_name=state.template_name if state.edited is None else "",
        variables=variables,
        steps=state.steps,
        profile=state.profile,
        carry=state.path == "raw",
        add_generation_prompt=generate,
        continue_final_message=continued or going_on,
        now=arguments.now,
    )
    return Asked(state, job, split_options(document.variables)[0])


def line_defaults(arguments: argparse.Namespace) -> dict[str, JsonValue]:
    """What the render options say of every line of --jsonl, as a line would say it (docs/cli.md, jsonl in).

    Raises CommandLineError for a template on standard input, which the lines may come from.
    """
    if arguments.template == STANDARD_INPUT:
        raise CommandLineError("thinkpane: with --jsonl a template comes from a file or stands in the lines")
    said: dict[str, JsonValue] = {
        "template": arguments.template,
        "template_name": arguments.template_name,
        "profile": arguments.profile,
        "now": arguments.now,
        "kwargs": dict(_assigned(each) for each in arguments.variables) or None,
        "add_generation_prompt": False if arguments.no_generation_prompt else None,
        "continue_final_message": arguments.continue_final or None,
    }
    return {name: value for name, value in said.items() if value is not None}


def read_template(ref: str, inputs: Inputs, reach: Reach | None = None) -> Template:
    """The template of a REF; `-` reads its text from standard input. Raises ThinkpaneError."""
    if ref != STANDARD_INPUT:
        return load(ref, reach=reach)
    try:
        return from_source(inputs.read(ref).decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise ThinkpaneError(Problem("file", "The template on standard input is no UTF-8 text.")) from None


def _template(state: DocumentState, inputs: Inputs, reach: Reach | None) -> Template:
    if state.edited is None:
        return read_template(state.template, inputs, reach)
    return load_edited(lambda ref: read_template(ref, inputs, reach), state.template, state.edited)


def _document(name: str, inputs: Inputs) -> DocumentState:
    # A plain body carries template variables the way it would send them.
    return with_carried(document_from_json(parse_bytes(inputs.read(name))))


def _with_options(state: DocumentState, arguments: argparse.Namespace) -> DocumentState:
    given = {
        "template": arguments.template,
        "template_name": arguments.template_name if arguments.template_name or not arguments.template else "",
        "profile": arguments.profile,
    }
    variables = {**state.variables, **dict(_assigned(each) for each in arguments.variables)}
    # An option that names a template means that one, not the text that the document has in its place.
    named = arguments.template or arguments.template_name
    changed = replace(state, variables=variables, edited=None if named else state.edited)
    for name, value in given.items():
        if value is not None:
            changed = replace(changed, **{name: value})
    return changed


def _assigned(text: str) -> tuple[str, JsonValue]:
    name, equals, value = text.partition("=")
    if not equals or not name.strip():
        raise CommandLineError(f"thinkpane: --set takes NAME=VALUE, not “{text}”")
    try:
        found = parse(value)
    except ThinkpaneError:
        return name.strip(), value
    return name.strip(), found


def _file_and_field(file: str | None, continued: bool | str) -> tuple[str, bool | str]:
    """FILE and the field to continue: `--continue-final FILE` takes the file for a field, and is meant otherwise."""
    if file is None and isinstance(continued, str) and (continued == STANDARD_INPUT or Path(continued).is_file()):
        return continued, True
    if file is None:
        raise CommandLineError("thinkpane: name a FILE, or - for standard input")
    return file, continued
