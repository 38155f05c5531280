"""Many streams at once through the window's own feeds: nothing lost or reordered, no gap, and Stop at once.

8 streams of 200 events a second, then 32 of 50, a million events in all where that is asked for (`make soak`), and one
answer of 128k tokens at 4,000 a second. The server runs in a process of its own. Prints a table; status 1 where a
figure misses its goal.
"""

import argparse
import gc
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QElapsedTimer, QTimer
from PySide6.QtWidgets import QApplication

from support.server import read_request
from thinkpane.endpoints.client import Client
from thinkpane.endpoints.deadlines import Deadlines
from thinkpane.endpoints.dialects._api import Call, Limits
from thinkpane.endpoints.dialects._registry import dialect_named
from thinkpane.endpoints.profile import Endpoint
from thinkpane.runs.run import Run
from thinkpane.runs.runner import Runner
from thinkpane.streaming.events import AnswerDelta
from thinkpane.ui.application import make_application
from thinkpane.ui.bridge import DRAIN_MILLISECONDS, DRAIN_SECONDS

GAP_MILLISECONDS, STOP_MILLISECONDS = 33.0, 100.0
FAST = 4_000
"""Events a second of the long answer; no server of a model is quicker."""

LIMITS = Limits(block_bytes=1 << 30)
DEADLINES = Deadlines(connect=60.0, headers=60.0, idle=120.0)
CALL = Call("chat", "m", messages=[{"role": "user", "content": "Hello?"}])


class Streams:
    """Runs at a server, drained every frame as the window drains its own; counts what comes, and the gaps."""

    def __init__(self, application: QApplication, url: str, count: int) -> None:
        self._application = application
        self._runner = Runner(Client)
        self._next = [0] * count
        self.faults: list[str] = []
        self.events = 0
        self.gaps: list[float] = []
        self._clock = QElapsedTimer()
        endpoint, dialect = Endpoint("soak", "openai-chat", url), dialect_named("openai-chat")
        self.runs = [
            self._runner.start(endpoint, dialect, CALL, limits=LIMITS, deadlines=DEADLINES) for _ in range(count)
        ]
        self._drain = QTimer(interval=DRAIN_MILLISECONDS)
        self._drain.timeout.connect(self._on_drain)
        self._beat = QTimer(interval=5)
        self._beat.timeout.connect(self._on_beat)

    def go(self, until: Callable[[], bool], seconds: float) -> None:
        """Drains until that holds, or the time is over."""
        end = time.monotonic() + seconds
        gc.disable()  # as the window does, which searches when it rests (ui/collecting.py)
        self._clock.start()
        self._drain.start()
        self._beat.start()
        while not until() and time.monotonic() < end:
            self._application.processEvents()
            time.sleep(0.001)
        self._drain.stop()
        self._beat.stop()
        gc.enable()

    def close(self) -> None:
        """Ends all of them."""
        self._runner.close()

    def is_over(self) -> bool:
        """Whether all have ended."""
        return all(run.is_over for run in self.runs)

    def _on_beat(self) -> None:
        self.gaps.append(self._clock.restart())

    def _on_drain(self) -> None:
        for place, run in enumerate(self.runs):
            self._take(place, run)

    def _take(self, place: int, run: Run) -> None:
        for event in run.drain(DRAIN_SECONDS / len(self.runs)):
            if isinstance(event, AnswerDelta):
                for word in event.text.split():
                    if int(word) != self._next[place]:
                        self.faults.append(f"stream {place}: {word} where {self._next[place]} is due")
                    self._next[place] = int(word) + 1
                    self.events += 1


def p99(values: list[float]) -> float:
    """The 99th percentile."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, len(ordered) * 99 // 100)] if ordered else 0.0


def main() -> int:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=40_000, help="how many in all (a million takes 11 minutes)")
    arguments = parser.parse_args()
    application = make_application()
    rows: list[tuple[str, str, bool]] = []
    for count, rate in ((8, 200), (32, 50)):
        each = arguments.events // 2 // count
        with SoakServer() as server:
            streams = Streams(application, server.url(each, rate), count)
            streams.go(streams.is_over, each / rate * 3 + 60)
            streams.close()
        lost = each * count - streams.events
        gap = p99(streams.gaps)
        figures = f"{streams.events:,} events, {lost} lost, {len(streams.faults)} out of order, gap p99 {gap:.0f} ms"
        rows.append(
            (f"{count} streams x {rate}/s", figures, not lost and not streams.faults and gap <= GAP_MILLISECONDS)
        )
    with SoakServer() as server:
        streams = Streams(application, server.url(128_000, FAST), 1)
        began = time.monotonic()
        streams.go(streams.is_over, 300)
        taken, gap = time.monotonic() - began, p99(streams.gaps)
        streams.close()
    good = streams.events == 128_000 and not streams.faults and gap <= GAP_MILLISECONDS
    rows.append(("128k-token answer", f"{streams.events:,} events in {taken:.1f} s, gap p99 {gap:.0f} ms", good))
    with SoakServer() as server:
        streams = Streams(application, server.url(10_000, 200), 8)
        streams.go(lambda: streams.events > 800, 60)
        began = time.monotonic()
        for run in streams.runs:
            run.stop()
        streams.go(streams.is_over, 10)
        stopped = (time.monotonic() - began) * 1000
        streams.close()
    rows.append(("Stop of 8 streams", f"{stopped:.0f} ms to the last end", stopped <= STOP_MILLISECONDS))
    for name, figures, is_good in rows:
        sys.stdout.write(f"{name:<22} {figures}{'' if is_good else '   MISSED'}\n")
    sys.stdout.write(f"goals kept: {sum(is_good for *_, is_good in rows)} of {len(rows)}\n")
    return int(not all(is_good for *_, is_good in rows))


class SoakServer:
    """The server's process. Use as a context manager."""

    def __enter__(self) -> "SoakServer":
        words = [sys.executable, __file__, "--serve"]
        self._process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        self._base = self._process.stdout.readline().strip()
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()

    def url(self, events: int, rate: int) -> str:
        """A base URL whose replies have so many events, so many a second, 0 = as fast as they go."""
        return f"{self._base}/{events}/{rate}/v1"


def _serve() -> None:
    listener = socket.create_server(("127.0.0.1", 0), backlog=64)
    sys.stdout.write(f"http://127.0.0.1:{listener.getsockname()[1]}\n")
    sys.stdout.flush()

    def accept() -> None:
        while True:
            connection, _ = listener.accept()
            threading.Thread(target=_reply, args=(connection,), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    sys.stdin.read()


def _reply(connection: socket.socket) -> None:
    before = b'data: {"id":"c","object":"chat.completion.chunk","model":"m","choices":[{"index":0,"delta":{"content":" '
    after = b'"},"finish_reason":null}]}\n\n'
    with connection:
        # All of it: closing over bytes that were not read would take back what was sent.
        request = read_request(connection)
        if request is None:
            return
        _, events, rate, *_ = request.head.split(" ")[1].split("/")
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n")
        pause = 1 / int(rate) if int(rate) else 0.0
        due = time.monotonic()
        try:
            for number in range(int(events)):
                connection.sendall(before + str(number).encode() + after)
                due += pause
                if pause and (wait := due - time.monotonic()) > 0:
                    time.sleep(wait)
            connection.sendall(b'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n')
        except OSError:
            return  # the run was stopped


if __name__ == "__main__":
    if sys.argv[1:] == ["--serve"]:
        _serve()
    else:
        sys.exit(main())
