"""Every public stream and endpoint case through the program itself: `decode --jsonl` and `request --jsonl`.

Stream cases go three ways: as they are cut, as one block, byte by byte. Prints what is amiss, then n of n; another
folder of cases may be named (`make cases ARGS=FOLDER`).
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.wire_cases import CASES, WAYS, WireCase, wire_cases


def main() -> int:
    """Prints the figures; status 1 where a case is not met."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else CASES
    streams, endpoints = (wire_cases(kind, folder) for kind in ("stream", "endpoint"))
    good = [_stream_cases(streams, way) for way in WAYS]
    answered = [case for case in endpoints if "response" in case.input]
    asked = [case for case in endpoints if "response" not in case.input]
    lines = [{"format": case.input["api"], **case.input} for case in answered]
    good_answers = _compared("decode", answered, lines, stream_faults)
    lines = [{"variables": case.input.get("toggle"), **case.input} for case in asked]
    good_requests = _compared("request", asked, lines, request_faults)
    for way, count in zip(WAYS, good, strict=True):
        sys.stdout.write(f"stream cases, {way}: {count} of {len(streams)}\n")
    sys.stdout.write(f"endpoint cases: {good_answers + good_requests} of {len(endpoints)}\n")
    return int(sum(good) + good_answers + good_requests != 3 * len(streams) + len(endpoints))


def _stream_cases(cases: list[WireCase], way: str) -> int:
    lines = []
    for case in cases:
        # Bytes one by one are no text any more, but latin-1 has a character for each.
        chunks = [chunk.decode("latin-1") for chunk in case.chunks(way)]
        lines.append({**case.input, "chunks": chunks, "encoding": "latin-1"})
    return _compared("decode", cases, lines, stream_faults)


def _compared(command: str, cases: list[WireCase], lines: list[dict[str, Any]], faults: Any) -> int:
    given = "\n".join(json.dumps({"id": case.name, **line}) for case, line in zip(cases, lines, strict=True))
    words = [sys.executable, "-m", "thinkpane", command, "--jsonl", "-"]
    told = subprocess.run(words, input=given, capture_output=True, text=True, encoding="utf-8", check=False).stdout
    found = [json.loads(line) for line in told.splitlines()]
    good = 0
    for case, value in zip(cases, found, strict=True):
        amiss = [f"{name}: {value.get(name)!r}" for name in faults(value, case.expect)]
        good += not amiss
        if amiss:
            sys.stdout.write(f"{case.name}: {'; '.join(amiss)}\n")
    return good


def stream_faults(value: dict[str, Any], expect: dict[str, Any]) -> list[str]:
    """The fields of a decoded reply that are not as the case says."""
    rim = None if expect.get("compare") == "strip" else "\n"
    found = [name for name in ("thinking", "answer") if _apart(value.get(name), expect.get(name), rim)]
    for name in ("finish", "usage", "redacted", "signatures", "thinking_blocks"):
        if name in expect and value.get(name) != expect[name]:
            found.append(name)
    if not set(expect.get("warn", expect.get("warnings", ()))) <= set(value.get("warn", ())):
        found.append("warn")
    calls, wanted = value.get("tool_calls", []), expect.get("tool_calls", value.get("tool_calls", []))
    if len(calls) != len(wanted) or not all(map(_same_call, calls, wanted)):
        found.append("tool_calls")
    error = value.get("error") or {}
    if error.get("kind") != expect.get("error_kind") or expect.get("error", "") not in error.get("message", ""):
        found.append("error")
    return found + [name for name in ("status", "param") if name in expect and error.get(name) != expect[name]]


def request_faults(value: dict[str, Any], expect: dict[str, Any]) -> list[str]:
    """The fields of a request that are not as the case says."""
    body, found = value.get("body") or {}, []
    if value.get("url") != expect.get("url", value.get("url")):
        found.append("url")
    if not expect.get("request_body_contains", {}).items() <= body.items():
        found.append("body")
    if set(expect.get("request_body_lacks", ())) & set(body):
        found.append("body")
    wanted = expect.get("request_message")
    if wanted and not wanted["contains"].items() <= body["messages"][wanted["index"]].items():
        found.append("body")
    if not set(expect.get("warnings", ())) <= set(value.get("warnings", ())):
        found.append("warnings")
    return found + (["error"] if value.get("error") else [])


def _apart(one: str | None, wanted: str | None, rim: str | None) -> bool:
    return wanted is not None and (one is None or one.strip(rim) != wanted.strip(rim))


def _same_call(call: dict[str, Any], wanted: dict[str, Any]) -> bool:
    arguments = call["arguments"]
    if "arguments_json" in wanted:
        same = json.loads(arguments) == wanted["arguments_json"]
    else:
        same = arguments == wanted["arguments"]
    return same and call["name"] == wanted["name"] and wanted["id"] in (None, call["id"])


if __name__ == "__main__":
    sys.exit(main())
