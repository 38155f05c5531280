"""What a headless command is, and the services it is handed."""

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from thinkpane.engine.host import Engine

if TYPE_CHECKING:
    from thinkpane.endpoints.client import Client
    from thinkpane.endpoints.recorded import Demo
    from thinkpane.runs.runner import Runner
    from thinkpane.templates.reach import Reach
    from thinkpane.workspace.endpoint_store import EndpointStore
    from thinkpane.workspace.keys import Keys
    from thinkpane.workspace.settings import Settings


class Services(Protocol):
    """What commands need from compose.py; nothing starts before it is asked for."""

    @property
    def engine(self) -> Engine:
        """The engine that renders."""

    @property
    def settings(self) -> "Settings":
        """The settings in force."""

    @property
    def endpoints(self) -> "EndpointStore":
        """The endpoints that a person set up."""

    @property
    def keys(self) -> "Keys":
        """Where keys are found."""

    @property
    def client(self) -> "Client":
        """What talks HTTP."""

    @property
    def reach(self) -> "Reach":
        """How template sources ask the network."""

    @property
    def demo(self) -> "Demo":
        """What replays recorded replies."""

    @property
    def runner(self) -> "Runner":
        """What starts runs."""


@dataclass(frozen=True, slots=True)
class Command:
    """One command. A file in this folder holds one, as its public constant `COMMAND`.

    name: the word on the command line. help: one line. run: does it and gives the exit status: 0 done, 1 the input
    is at fault. It may raise ThinkpaneError (status 1) or CommandLineError (status 2); either is told in one line.
    """

    name: str
    help: str
    add_arguments: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace, Services], int]


class CommandLineError(Exception):
    """The command line itself is at fault; its text is one sentence."""
