"""The public stream and endpoint cases, and replies read in the three ways they may arrive."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from thinkpane.endpoints.dialects._api import DecodeOptions
from thinkpane.endpoints.dialects._registry import dialect_named
from thinkpane.streaming.transcript import Transcript

CASES = Path(__file__).parents[1] / "data" / "cases"


@dataclass(frozen=True)
class WireCase:
    """One case of a kind "stream" or "endpoint"."""

    name: str
    input: dict[str, Any]
    expect: dict[str, Any]

    @property
    def options(self) -> DecodeOptions:
        """How the case's reply is to be read."""
        given = dict(self.input.get("options") or {})
        if "think_tags" in given:
            given["think_tags"] = tuple((opening, closing) for opening, closing in given["think_tags"])
        return DecodeOptions(**given)

    def chunks(self, way: str) -> list[bytes]:
        """The reply's bytes as the case cuts them ("chunks"), as one block ("whole") or one by one ("bytes")."""
        given = [chunk.encode(self.input.get("encoding") or "utf-8") for chunk in self.input["chunks"]]
        body = b"".join(given)
        if way == "chunks":
            return given
        return [body] if way == "whole" else [bytes([byte]) for byte in body]


WAYS = ("chunks", "whole", "bytes")


def wire_cases(kind: str, folder: Path = CASES) -> list[WireCase]:
    """The cases of one kind, in order."""
    found = []
    for path in sorted(folder.glob("*.json")):
        case = json.loads(path.read_text(encoding="utf-8"))
        if case["kind"] == kind:
            found.append(WireCase(path.stem, case["input"], case["expect"]))
    return found


def counted(cases: list[WireCase]) -> list[Any]:
    """The cases as test parameters whose ids count them."""
    return [pytest.param(case, id=f"{n} of {len(cases)}: {case.name}") for n, case in enumerate(cases, 1)]


def decoded(
    api: str, body: bytes, options: DecodeOptions | None = None, *, stream: bool = True, rest: bytes = b""
) -> Transcript:
    """The transcript of a body that arrives at once, or in two pieces where there is a rest."""
    dialect = dialect_named(api)
    chosen = options or DecodeOptions()
    decoder = dialect.decoder(chosen) if stream else dialect.answer_decoder(chosen)
    transcript = Transcript()
    transcript.apply_all(decoder.feed(body))
    transcript.apply_all(decoder.feed(rest))
    transcript.apply_all(decoder.close())
    return transcript


def sse(*events: object) -> bytes:
    """An event stream of JSON values; texts go in as they are."""
    lines = [event if isinstance(event, str) else json.dumps(event, ensure_ascii=False) for event in events]
    return "".join(f"data: {line}\n\n" for line in lines).encode("utf-8", "surrogatepass")


def chat(delta: dict[str, Any] | None = None, finish: str | None = None, **more: object) -> dict[str, Any]:
    """One chat chunk."""
    return {"choices": [{"index": 0, "delta": delta or {}, "finish_reason": finish}], **more}
