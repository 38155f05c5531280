"""Finds out by asking which server is behind an endpoint's address (wire-format notes, section 14: cheap questions)."""

from dataclasses import dataclass

from thinkpane.endpoints.dialects._errors import http_problem
from thinkpane.endpoints.server import Server, object_of
from thinkpane.endpoints.variant_table import variant_for, variant_named
from thinkpane.errors import ThinkpaneError
from thinkpane.formats.json_values import JsonObject, JsonValue

_OWNERS = {"llamacpp": "llamacpp", "vllm": "vllm", "sglang": "sglang", "library": "ollama", "ollama": "ollama"}


@dataclass(frozen=True, slots=True)
class ServerKind:
    """What a server is.

    name: "llamacpp", "ollama", "vllm", "sglang", "lmstudio", or a hosted service's variant; "" where nothing told.
    version: as it says it, "" where it does not. props: what llama.cpp tells of itself, {} for others.
    """

    name: str = ""
    version: str = ""
    props: JsonObject | None = None

    @property
    def title(self) -> str:
        """For people, with the version; "" where nothing told."""
        return f"{self.server} {self.version}".strip()

    @property
    def server(self) -> str:
        """For people, without the version."""
        if self.name == "ollama":
            return "Ollama"  # its variant stands for its OpenAI side alone
        return variant_named(self.name).title if self.name else ""


def server_kind(server: Server) -> ServerKind:
    """Asks until something tells. Raises ThinkpaneError where no answer comes at all, or none without another key.

    A well-known address is not asked: it is what its name says.
    """
    hosted = variant_for(server.endpoint.base_url)
    if hosted.name:
        return ServerKind(hosted.name)
    props = server.answer("/props")
    if props.status in (401, 403):
        raise ThinkpaneError(http_problem(props.status, props.headers, props.body))
    found = object_of(props)
    if found is not None and ("build_info" in found or "default_generation_settings" in found):
        return ServerKind("llamacpp", _text(found.get("build_info")), found)
    if props.headers.get("server", "").lower() == "llama.cpp":
        return ServerKind("llamacpp", "", found)
    if (version := _object(server, "/api/version")) is not None and _text(version.get("version")):
        return ServerKind("ollama", _text(version.get("version")))
    if _object(server, "/get_model_info") is not None:
        return ServerKind("sglang")
    if (version := _object(server, "/version")) is not None and _text(version.get("version")):
        return ServerKind("vllm", _text(version.get("version")))
    if _has_list(_object(server, "/api/v1/models")) or _has_list(_object(server, "/api/v0/models")):
        return ServerKind("lmstudio")
    return ServerKind(_owner(_object(server, "/v1/models")))


def _owner(models: JsonObject | None) -> str:
    listed = models.get("data") if models else None
    for each in listed if isinstance(listed, list) else []:
        if isinstance(each, dict) and (name := _OWNERS.get(_text(each.get("owned_by")))):
            return name
    return ""


def _object(server: Server, path: str) -> JsonObject | None:
    """What a path answers; a server that breaks off on one unknown path may know the next."""
    try:
        return server.found(path)
    except ThinkpaneError as error:
        if error.problem.kind in ("limit", "incomplete", "compression"):
            return None
        raise


def _has_list(value: JsonObject | None) -> bool:
    return value is not None and any(isinstance(value.get(name), list) for name in ("models", "data"))


def _text(value: JsonValue) -> str:
    return value if isinstance(value, str) else ""
