"""A web in memory for template sources: what lies where, which requests came, and when the network fails."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats.json_values import JsonObject, JsonValue
from thinkpane.templates.reach import Reach


@dataclass(frozen=True)
class Reply:
    status: int
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""


class FakeWeb:
    """pages: bytes by URL, sent in ranges. replies: whole answers by URL. asked: (url, range) of each request.

    fails_after: how many more requests are answered; None = all.
    """

    def __init__(self) -> None:
        self.pages: dict[str, bytes] = {}
        self.replies: dict[str, Reply] = {}
        self.asked: list[tuple[str, str]] = []
        self.bodies: list[JsonObject | None] = []
        self.fails_after: int | None = None
        self.version = "one"

    def put_json(self, url: str, value: JsonValue, status: int = 200) -> None:
        self.replies[url] = Reply(status, {}, json.dumps(value).encode())

    def reach(self, cache: Path) -> Reach:
        return Reach(self.ask, cache)

    def ask(self, url: str, headers: Mapping[str, str], *, limit: int, body: JsonObject | None = None) -> Reply:
        self.asked.append((url, headers.get("Range", "")))
        self.bodies.append(body)
        if self.fails_after is not None:
            if self.fails_after <= 0:
                raise ThinkpaneError(Problem("network", "There is no network."))
            self.fails_after -= 1
        reply = self.replies.get(url) or self._page(url, headers.get("Range", ""))
        if len(reply.body) > limit:
            raise ThinkpaneError(Problem("limit", "The answer is too long."))
        return reply

    def _page(self, url: str, asked: str) -> Reply:
        data = self.pages.get(url)
        if data is None:
            return Reply(404, {}, b"Not found")
        found = re.fullmatch(r"bytes=(\d+)-(\d+)", asked)
        if found is None:
            return Reply(200, {"etag": self.version}, data)
        start, end = int(found[1]), min(int(found[2]) + 1, len(data))
        if start >= len(data):
            return Reply(416, {"content-range": f"bytes */{len(data)}"})
        span = f"bytes {start}-{end - 1}/{len(data)}"
        return Reply(206, {"etag": self.version, "content-range": span}, data[start:end])
