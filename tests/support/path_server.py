"""A loopback server that answers by path: what both paths of a run and the question of parity need at once."""

import json
import threading
from collections.abc import Iterator, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import TypeAlias

from support.patience import PATIENCE
from thinkpane.formats.json_values import JsonObject

Step: TypeAlias = bytes | threading.Event
"""Bytes that are sent, or something that is waited for."""


class PathServer:
    """Use as a context manager. received: the bodies by their paths, in the order in which they came."""

    def __init__(self, **answers: Sequence[Step]) -> None:
        """answers: the event stream of each path, named by its last word ("chat", "completions")."""
        self.received: dict[str, list[JsonObject]] = {}
        self.json: dict[str, JsonObject] = {}
        self.refused: dict[str, int] = {}
        self._answers = answers
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> "PathServer":
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()

    def _stream(self, path: str) -> Iterator[bytes]:
        name = "chat" if path.endswith("/chat/completions") else path.rpartition("/")[2]
        for step in self._answers.get(name, ()):
            if isinstance(step, bytes):
                yield step
            elif not step.wait(PATIENCE):
                return

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self._answer({})

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                self._answer(body)

            def _answer(self, body: JsonObject) -> None:
                outer.received.setdefault(self.path, []).append(body)
                if self.path in outer.json or self.path in outer.refused or not self.path.endswith("completions"):
                    status = 200 if self.path in outer.json else outer.refused.get(self.path, 404)
                    data = json.dumps(outer.json.get(self.path, {"error": {"message": "There is none."}})).encode()
                    self.send_response(status)
                    self.send_header("Content-Type", "application/json")
                    self.send_header("Content-Length", str(len(data)))
                    self.end_headers()
                    self.wfile.write(data)
                    return
                self.send_response(200)
                self.send_header("Content-Type", "text/event-stream")
                self.end_headers()
                try:
                    for piece in outer._stream(self.path):
                        self.wfile.write(piece)
                        self.wfile.flush()
                except OSError:
                    return  # the reply was stopped

            def log_message(self, *_: object) -> None:
                """Nothing is printed."""

        return Handler
