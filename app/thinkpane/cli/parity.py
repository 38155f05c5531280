"""`thinkpane parity`: our prompt against the one that the endpoint's server makes of the same messages."""

import argparse
from collections.abc import Iterator

from thinkpane.cli._api import Command, Services
from thinkpane.cli.endpoint_options import Target, add_endpoint_options, read_target
from thinkpane.cli.input_files import Inputs
from thinkpane.cli.options import add_file, add_render_options, read_asked
from thinkpane.cli.output import write_error, write_json, write_line
from thinkpane.endpoints.asking import sending
from thinkpane.errors import ThinkpaneError
from thinkpane.prompt.diff import Piece, diff
from thinkpane.runs.parity import Parity, compare

_SIGNS = {"removed": "-", "added": "+"}
_AROUND = 40
"""Characters of common text shown on either side of a difference."""


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_file(parser)
    add_render_options(parser)
    add_endpoint_options(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def _run(arguments: argparse.Namespace, services: Services) -> int:
    try:
        target = read_target(arguments, read_asked(arguments, Inputs(), services.reach), services.endpoints)
        found = _compared(target, services)
    except ThinkpaneError as error:
        if not arguments.json:
            raise
        write_json({"error": error.problem.as_json()})
        return 1
    if arguments.json:
        write_json(found.as_json())
    else:
        _tell(found)
    # What could not be told is no agreement that a script may build on.
    return 0 if found.verdict == "same" else 1


def _compared(target: Target, services: Services) -> Parity:
    key = services.keys.key(target.endpoint) if target.dialect is not None else None
    return compare(
        target.endpoint,
        target.job,
        services.engine,
        # The client is made with the first question, so that the demo endpoint costs none.
        lambda request: sending(services.client, key)(request),
        model=target.model,
        params=target.params,
    )


def _tell(found: Parity) -> None:
    by = " ".join(filter(None, [found.server, found.how]))
    if found.verdict == "same":
        write_line(f"same ({by})")
        return
    write_line(f"{'differs' if found.verdict == 'differs' else 'cannot tell'}: {found.cause}")
    if found.theirs is not None:
        write_error(f"by {by}; - only in ours, + only in the server's")
        for line in _difference(diff(found.ours, found.theirs)):
            write_line(line)


def _difference(pieces: tuple[Piece, ...]) -> Iterator[str]:
    """The pieces that differ, one a line as JSON text does, with a little of what is around them."""
    for place, piece in enumerate(pieces):
        if piece.kind != "same":
            yield f"{_SIGNS[piece.kind]} {piece.text!r}"
        elif len(piece.text) > 2 * _AROUND and 0 < place < len(pieces) - 1:
            yield f"  {piece.text[:_AROUND]!r} … {piece.text[-_AROUND:]!r}"
        elif place:
            yield f"  {piece.text[:_AROUND]!r}"
        else:
            yield f"  {piece.text[-_AROUND:]!r}"


COMMAND = Command("parity", "compares the prompt with the one that the server makes", _add_arguments, _run)
