"""Bytes to deltas, beside httpx handing on the same bytes unread; over loopback, one HTTP chunk an event.

Processor time of the thread, of each side's best round: waiting for the server does not count, and what other
processes take of the caches counts least.

Source of the setting: the house's performance notes, section 5 (225-byte OpenAI deltas). Run as a program this file is
the server, in a process of its own, for it would share our time otherwise.
"""

import json
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import httpx
from PySide6.QtWidgets import QApplication

from bench.figures import Figure
from thinkpane.endpoints.dialects._api import DecodeOptions, Limits
from thinkpane.endpoints.dialects._registry import dialect_named
from thinkpane.streaming.events import AnswerDelta

EVENTS = 30_000
ROUNDS = 9
LIMITS = Limits(block_bytes=1 << 30)


def measure(_application: QApplication) -> list[Figure]:
    """Microseconds an event: ours reads and decodes, theirs reads only."""
    with subprocess.Popen(
        [sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as server:
        assert server.stdout is not None
        url = server.stdout.readline().strip()
        try:
            _decoded(url)
            rounds = [(_decoded(url), _only_read(url)) for _ in range(ROUNDS)]
        finally:
            server.communicate()
    ours, theirs = (min(each) for each in zip(*rounds, strict=True))
    return [Figure("bytes to deltas, an event", ours, theirs, "µs", "at most", 1.7)]


def _only_read(url: str) -> float:
    began = time.thread_time()
    size = sum(len(data) for data in _bytes(url))
    assert size > EVENTS
    return (time.thread_time() - began) / EVENTS * 1e6


def _decoded(url: str) -> float:
    began = time.thread_time()
    decoder = dialect_named("openai-chat").decoder(DecodeOptions(), LIMITS)
    count = 0
    for data in _bytes(url):
        count += len(decoder.feed(data))
    taken = (time.thread_time() - began) / EVENTS * 1e6
    deltas = count + sum(isinstance(event, AnswerDelta) for event in decoder.close())
    assert deltas >= EVENTS
    return taken


def _bytes(url: str) -> Iterator[bytes]:
    with httpx.Client(trust_env=False) as client, client.stream("GET", url) as response:
        yield from response.iter_raw()


def _serve() -> None:
    """Answers every request with the same stream, until the standard input ends."""

    def event(number: int, finish: str | None = None) -> bytes:
        choice = {"index": 0, "delta": {"content": f" word{number % 97}"}, "finish_reason": finish}
        value = {
            "id": "chatcmpl-7f3a",
            "object": "chat.completion.chunk",
            "created": 1764500000,
            "model": "some-model-7b",
            "system_fingerprint": "fp_0",
            "choices": [choice],
        }
        data = f"data: {json.dumps(value)}\n\n".encode()
        return f"{len(data):x}\r\n".encode() + data + b"\r\n"

    body = b"".join(event(number) for number in range(EVENTS)) + event(0, "stop") + b"0\r\n\r\n"
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
    listener = socket.create_server(("127.0.0.1", 0))
    sys.stdout.write(f"http://127.0.0.1:{listener.getsockname()[1]}/\n")
    sys.stdout.flush()

    def accept() -> None:
        while True:
            connection, _ = listener.accept()
            with connection:
                connection.recv(65_536)
                connection.sendall(head + body)

    threading.Thread(target=accept, daemon=True).start()
    sys.stdin.read()


if __name__ == "__main__":
    _serve()
