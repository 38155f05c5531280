"""What a person types or copies for a template, as a REF: web pages of the Hub, bare names, addresses without http."""

import re
from urllib.parse import unquote, urlsplit

from thinkpane.templates.files import is_there, near_path
from thinkpane.templates.server_url import path_of

_WORD = r"[A-Za-z0-9][\w.-]*"
_NAME = re.compile(rf"{_WORD}/{_WORD}(?:@[\w./-]+)?", re.ASCII)
_HOST = re.compile(r"(?:localhost|[\w-]+(?:\.[\w-]+)+|\[[0-9a-f:]+\])?:\d{1,5}(?:[/#].*)?", re.ASCII | re.IGNORECASE)
_HUB_HOSTS = ("huggingface.co", "www.huggingface.co", "hf.co")
_OLLAMA_PORT = 11434


def ref_of(typed: str) -> str:
    """The REF that is meant by `typed`; what has no form of ours comes back without the blanks around it.

    `owner/name` is a name on the Hub where there is no such path here; a page of the Hub is the model it shows, a .gguf
    file on it stays a URL; `host:port` is a server; a server on Ollama's own port is an Ollama.
    """
    text = typed.strip().strip("\"'“”").strip()
    if text.startswith(("http://", "https://")):
        return _of_url(text)
    if text.startswith("file://"):
        return unquote(urlsplit(text).path)
    path = near_path(text)
    if path is not None and is_there(path):
        return text
    if _HOST.fullmatch(text):
        return _of_url(f"http://{'127.0.0.1' if text.startswith(':') else ''}{text}")
    return f"hf:{text}" if _NAME.fullmatch(text) else text


def _of_url(text: str) -> str:
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        return text
    if parts.hostname in _HUB_HOSTS:
        return _of_hub_page(text, parts.path)
    return f"ollama+{text}" if port == _OLLAMA_PORT else text


def _of_hub_page(text: str, path: str) -> str:
    words = [each for each in path.split("/") if each]
    if len(words) < 2 or not _NAME.fullmatch("/".join(words[:2])):
        return text
    if path_of(text).lower().endswith(".gguf"):
        # The page that shows a file is not the file.
        return text.replace("/blob/", "/resolve/", 1)
    revision = f"@{words[3]}" if len(words) > 3 and words[2] in ("tree", "blob", "resolve", "commit") else ""
    return f"hf:{words[0]}/{words[1]}{revision}"
