"""The options of every command that talks to an endpoint (request, send, parity), and what they choose."""

import argparse
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from thinkpane.cli._api import CommandLineError
from thinkpane.cli.options import Asked
from thinkpane.endpoints.dialects._api import Dialect
from thinkpane.endpoints.dialects._registry import dialect_for, dialect_named
from thinkpane.endpoints.profile import DEMO, Endpoint, endpoint_from_text
from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats.json_values import JsonValue
from thinkpane.prompt.job import PromptJob
from thinkpane.prompt.steps import Explicit


@dataclass(frozen=True, slots=True)
class Target:
    """What is to be sent where: the endpoint, the dialect of the path it takes, and the job with the options in it.

    key_env: the environment variable that holds the key, "" where the command line names none.
    """

    endpoint: Endpoint
    dialect: Dialect
    job: PromptJob
    model: str
    params: Mapping[str, JsonValue]
    key_env: str = ""


def add_endpoint_options(parser: argparse.ArgumentParser) -> None:
    """The options that all commands which talk to an endpoint share (CLI.md)."""
    parser.add_argument("--endpoint", metavar="E", help="a saved endpoint, demo, or dialect+URL")
    parser.add_argument("--model", metavar="M", help="the model's name")
    parser.add_argument("--path", choices=("chat", "raw"), help="send messages, or the rendered prompt")
    parser.add_argument(
        "--param",
        action="append",
        default=[],
        metavar="NAME=JSON",
        dest="params",
        help="a sampling parameter; repeatable",
    )
    parser.add_argument("--thinking", choices=("on", "off"), help="asks for thinking, or for none")
    parser.add_argument("--effort", metavar="TEXT", help="how hard to think, in the model's own word")
    parser.add_argument("--key-env", metavar="NAME", default="", help="the environment variable that holds the key")


def read_target(arguments: argparse.Namespace, asked: Asked, saved: Iterable[Endpoint]) -> Target:
    """Where `asked` goes by these options; saved: the endpoints that have names.

    Raises ThinkpaneError for an endpoint or dialect that is not there, CommandLineError for a bad --param.
    """
    endpoint = find_endpoint(arguments.endpoint or asked.state.endpoint, saved)
    own = dialect_named(endpoint.dialect)
    # An endpoint named on the command line brings its path; else the document's holds.
    path = arguments.path or (own.path if arguments.endpoint or asked.state.path not in ("chat", "raw") else None)
    path = path or ("chat" if asked.state.path == "chat" else "raw")
    thinking = {"on": True, "off": False, None: None}[arguments.thinking]
    return Target(
        endpoint,
        dialect_for(endpoint.dialect, path),
        replace(asked.job, carry=path == "raw", explicit=Explicit(thinking, arguments.effort)),
        arguments.model or asked.state.model or endpoint.model,
        {**asked.state.params, **dict(_assigned(each) for each in arguments.params)},
        arguments.key_env,
    )


def find_endpoint(text: str, saved: Iterable[Endpoint]) -> Endpoint:
    """The endpoint that E names. Raises ThinkpaneError (kind "endpoint") where there is none, and for the demo."""
    for endpoint in saved:
        if endpoint.name == text:
            return endpoint
    if text == DEMO:
        sentence = "The demo endpoint replays recorded replies and is sent nothing; name an endpoint with --endpoint."
        raise ThinkpaneError(Problem("endpoint", sentence))
    found = endpoint_from_text(text)
    if found is None:
        sentence = f"There is no endpoint “{text}”; name a saved one, or dialect+URL (openai-chat+http://…)."
        raise ThinkpaneError(Problem("endpoint", sentence))
    return found


def _assigned(text: str) -> tuple[str, JsonValue]:
    name, equals, value = text.partition("=")
    if not equals or not name.strip():
        raise CommandLineError(f"thinkpane: --param takes NAME=JSON, not “{text}”")
    try:
        found: JsonValue = json.loads(value)
    except (ValueError, RecursionError):
        raise CommandLineError(f"thinkpane: --param {name.strip()}: “{value}” is no JSON value") from None
    return name.strip(), found
