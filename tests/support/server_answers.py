"""A server in a dictionary: what it answers to each path, for those who ask by endpoints.server.Send."""

import json
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias
from urllib.parse import urlsplit

from thinkpane.endpoints.asking import Answer
from thinkpane.endpoints.dialects._api import HttpRequest

Given: TypeAlias = "object | tuple[int, object] | Callable[[dict[str, Any]], object]"
"""The JSON that is answered, with a status of its own, or made from the request's body."""


class Answers:
    """Answers by path, 404 to every other one. asked: (path, body) in order; requests: as they came."""

    def __init__(self, by_path: Mapping[str, Given], headers: Mapping[str, str] | None = None) -> None:
        self._by_path = by_path
        self._headers = headers or {}
        self.asked: list[tuple[str, dict[str, Any]]] = []
        self.requests: list[HttpRequest] = []

    def __call__(self, request: HttpRequest) -> Answer:
        """The answer (endpoints.server.Send)."""
        path = urlsplit(request.url).path
        self.requests.append(request)
        self.asked.append((path, dict(request.body)))
        given: Any = self._by_path.get(path, (404, {"error": {"message": "not found"}}))
        if callable(given):
            given = given(dict(request.body))
        status, value = given if isinstance(given, tuple) else (200, given)
        return Answer(status, self._headers, json.dumps(value).encode())


LLAMACPP = {"build_info": "b1", "chat_template": "", "default_generation_settings": {}}
"""What llama.cpp's /props tells."""
