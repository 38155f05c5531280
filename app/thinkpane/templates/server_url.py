"""A server's URL in a REF: `http://host:port[/path][#model]`, or with a kind before it (`ollama+http://…`)."""

from dataclasses import dataclass
from urllib.parse import urlsplit

from thinkpane.templates.files import source_problem

_FILE_ENDINGS = (".gguf", ".jinja", ".jinja2", ".j2", ".txt", ".json")
_API_PATHS = ("/v1", "/props", "/api")


@dataclass(frozen=True, slots=True)
class ServerUrl:
    """base: the server's own address without a closing slash; model: the name after `#`, "" where there is none."""

    base: str
    model: str
    host: str


def is_server(ref: str, kind: str = "") -> bool:
    """Whether `ref` is the URL of a server of that kind ("" = no kind before it), and of no file."""
    start = f"{kind}+" if kind else ""
    if not ref.startswith((f"{start}http://", f"{start}https://")):
        return False
    return not path_of(ref).lower().endswith(_FILE_ENDINGS)


def path_of(ref: str) -> str:
    """The path of a URL; "" for what is none."""
    try:
        return urlsplit(ref.partition("#")[0]).path
    except ValueError:
        return ""


def parse(ref: str, kind: str = "") -> ServerUrl:
    """The parts of a REF that `is_server` takes. Raises ThinkpaneError (kind "template_source")."""
    url, _, model = ref.removeprefix(f"{kind}+").partition("#")
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError as fault:
        raise source_problem(f"“{ref}” is no address: {fault}.") from None
    if not parts.hostname:
        raise source_problem(f"“{ref}” names no server.")
    if parts.username is not None or parts.password is not None:
        raise source_problem("A server's address may not hold a name or a password.")
    path = parts.path.rstrip("/")
    for ending in _API_PATHS:
        path = path.removesuffix(ending)
    return ServerUrl(f"{parts.scheme}://{parts.netloc}{path}", model, parts.netloc)
