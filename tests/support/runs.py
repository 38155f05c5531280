"""Runs for tests: a runner with a real client, a call, and a way to see a run to its end."""

from collections.abc import Sequence

from support.patience import PATIENCE
from support.server import Server, Step
from thinkpane.endpoints.client import Client
from thinkpane.endpoints.deadlines import Deadlines
from thinkpane.endpoints.dialects._api import Call
from thinkpane.endpoints.dialects._registry import dialect_named
from thinkpane.endpoints.profile import Endpoint
from thinkpane.runs.journal import Journal
from thinkpane.runs.run import Run
from thinkpane.runs.runner import Runner
from thinkpane.streaming.events import Event

USUAL = Deadlines(PATIENCE, PATIENCE, PATIENCE)
CHAT = dialect_named("openai-chat")
CALL = Call("chat", "m", messages=[{"role": "user", "content": "Hello?"}])


def endpoint_at(url: str) -> Endpoint:
    """An endpoint of the dialect openai-chat."""
    return Endpoint("here", "openai-chat", url)


def seen_to_its_end(run: Run) -> list[Event]:
    """Waits for the end and drains it all."""
    assert run.wait(PATIENCE), "the run did not end within the test's patience"
    events = run.drain()
    assert run.is_over
    return events


def run_of(
    *scripts: Sequence[Step], journal: Journal | None = None, deadlines: Deadlines = USUAL
) -> tuple[Run, Server]:
    """A run that is over, and the server it went to; one script for each of its requests."""
    runner = Runner(Client, journal)
    try:
        with Server(*scripts) as server:
            run = runner.start(endpoint_at(server.url), CHAT, CALL, deadlines=deadlines)
            seen_to_its_end(run)
    finally:
        runner.close()
    return run, server
