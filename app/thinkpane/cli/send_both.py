"""`thinkpane send --path both`: one conversation by chat and by raw prompt at once, and what came of it."""

import argparse
from copy import copy

from thinkpane.cli._api import CommandLineError, Services
from thinkpane.cli.endpoint_options import Target, read_target
from thinkpane.cli.options import Asked
from thinkpane.cli.output import told, write_error, write_json, write_line
from thinkpane.cli.reply_printer import ReplyPrinter
from thinkpane.cli.starting import started
from thinkpane.endpoints.asking import sending
from thinkpane.errors import ThinkpaneError
from thinkpane.runs.agreement import Agreement, compare
from thinkpane.runs.agreement_words import outcome, reasons
from thinkpane.runs.pair import LABELS, PATHS, pair_dialects, places
from thinkpane.runs.parity import Parity
from thinkpane.runs.parity import compare as compare_prompts
from thinkpane.runs.run import Run
from thinkpane.streaming.events import AnswerDelta, ThinkingDelta

_INTERRUPTED = 130
_PATIENCE = 5.0


def send_both(arguments: argparse.Namespace, asked: Asked, services: Services) -> int:
    """Sends both and prints the replies, chat first, when both are over; gives the exit status.

    Raises ThinkpaneError where nothing can be sent, CommandLineError with --record, which keeps one reply.
    """
    if arguments.record is not None:
        raise CommandLineError("thinkpane: --record keeps one reply; it does not go with --path both")
    pair_dialects(services.endpoints.named(arguments.endpoint or asked.state.endpoint))
    targets = [_target(arguments, asked, services, path) for path in PATHS]
    runs: list[Run] = []
    parity: Parity | None = None
    interrupted = False
    try:
        for target, place in zip(targets, places({}), strict=True):
            runs.append(started(target, services, place=place))
        parity = _parity(targets[1], services)
        _wait(runs, None)
    except KeyboardInterrupt:
        interrupted = True
        for run in runs:
            run.stop("Stopped by Ctrl+C.")
        _wait(runs, _PATIENCE)
    finally:
        for run in runs:
            run.stop()
            run.wait(_PATIENCE)
    if len(runs) < len(targets):
        return _INTERRUPTED
    _tell(runs, compare(runs[0].transcript, runs[-1].transcript), parity, targets[0], as_json=arguments.json)
    return _INTERRUPTED if interrupted else int(any(run.problem is not None for run in runs))


def _target(arguments: argparse.Namespace, asked: Asked, services: Services, path: str) -> Target:
    own = copy(arguments)
    own.path = path
    return read_target(own, asked, services.endpoints)


def _parity(target: Target, services: Services) -> Parity:
    """Whether the prompts are the same, asked while the replies come."""
    send = sending(services.client, services.keys.key(target.endpoint))
    try:
        return compare_prompts(
            target.endpoint, target.job, services.engine, send, model=target.model, params=target.params
        )
    except ThinkpaneError as error:
        return Parity("unknown", "", cause=error.problem.message)


def _wait(runs: list[Run], patience: float | None) -> None:
    """Drains them until they are over. patience: seconds without news after which one is left; None = without end."""
    for run in runs:
        while not run.is_over:
            # A wait without a bound could not be interrupted on every system.
            if not run.wait_for_news(patience or 1.0) and patience is not None:
                break
            run.drain()


def _tell(runs: list[Run], found: Agreement, parity: Parity | None, target: Target, *, as_json: bool) -> None:
    replies = dict(zip(PATHS, runs, strict=True))
    if as_json:
        value: dict[str, object] = {
            path: {"label": run.label, **run.transcript.as_json()} for path, run in replies.items()
        }
        value["agreement"] = found.as_json()
        value["prompts"] = None if parity is None else {"same": parity.as_json()["same"], "cause": parity.cause}
        write_json(value)
        return
    for path, run in replies.items():
        write_line(f"=== {LABELS[path]}")
        printer = ReplyPrinter()
        printer.take([ThinkingDelta(run.transcript.thinking, path), AnswerDelta(run.transcript.answer, path)])
        printer.end()
        for call in run.transcript.tool_calls:
            write_error(f"tool call: {call.name} {call.arguments}")
        # Of one that brought nothing the comparison says why.
        if run.problem is not None and run.transcript.blocks:
            write_error(f"thinkpane: {path.capitalize()}: {told(run.problem)}")
    write_error(outcome(found))
    why = reasons(found, {**target.params, **target.endpoint.extra_body}, parity.verdict if parity is not None else "")
    if why:
        write_error(why)
