"""A model in Ollama's store on this machine: the Jinja template of its GGUF blob, Ollama's own text beside it.

Layout (ollama, manifest/paths.go and server/images.go): `manifests/<host>/<namespace>/<model>/<tag>` lists layers by
media type, each a file `blobs/sha256-<hex>`.
"""

import os
import re
from pathlib import Path
from typing import NamedTuple

from thinkpane.errors import ThinkpaneError
from thinkpane.templates.files import TEMPLATE_LIMIT, file_problem, read_bytes, read_object, source_problem
from thinkpane.templates.ollama import go_or_jinja, with_go_text
from thinkpane.templates.reach import Reach
from thinkpane.templates.sources._api import TemplateSource
from thinkpane.templates.sources.gguf_file import from_file
from thinkpane.templates.template import Template

_PART = r"[A-Za-z0-9_][\w.-]{0,79}"
_REF = re.compile(
    rf"ollama:(?:(?:(?P<host>{_PART}(?::\d{{1,5}})?)/)?(?P<space>{_PART})/)?(?P<model>{_PART})(?::(?P<tag>{_PART}))?",
    re.ASCII,
)
_DIGEST = re.compile(r"sha256[:-](?P<hex>[0-9a-f]{64})")
_MEDIA = "application/vnd.ollama.image."
_STORES = ("~/.ollama/models", "/usr/share/ollama/.ollama/models")


class _Layers(NamedTuple):
    model: Path | None
    template: Path | None


class _OllamaStore:
    name = "ollama-store"
    takes = "a model in Ollama's store (ollama:name, ollama:name:tag)"
    reaches = False

    def accepts(self, ref: str) -> bool:
        return _REF.fullmatch(ref) is not None

    def load(self, ref: str, name: str, reach: Reach | None = None) -> Template:
        match = _REF.fullmatch(ref)
        if match is None:
            raise source_problem(f"“{ref}” is no name in Ollama's store; it is written ollama:name or ollama:name:tag.")
        layers = _layers(_manifest(match))
        title = ref.removeprefix("ollama:")
        text = _go_text(layers.template)
        try:
            inside = None if layers.model is None else from_file(layers.model, ref, name)
        except ThinkpaneError:
            # Without any Jinja text in the blob, Ollama's own is all there is.
            if not text:
                raise
            inside = None
        if inside is None:
            return go_or_jinja(ref, text, name, title=title, origin=str(layers.template or ref))
        return with_go_text(inside, text, str(layers.template)) if text else inside


def model_file(ref: str) -> Path | None:
    """The GGUF blob of a model in the store; None where `ref` names none or the store has no such model."""
    match = _REF.fullmatch(ref)
    try:
        return _layers(_manifest(match)).model if match is not None else None
    except ThinkpaneError:
        return None


def _manifest(match: re.Match[str]) -> Path:
    host = (match["host"] or "registry.ollama.ai").replace(":", "%3A" if os.name == "nt" else ":")
    below = Path("manifests", host, match["space"] or "library", match["model"], match["tag"] or "latest")
    stores = [os.environ["OLLAMA_MODELS"]] if os.environ.get("OLLAMA_MODELS") else list(_STORES)
    for store in stores:
        path = Path(store).expanduser() / below
        if path.is_file():
            return path
    raise file_problem(f"Ollama's store has no “{match.group().removeprefix('ollama:')}” ({', '.join(stores)}).")


def _layers(manifest: Path) -> _Layers:
    listed = read_object(manifest).get("layers")
    found: dict[str, Path] = {}
    for layer in listed if isinstance(listed, list) else []:
        media, digest = (layer.get("mediaType"), layer.get("digest")) if isinstance(layer, dict) else (None, None)
        hexes = _DIGEST.fullmatch(digest) if isinstance(digest, str) else None
        if isinstance(media, str) and media.startswith(_MEDIA) and hexes:
            found.setdefault(media.removeprefix(_MEDIA), manifest.parents[4] / "blobs" / f"sha256-{hexes['hex']}")
    if not found:
        raise source_problem(f"“{manifest}” is no manifest of Ollama's: it lists no layers.")
    return _Layers(found.get("model"), found.get("template"))


def _go_text(blob: Path | None) -> str:
    return read_bytes(blob, TEMPLATE_LIMIT).decode("utf-8", "replace") if blob is not None else ""


SOURCE: TemplateSource = _OllamaStore()
