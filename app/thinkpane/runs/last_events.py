"""How a reply ends: what its decoder still had, together with how the connection ended."""

from collections.abc import Iterable

from thinkpane.endpoints.dialects._api import Decoder
from thinkpane.errors import Problem
from thinkpane.streaming.events import Ended, Event, Failed, Warned


def last_events(decoder: Decoder, problem: Problem | None, *, stopped: bool = False, why: str = "") -> list[Event]:
    """What is left in the decoder, and the end: whole, failed, or, where the run was stopped, none at all.

    problem: what ended the connection early. why: the sentence for a stop that nobody asked for, "" where one did.
    """
    events = closed(decoder)
    if stopped:
        left = without_end(events)
        return [*left, Warned("stopped", why)] if why else left
    if problem is None:
        return events
    if Ended(clean=True) in events:
        # The finish mark had come, so the reply is whole although the connection ended badly.
        return [*without_end(events), Warned("ended-badly", problem.message), Ended(clean=True)]
    return [*without_end(events), Failed(problem), Ended(clean=False)]


def closed(decoder: Decoder) -> list[Event]:
    """The decoder's last events; whatever happens in it, the run comes to an end."""
    try:
        return decoder.close()
    except Exception as fault:  # noqa: BLE001 - a run without an end would look live for ever
        sentence = f"Reading the reply failed: {type(fault).__name__}: {fault}."
        return [Failed(Problem("internal", sentence)), Ended(clean=False)]


def without_end(events: Iterable[Event]) -> list[Event]:
    """Those that do not end the reply."""
    return [event for event in events if not isinstance(event, Failed | Ended)]
