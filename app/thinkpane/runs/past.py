"""Runs of before, from their journals: what there is, and a run read back as it was, with its wire and its times."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from thinkpane.endpoints.dialects._api import DecodeOptions, HttpRequest, Limits
from thinkpane.endpoints.dialects._registry import dialect_named
from thinkpane.endpoints.dialects._repeated import continued_in
from thinkpane.endpoints.recording import Recording, RecordingHeader, read_recording
from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats.json_values import JsonObject, JsonValue
from thinkpane.runs.attempt import Attempt
from thinkpane.runs.how import How
from thinkpane.runs.journal import KEPT_BYTES, Journal, is_held
from thinkpane.runs.reply_end import RUNNING, end_word
from thinkpane.runs.run import Run
from thinkpane.runs.wire import request_text, said

CUT_OFF = Problem("incomplete", "The program ended while this reply came.")
"""What ended a run whose journal has no end."""

CONVERSATION = "conversation"
"""Under which a journal's head has the fingerprint of the conversation (conversation/fingerprint.py)."""

_TAIL = 4096
_STAMP = "%Y%m%dT%H%M%S.%fZ"


@dataclass(frozen=True, slots=True)
class PastRun:
    """A run of which the journal is there. at: when it began. header: what the journal says of it.

    ended: its end was written, or is still to be written by a program that runs; problem: what ended it early, "" where
    nothing did.
    """

    file: Path
    at: datetime
    header: RecordingHeader
    ended: bool
    problem: str = ""

    @property
    def endpoint(self) -> str:
        """The endpoint's name."""
        found = self.header.extra.get("endpoint")
        return found if isinstance(found, str) else ""

    @property
    def model(self) -> str:
        """The model that was asked for, "" where none was named."""
        found = _object(_object(self.header.extra.get("request")).get("body")).get("model")
        return found if isinstance(found, str) else ""

    @property
    def conversation(self) -> str:
        """The fingerprint of the conversation that was sent, "" where the journal does not say it."""
        found = self.header.extra.get(CONVERSATION)
        return found if isinstance(found, str) else ""

    @property
    def pair(self) -> str:
        """The same for two runs that were compared, "" for others."""
        found = self.header.extra.get("pair")
        return found if isinstance(found, str) else ""


def past_run(file: Path) -> PastRun | None:
    """What the journal at `file` is of, by its first and last lines alone; None where it is none, or is gone."""
    try:
        at = datetime.strptime(file.name.partition("-")[0], _STAMP).replace(tzinfo=UTC)
        end = _end_of(file)
        with file.open("rb") as stream:
            # It holds the whole request: a prompt of a million tokens has megabytes.
            header = read_recording(stream.readline(KEPT_BYTES)).header
    except (OSError, ValueError, ThinkpaneError):
        return None
    problem = _object(end.get("end")).get("message")
    return PastRun(file, at, header, "end" in end or is_held(file), problem if isinstance(problem, str) else "")


def past_runs(journal: Journal) -> list[PastRun]:
    """All of which there are journals, newest first."""
    return [found for file in journal.files() if (found := past_run(file)) is not None]


def cut_off_runs(journal: Journal) -> list[PastRun]:
    """Those without an end, newest first; of the others only their ends are read."""
    left = [file for file in journal.files() if not _has_end(file)]
    return [found for file in left if (found := past_run(file)) is not None and not found.ended]


def _has_end(file: Path) -> bool:
    try:
        return "end" in _end_of(file)
    except OSError:
        return True


def _end_of(file: Path) -> JsonObject:
    """The line that ends a journal, {} where there is none. Raises OSError."""
    with file.open("rb") as stream:
        size = stream.seek(0, 2)
        stream.seek(max(0, size - _TAIL))
        tail = stream.read()
    try:
        return _object(json.loads(tail[:-1].rpartition(b"\n")[2])) if tail.endswith(b"\n") else {}
    except (ValueError, RecursionError):
        return {}


def settle(past: PastRun) -> None:
    """Writes the end that a crash left out: the run counts as cut off and is not offered again. Nothing is lost.

    Raises ThinkpaneError (kind "file") where that cannot be written.
    """
    line: JsonObject = {"ms": 0, "end": {"kind": CUT_OFF.kind, "message": CUT_OFF.message}}
    try:
        data = past.file.read_bytes()
        whole = data[: data.rfind(b"\n") + 1]
        line["ms"] = read_recording(whole).end_ms
        with past.file.open("r+b") as stream:
            # A line that was cut off while it was written never counted.
            stream.truncate(len(whole))
            stream.seek(0, 2)
            stream.write(json.dumps(line).encode() + b"\n")
    except OSError as fault:
        raise ThinkpaneError(Problem("file", f"The journal cannot be written: {fault.strerror or fault}.")) from None


def read_past(past: PastRun, limits: Limits) -> Run:
    """The run as it was, over, to be shown and read anew as any other. limits: the bounds while reading.

    Raises ThinkpaneError (kind "recording") where the journal cannot be read.
    """
    try:
        recording = read_recording(past.file.read_bytes(), past.file.name)
    except OSError as fault:
        sentence = f"The journal of that run cannot be read: {fault.strerror or fault}."
        raise ThinkpaneError(Problem("recording", sentence)) from None
    asked = _object(recording.header.extra.get("request"))
    request = HttpRequest(
        str(asked.get("method", "POST")),
        str(asked.get("url", "")),
        tuple((name, str(value)) for name, value in _object(asked.get("headers")).items()),
        _object(asked.get("body")),
    )
    run = Run(
        request,
        endpoint=past.endpoint,
        label=recording.header.label,
        pair=past.pair,
        prompt=_prompt(request.body),
        time=lambda: 0.0,
    )
    _play(run, recording, limits)
    return run


def how_it_ended(past: PastRun, limits: Limits) -> tuple[str, str]:
    """The word that the window would show for that run, and the sentence of what ended it early, "" where nothing did.

    Reads the whole journal as `read_past` does, and raises what that raises.
    """
    if is_held(past.file):
        return RUNNING, ""
    found = read_past(past, limits).transcript
    return end_word(found), found.problem.message if found.problem is not None else ""


def _play(run: Run, recording: Recording, limits: Limits) -> None:
    """Everything that came, with the times at which it came."""
    run.put(said(0.0, "request", request_text(run.request, has_key=False)), 0.0)
    how = How(
        dialect_named(recording.header.dialect),
        options_of(recording.header.extra.get("read")),
        limits,
        streamed="json" not in _kind(recording.headers).replace("ndjson", ""),
        continued=continued_in(run.request.body),
    )
    attempt = Attempt(run, how)
    if recording.headers or recording.chunks:
        attempt.head(recording.status, recording.headers, recording.head_ms)
    for chunk in recording.chunks:
        attempt.data(chunk.data, chunk.ms)
    problem = recording.problem if recording.ended else CUT_OFF
    if problem is not None and problem.kind == "stopped":
        run.stop()
    attempt.over(problem, recording.end_ms)
    run.drain()


def options_json(options: DecodeOptions) -> JsonObject:
    """How a reply was read, for its journal."""
    tags: JsonValue = None if options.think_tags is None else [list(pair) for pair in options.think_tags]
    return {
        "think_mode": options.think_mode,
        "think_tags": tags,
        "prompt_opens_thinking": options.prompt_opens_thinking,
        "channels": options.channels,
    }


def options_of(value: JsonValue) -> DecodeOptions:
    """The same read back; what is missing or strange is as usual."""
    given = _object(value)
    tags = given.get("think_tags")
    pairs = [pair for pair in tags if isinstance(pair, list) and len(pair) == 2] if isinstance(tags, list) else None
    return DecodeOptions(
        "anywhere" if given.get("think_mode") == "anywhere" else "leading",
        None if pairs is None else tuple((str(opening), str(closing)) for opening, closing in pairs),
        given.get("prompt_opens_thinking") is True,
        "harmony" if given.get("channels") == "harmony" else "",
    )


def _prompt(body: JsonObject) -> str | None:
    found = body.get("prompt")
    return found if isinstance(found, str) else None


def _kind(headers: Mapping[str, str]) -> str:
    return next((value for name, value in headers.items() if name.lower() == "content-type"), "").lower()


def _object(value: object) -> JsonObject:
    return value if isinstance(value, dict) else {}
