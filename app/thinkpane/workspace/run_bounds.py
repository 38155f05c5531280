"""What the settings say about a run: how much it may bring, how long it may take, where think tags count."""

from thinkpane.endpoints.deadlines import Deadlines
from thinkpane.endpoints.dialects._api import Limits
from thinkpane.runs.loop_guard import LoopGuard
from thinkpane.runs.reading import ThinkMode
from thinkpane.workspace.settings import Settings


def limits(settings: Settings) -> Limits:
    """The bounds while reading a reply."""
    return Limits(
        event_bytes=settings.whole("limits.event_bytes"),
        block_bytes=settings.whole("limits.block_bytes"),
        blocks=settings.whole("limits.blocks"),
        idle_seconds=settings.number("limits.idle_seconds"),
    )


def deadlines(settings: Settings) -> Deadlines:
    """How long a server may be silent."""
    return Deadlines(
        connect=settings.number("deadlines.connect_seconds"),
        headers=settings.number("deadlines.headers_seconds"),
        idle=settings.number("limits.idle_seconds"),
        total=settings.number("deadlines.total_seconds") or None,
        first_event=settings.number("deadlines.first_event_seconds") or None,
    )


def retries(settings: Settings) -> int:
    """How often a server without room is asked again."""
    return settings.whole("retries.times")


def loop_guard(settings: Settings) -> LoopGuard | None:
    """A guard for one run, None where it is switched off."""
    blocks = settings.whole("loop_guard.blocks")
    return LoopGuard(blocks) if blocks else None


def think_mode(settings: Settings) -> ThinkMode:
    """Where a think tag counts."""
    return "anywhere" if settings.text("thinking.mode") == "anywhere" else "leading"
