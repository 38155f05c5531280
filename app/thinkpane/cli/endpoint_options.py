"""The options of every command that talks to an endpoint (request, send, parity), and what they choose."""

import argparse
from collections.abc import Mapping
from dataclasses import dataclass, replace

from thinkpane.cli._api import CommandLineError
from thinkpane.cli.options import Asked
from thinkpane.endpoints.dialects._api import Dialect, SendPath
from thinkpane.endpoints.dialects._registry import dialect_for, dialect_named
from thinkpane.endpoints.profile import DEMO, Endpoint
from thinkpane.errors import ThinkpaneError
from thinkpane.formats import strict_json
from thinkpane.formats.json_values import JsonValue
from thinkpane.prompt.job import PromptJob
from thinkpane.prompt.steps import Explicit
from thinkpane.workspace.body_sampling import given_params
from thinkpane.workspace.endpoint_store import EndpointStore
from thinkpane.workspace.keys import ENVIRONMENT


@dataclass(frozen=True, slots=True)
class Target:
    """What is to be sent where: the endpoint, the path and its dialect, and the job with the options in it.

    dialect: None for the Demo endpoint, whose recordings bring their own.
    """

    endpoint: Endpoint
    dialect: Dialect | None
    path: SendPath
    job: PromptJob
    model: str
    params: Mapping[str, JsonValue]

    @property
    def key_env(self) -> str:
        """The environment variable that holds the key, "" where it is none."""
        return self.endpoint.key_ref.removeprefix(ENVIRONMENT) if self.endpoint.key_ref.startswith(ENVIRONMENT) else ""


_PATH_HELP = {
    False: "send messages, or the rendered prompt",
    True: "send messages, or the rendered prompt, or both at once and compare the replies",
}

BOTH = "both"
"""The word of --path for one conversation on both paths."""


def add_endpoint_options(parser: argparse.ArgumentParser, *, both: bool = False) -> None:
    """The options that all commands which talk to an endpoint share (docs/cli.md). both: --path takes that, too."""
    parser.add_argument("--endpoint", metavar="E", help="a saved endpoint, demo, or dialect+URL")
    parser.add_argument("--model", metavar="M", help="the model's name")
    parser.add_argument("--path", choices=("chat", "raw", *([BOTH] if both else [])), help=_PATH_HELP[both])
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


def read_target(arguments: argparse.Namespace, asked: Asked, store: EndpointStore) -> Target:
    """Where `asked` goes by these options; store: the endpoints that have names.

    Raises ThinkpaneError for an endpoint or dialect that is not there, CommandLineError for a bad --param.
    """
    endpoint = store.named(arguments.endpoint or asked.state.endpoint)
    if arguments.key_env:
        endpoint = replace(endpoint, key_ref=ENVIRONMENT + arguments.key_env)
    is_demo = endpoint.dialect == DEMO
    own: SendPath = "raw" if is_demo else dialect_named(endpoint.dialect).path
    path = _path(arguments.path, own if arguments.endpoint else asked.state.path, own)
    thinking = {"on": True, "off": False, None: None}[arguments.thinking]
    return Target(
        endpoint,
        None if is_demo else dialect_for(endpoint.dialect, path),
        path,
        replace(asked.job, carry=path == "raw", explicit=Explicit(thinking, arguments.effort)),
        arguments.model or asked.state.model or endpoint.model,
        {**given_params(asked.state), **dict(_assigned(each) for each in arguments.params)},
    )


def _path(asked: str | None, otherwise: str, own: SendPath) -> SendPath:
    """The path that is asked for; else the one of an endpoint that is named, or the document's; else `own`."""
    chosen = asked or otherwise
    if chosen == "chat":
        return "chat"
    return "raw" if chosen == "raw" else own


def _assigned(text: str) -> tuple[str, JsonValue]:
    name, equals, value = text.partition("=")
    if not equals or not name.strip():
        raise CommandLineError(f"thinkpane: --param takes NAME=JSON, not “{text}”")
    try:
        found = strict_json.parse(value)
    except ThinkpaneError:
        raise CommandLineError(f"thinkpane: --param {name.strip()}: “{value}” is no JSON value") from None
    return name.strip(), found
