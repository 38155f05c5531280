"""`thinkpane decode`: reads a recorded stream or answer as the window would."""

import argparse
import json
from collections.abc import Iterable
from dataclasses import replace
from typing import cast

from thinkpane.cli._api import Command, CommandLineError, Services
from thinkpane.cli.input_files import Inputs
from thinkpane.cli.jsonl import answer_lines
from thinkpane.cli.output import told, write_answer, write_error, write_json
from thinkpane.endpoints.dialects._api import DecodeOptions, Dialect
from thinkpane.endpoints.dialects._registry import all_dialects, dialect_named
from thinkpane.endpoints.dialects._repeated import continued_in
from thinkpane.endpoints.recording import Recording, is_recording, read_recording
from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats.json_values import JsonObject, JsonValue
from thinkpane.streaming.events import Failed
from thinkpane.streaming.transcript import Transcript

_MODES = ("leading", "anywhere")
_CHANNELS = ("", "harmony")
_ENCODINGS = ("utf-8", "latin-1")


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "file", nargs="?", metavar="FILE", help="the reply's bytes, or a .transcript; - = standard input"
    )
    names = ", ".join(dialect.name for dialect in all_dialects())
    parser.add_argument("--api", metavar="NAME", help=f"the wire format: {names}")
    parser.add_argument("--think-mode", choices=_MODES, default="leading", help="where a think tag counts")
    parser.add_argument(
        "--think-tag",
        nargs=2,
        action="append",
        metavar=("OPEN", "CLOSE"),
        help="a pair of tags in place of the usual ones; repeatable",
    )
    parser.add_argument("--prompt-opens-thinking", action="store_true", help="the prompt ended inside thinking")
    parser.add_argument("--channels", choices=("harmony",), default="", help="read channel tokens in the text")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print one JSON object")
    form.add_argument("--jsonl", metavar="FILE", help="decode every line of FILE (- = standard input)")


def _run(arguments: argparse.Namespace, _services: Services) -> int:
    inputs = Inputs()
    if arguments.jsonl is not None:
        if arguments.file is not None:
            raise CommandLineError("thinkpane decode: --jsonl takes the place of FILE")
        return answer_lines(inputs.read(arguments.jsonl), _line, _line_defaults(arguments))
    if arguments.file is None:
        raise CommandLineError("thinkpane decode: name a FILE, or - for standard input")
    options = DecodeOptions(
        think_mode=arguments.think_mode,
        think_tags=tuple((opening, closing) for opening, closing in arguments.think_tag or ()) or None,
        prompt_opens_thinking=arguments.prompt_opens_thinking,
        channels=arguments.channels,
    )
    asked = _asked_dialect(arguments.api) if arguments.api is not None else None
    data = inputs.read(arguments.file)
    if is_recording(data):
        transcript = _recorded(read_recording(data), asked, options)
    else:
        transcript = _decoded(asked or _asked_dialect(None), [data], options, stream=True)
    if arguments.json:
        write_json(transcript.as_json())
    else:
        _tell(transcript)
    return 1 if transcript.problem else 0


def _line_defaults(arguments: argparse.Namespace) -> JsonObject:
    """What the options say of every line, as a line would say it."""
    options: JsonObject = {"think_mode": arguments.think_mode, "channels": arguments.channels}
    if arguments.think_tag:
        options["think_tags"] = [[opening, closing] for opening, closing in arguments.think_tag]
    if arguments.prompt_opens_thinking:
        options["prompt_opens_thinking"] = True
    return {"options": options} | ({"format": arguments.api} if arguments.api else {})


def _recorded(recording: Recording, asked: Dialect | None, options: DecodeOptions) -> Transcript:
    """The reply in a .transcript: a run's journal, or what `send --record` wrote. Its header names the wire format."""
    dialect = asked or dialect_named(recording.header.dialect)
    if recording.status >= 400:
        transcript = Transcript()
        transcript.apply(Failed(dialect.error(recording.status, recording.headers, recording.data)))
        return transcript
    asked_for = recording.header.extra.get("request")
    body = asked_for.get("body") if isinstance(asked_for, dict) else None
    options = replace(options, continued=continued_in(body if isinstance(body, dict) else {}))
    kind = {name.lower(): value for name, value in recording.headers.items()}.get("content-type", "")
    pieces = [chunk.data for chunk in recording.chunks]
    transcript = _decoded(dialect, pieces, options, stream=not kind.startswith("application/json"))
    if recording.problem is not None and recording.problem.kind != "stopped" and transcript.problem is None:
        transcript.apply(Failed(recording.problem))
    return transcript


def _asked_dialect(name: str | None) -> Dialect:
    if name is None:
        raise CommandLineError("thinkpane decode: --api says which wire format it is (see thinkpane decode --help)")
    try:
        return dialect_named(name)
    except ThinkpaneError as error:
        raise CommandLineError(f"thinkpane decode: {error.problem.message}") from None


def _decoded(dialect: Dialect, chunks: Iterable[bytes], options: DecodeOptions, *, stream: bool) -> Transcript:
    transcript = Transcript()
    decoder = dialect.decoder(options) if stream else dialect.answer_decoder(options)
    for chunk in chunks:
        transcript.apply_all(decoder.feed(chunk))
    transcript.apply_all(decoder.close())
    return transcript


def _tell(transcript: Transcript) -> None:
    """The answer to standard output; thinking, calls, warnings and the fault to standard error."""
    for line in transcript.thinking.splitlines():
        write_error(f"thinking: {line}")
    for call in transcript.tool_calls:
        write_error(f"tool call: {call.name} {call.arguments}")
    for warned in transcript.warnings:
        write_error(f"warning: {warned.message}")
    answer = transcript.answer
    write_answer(answer + "\n" if answer and not answer.endswith("\n") else answer)
    if transcript.problem:
        write_error(f"thinkpane: {told(transcript.problem)}")


def _line(line: JsonObject) -> JsonObject:
    """The answer to one line of --jsonl. Raises ThinkpaneError for what it lacks or has in a wrong shape."""
    name = line.get("format", line.get("api"))
    if not isinstance(name, str):
        raise _wrong("format", "a wire format's name")
    dialect = dialect_named(name)
    options = _options(line.get("options"))
    response = line.get("response")
    if isinstance(response, dict):
        transcript = _response(dialect, response, options, stream=line.get("stream") is not False)
    else:
        transcript = _decoded(dialect, _chunks(line), options, stream=line.get("stream") is not False)
    return cast("JsonObject", transcript.as_json())


def _response(dialect: Dialect, response: JsonObject, options: DecodeOptions, *, stream: bool) -> Transcript:
    status, headers, body = response.get("status", 200), response.get("headers"), response.get("body", "")
    if not isinstance(status, int) or isinstance(status, bool):
        raise _wrong("response.status", "a number")
    data = _encoded(body if isinstance(body, str) else json.dumps(body, ensure_ascii=False), "utf-8")
    if 200 <= status < 300:
        return _decoded(dialect, [data], options, stream=stream)
    named = {name: str(value) for name, value in headers.items()} if isinstance(headers, dict) else {}
    transcript = Transcript()
    transcript.apply(Failed(dialect.error(status, named, data)))
    return transcript


def _chunks(line: JsonObject) -> list[bytes]:
    chunks, encoding = line.get("chunks"), line.get("encoding") or "utf-8"
    if encoding not in _ENCODINGS:
        raise _wrong("encoding", "utf-8 or latin-1")
    if not isinstance(chunks, list) or not all(isinstance(chunk, str) for chunk in chunks):
        raise _wrong("chunks", "a list of texts")
    return [_encoded(str(chunk), str(encoding)) for chunk in chunks]


def _encoded(text: str, encoding: str) -> bytes:
    try:
        return text.encode(encoding, "surrogatepass" if encoding == "utf-8" else "strict")
    except UnicodeEncodeError as fault:
        sentence = f"The chunk holds U+{ord(text[fault.start]):04X}, which {encoding} cannot say."
        raise ThinkpaneError(Problem("request", sentence, field="chunks")) from None


def _options(value: JsonValue) -> DecodeOptions:
    given = value if isinstance(value, dict) else {}
    mode, channels = given.get("think_mode") or "leading", given.get("channels") or ""
    if mode not in _MODES:
        raise _wrong("options.think_mode", "leading or anywhere")
    if channels not in _CHANNELS:
        raise _wrong("options.channels", "harmony or nothing")
    return DecodeOptions(
        think_mode="anywhere" if mode == "anywhere" else "leading",
        think_tags=_tags(given.get("think_tags")),
        prompt_opens_thinking=bool(given.get("prompt_opens_thinking")),
        channels="harmony" if channels else "",
    )


def _tags(value: JsonValue) -> tuple[tuple[str, str], ...] | None:
    if value is None:
        return None
    pairs = []
    for pair in value if isinstance(value, list) else [None]:
        match pair:
            case [str(opening), str(closing)] if opening and closing:
                pairs.append((opening, closing))
            case _:
                raise _wrong("options.think_tags", "a list of pairs [open, close]")
    return tuple(pairs)


def _wrong(name: str, what: str) -> ThinkpaneError:
    return ThinkpaneError(Problem("request", f"“{name}” must be {what}.", field=name))


COMMAND = Command("decode", "reads a recorded stream or answer", _add_arguments, _run)
