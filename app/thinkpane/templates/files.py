"""Reading a template's files from disk, with a size limit and one sentence for each fault."""

import json
import os
import re
from pathlib import Path

from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats import strict_json
from thinkpane.formats.json_values import JsonObject, JsonValue
from thinkpane.formats.wrong_file import HEAD, wrong_file

TEMPLATE_LIMIT = 4 * 2**20
"""Bytes a template may have. The longest published ones have about 100 kB."""

CONFIG_LIMIT = 64 * 2**20
"""Bytes a tokenizer_config.json may have; it can list every added token of a large vocabulary."""


_OF_THIS_MACHINE = re.compile(r"\\\\\?\\[A-Za-z]:\\")


def local_path(ref: str) -> Path | None:
    """The path a REF stands for, `~` expanded; None where it is a URL, a name of elsewhere (`hf:…`) or empty."""
    if not ref or "://" in ref or ref.startswith(("hf:", "ollama:")) or "\0" in ref:
        return None
    return Path(ref).expanduser() if ref == "~" or ref.startswith(("~/", "~\\")) else Path(ref)


def is_network_path(ref: str, *, windows: bool = os.name == "nt") -> bool:
    """Whether a REF is a path that Windows looks for on another machine (`\\\\server\\share`, with either slash).

    Merely asking whether it is there sends the person's name and a proof of their password to that machine, so that it
    is not touched unasked. `\\\\?\\C:\\…` is this machine's. Elsewhere such a text is an ordinary file's name.
    """
    path = ref.replace("/", "\\")
    return windows and path.startswith("\\\\") and _OF_THIS_MACHINE.match(path) is None


def near_path(ref: str) -> Path | None:
    """`local_path`, None for a path on another machine too: for what is looked for unasked, as what lies beside is."""
    return None if is_network_path(ref) else local_path(ref)


def is_folder(path: Path) -> bool:
    """Whether there is a folder at `path`; False too for a name that no file can have (too long, no valid text)."""
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def is_there(path: Path) -> bool:
    """Whether there is anything at `path`; False too for a name that no file can have."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def required_path(ref: str) -> Path:
    """`local_path`, for a REF that has one. Raises ThinkpaneError (kind "file")."""
    path = local_path(ref)
    if path is None:
        raise file_problem(f"“{ref}” is not the path of a file.")
    return path


def read_bytes(path: Path, limit: int) -> bytes:
    """The file's bytes, at most `limit` of them.

    Raises ThinkpaneError (kind "file") where it is missing, unreadable, no regular file, or longer.
    """
    try:
        if not is_there(path):
            raise file_problem(f"There is no file “{path}”.")
        if not path.is_file():
            raise file_problem(f"“{path}” is not a file.")
        with path.open("rb") as opened:
            data = opened.read(limit + 1)
    except OSError as fault:
        raise file_problem(f"“{path}” cannot be read: {fault.strerror or fault}.") from None
    if len(data) > limit:
        raise file_problem(f"“{path}” has more than the {limit // 2**20} MiB such a file may have.")
    return data


def read_template(path: Path) -> str:
    """A template file's text, read as transformers reads it: UTF-8, every line end as a line feed.

    Raises ThinkpaneError (kind "file").
    """
    data = read_bytes(path, TEMPLATE_LIMIT)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as fault:
        line = data.count(b"\n", 0, fault.start) + 1
        raise file_problem(f"“{path}” is not UTF-8 text (byte {fault.start}, line {line}).", line) from None
    return with_line_feeds(text)


def with_line_feeds(text: str) -> str:
    """The text with every line end as a line feed."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read_object(path: Path) -> JsonObject:
    """A JSON file's object. Raises ThinkpaneError (kind "file", or "template_source" where it is no JSON object)."""
    data = read_bytes(path, CONFIG_LIMIT)
    wrong = wrong_file(data[:HEAD])
    if wrong:
        raise source_problem(f"“{path}” {wrong}.")
    try:
        value = strict_json.parse_bytes(data)
    except ThinkpaneError as fault:
        raise source_problem(f"“{path}”: {fault.problem.message}", fault.problem.line) from None
    if not isinstance(value, dict):
        raise source_problem(f"“{path}” holds {kind_of(value)}, not a JSON object.")
    return value


def kind_of(value: JsonValue) -> str:
    """What a value is, for a sentence: “a list”, “the text "abc…"”, …"""
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "a list"
    if isinstance(value, str):
        return f"the text {json.dumps(value[:40], ensure_ascii=False)}"
    return json.dumps(value)


def file_problem(sentence: str, line: int | None = None) -> ThinkpaneError:
    """A fault of a file itself: missing, unreadable, too long, no text."""
    return ThinkpaneError(Problem("file", sentence, line=line))


def source_problem(sentence: str, line: int | None = None) -> ThinkpaneError:
    """A fault of what a template source holds."""
    return ThinkpaneError(Problem("template_source", sentence, line=line))
