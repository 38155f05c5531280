"""Which tokenizer a REF names, and which one belongs to a template by itself."""

import hashlib
import os
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats import strict_json
from thinkpane.formats.json_values import JsonObject
from thinkpane.formats.wrong_file import HEAD, wrong_file, wrong_json
from thinkpane.prompt.server_tokenizer import Post, ServerTokenizer
from thinkpane.prompt.shared_tokenizers import SharedTokenizers
from thinkpane.prompt.tokenizer import Description, Tokenizer, Tokens
from thinkpane.templates import built_in, own
from thinkpane.templates.files import is_folder, is_network_path, is_there, local_path, read_bytes
from thinkpane.templates.model_files import TOKENIZER_FILES
from thinkpane.templates.reach import Reach, refused, required
from thinkpane.templates.remote_files import download
from thinkpane.templates.server_url import path_of
from thinkpane.templates.sources.hub import gguf_head, tokenizer_file
from thinkpane.templates.sources.ollama_store import model_file
from thinkpane.tokens.ids import Ids
from thinkpane.tokens.kinds._registry import all_kinds, kind_for
from thinkpane.tokens.ranked_forms import RankedForm, is_published, ranked_forms
from thinkpane.tokens.servers._registry import all_servers

NONE: Final = "none"
"""The REF of no tokenizer: special tokens alone are known, and counts are estimates."""

SERVER_LIMIT: Final = 256 * 2**20
"""Bytes of a server's answer: a million tokens with their pieces have about 40 MB."""

_MOST_BYTES: Final = 64 * 2**20
_SCHEMES: Final = ("http://", "https://")
_WITHOUT: Final = ("ollama+http://", "ollama+https://")
_FILES: Final = (".gguf", ".jinja", ".jinja2", ".j2", ".txt", ".json")


class TokenSource(Protocol):
    """What encodes texts: a child process with a vocabulary, or a server. Its methods wait."""

    @property
    def title(self) -> str:
        """Its name, for the window."""

    @property
    def description(self) -> Description:
        """What it is and holds."""

    def encode(self, texts: Sequence[str]) -> list[Ids]:
        """The ids of each text by itself."""

    def apart(self, pieces: Sequence[tuple[str, bool]]) -> list[Ids]:
        """The ids of each piece of one text, some of them plain text, in which nothing is a special token."""

    def tokens(self, text: str) -> Tokens:
        """All of one text, with places."""

    def close(self) -> None:
        """Ends it."""


@dataclass(frozen=True, slots=True)
class Located:
    """Where a tokenizer is: a file on this machine, or a server's URL. One of the two is None."""

    file: Path | None = None
    server: str | None = None


def beside(template: str) -> str:
    """The REF of the tokenizer that belongs to a template by itself, by the template's REF; "" = it has none.

    Templates of our own, built in or a person's, are of no model; a pasted one is of none that is known.
    """
    if not template or template in built_in.ids() or own.is_own(template) or template.startswith(_WITHOUT):
        return ""
    if is_network_path(template):
        return ""
    path = local_path(template)
    if path is None:
        return template
    found = kind_for(path) if is_there(path) else None
    return str(found[1]) if found is not None else ""


def lies_elsewhere(ref: str) -> bool:
    """Whether the tokenizer of a REF is asked for on the network, so that only a person's wish may have it asked: a
    server of tokens is sent the whole prompt."""
    return ref.startswith("hf:") or "://" in ref


def located(ref: str, reach: Callable[[], Reach] | None) -> Located | None:
    """Where the tokenizer of a REF is; None for "" and `NONE`. May wait for the network, by `reach` (None = not here).

    Raises ThinkpaneError, kind "tokenizer" where there is none, and what the network's readers raise.
    """
    if ref in ("", NONE):
        return None
    if ref.startswith(tuple(f"{kind}{scheme}" for kind in _server_kinds() for scheme in _SCHEMES)):
        if path_of(ref).lower().endswith(".gguf"):
            return Located(gguf_head(ref, required(reach and reach(), ref)))
        if not path_of(ref).lower().endswith(_FILES):
            return Located(server=ref)
    elif ref in ranked_forms():
        return Located(_ranks(ranked_forms()[ref], reach))
    found = _on_hub_or_here(ref, reach)
    if found is None:
        raise ThinkpaneError(Problem("tokenizer", _why_none(ref)))
    return Located(found)


def _why_none(ref: str) -> str:
    """Why a REF names no tokenizer: a folder without one, a file that is none, or nothing at all."""
    path = local_path(ref)
    if path is None:
        return f"No tokenizer was found at “{ref}”; it may be {takes()}."
    if is_folder(path):
        return f"The folder “{ref}” holds no tokenizer: neither {', '.join(TOKENIZER_FILES)} nor its like is in it."
    if not is_there(path):
        return f"There is no file or folder “{ref}”; a tokenizer may be {takes()}."
    wrong = _wrong(path) or f"is no tokenizer by its name; it may be {', '.join(each.takes for each in all_kinds())}"
    return f"“{ref}” {wrong}."


def _wrong(path: Path) -> str:
    """What the content of a file shows it to be; "" = nothing that is wrong."""
    try:
        data = read_bytes(path, _MOST_BYTES)
    except ThinkpaneError:
        return "cannot be read"
    wrong = wrong_file(data[:HEAD])
    if wrong or path.suffix.lower() != ".json":
        return wrong
    return wrong_json(data.decode("utf-8", "replace"))


def _on_hub_or_here(ref: str, reach: Callable[[], Reach] | None) -> Path | None:
    if ref.startswith("hf:"):
        return tokenizer_file(ref, required(reach and reach(), ref))
    if ref.startswith("ollama:"):
        return model_file(ref)
    path = local_path(ref)
    found = kind_for(path) if path is not None and is_there(path) else None
    if path is None or found is None:
        return None
    # What merely lies beside the named file is another tokenizer than the one that was asked for.
    return found[1] if found[1] == path or is_folder(path) else None


def opened(
    place: Located, reach: Callable[[], Reach] | None, tokenizers: SharedTokenizers | None = None
) -> TokenSource:
    """The tokenizer at a place; nothing is loaded or asked before it is used.

    tokenizers: whom a file's process is shared with, before whose other users this one goes; None = it has its own.
    """
    if place.file is not None:
        return Tokenizer(place.file) if tokenizers is None else tokenizers.open(place.file, first=True)
    server = place.server or ""
    return ServerTokenizer(server, _post(required(reach and reach(), server)))


def takes() -> str:
    """What a REF may be, for a sentence."""
    kinds = ", ".join(each.takes for each in all_kinds())
    return f"{kinds}, a model's folder, hf:owner/name, ollama:name, a server's URL, or {', '.join(ranked_forms())}"


def _server_kinds() -> list[str]:
    """What may stand before a server's address."""
    return ["", *(f"{each.name}+" for each in all_servers())]


def _post(reach: Reach) -> Post:
    def post(url: str, body: JsonObject) -> JsonObject:
        headers = {"Accept": "application/json", "Content-Type": "application/json"}
        reply = reach.ask(url, headers, limit=SERVER_LIMIT, body=body)
        if reply.status != 200:
            raise refused(url, reply)
        found = strict_json.parse_bytes(reply.body)
        return found if isinstance(found, dict) else {}

    return post


def _ranks(form: RankedForm, reach: Callable[[], Reach] | None) -> Path:
    """The published file of ranks: as we keep it, as the package `tiktoken` keeps it, or fetched and compared."""
    network = reach() if reach is not None else None
    kept = [_kept_by_tiktoken(form)]
    if network is not None:
        kept.insert(0, network.cache / "tokenizers" / f"{form.name}.tiktoken")
    for path in kept:
        if path.is_file() and is_published(path.read_bytes(), form):
            return _named(path, form, network)
    if not form.url:
        raise ThinkpaneError(Problem("tokenizer", f"“{form.name}” is published nowhere by itself; name its file."))
    target = required(network, form.name).cache / "tokenizers" / f"{form.name}.tiktoken"
    if network is not None and download(network, form.url, target, _MOST_BYTES):
        if is_published(target.read_bytes(), form):
            return target
        target.unlink()
    raise ThinkpaneError(Problem("tokenizer", f"“{form.url}” does not hold the vocabulary “{form.name}” as published."))


def _named(path: Path, form: RankedForm, reach: Reach | None) -> Path:
    """The same bytes in a file whose name tells the form, which a child process can go by."""
    if path.suffix == ".tiktoken" or reach is None:
        return path
    target = reach.cache / "tokenizers" / f"{form.name}.tiktoken"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(path.read_bytes())
    return target


def _kept_by_tiktoken(form: RankedForm) -> Path:
    """Where tiktoken 0.14 keeps what it fetched (tiktoken/load.py): a file named by its URL's hash."""
    folder = os.environ.get("TIKTOKEN_CACHE_DIR") or os.environ.get("DATA_GYM_CACHE_DIR")
    name = hashlib.sha1(form.url.encode(), usedforsecurity=False).hexdigest()
    return Path(folder or Path(tempfile.gettempdir()) / "data-gym-cache") / name
