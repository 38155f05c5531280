"""What kind of endpoint a prompt goes to, for those who judge the prompt and send nothing."""

from thinkpane.endpoints.dialects._registry import all_dialects, dialect_for
from thinkpane.endpoints.profile import DEMO, Endpoint
from thinkpane.errors import ThinkpaneError


def endpoint_kinds() -> tuple[str, ...]:
    """Every kind that `endpoint_kind` gives, but ""."""
    return tuple(each.name for each in all_dialects())


def endpoint_kind(endpoint: Endpoint, path: str) -> str:
    """The name of the dialect that is spoken on that path ("chat", else raw); "" for Demo and where there is none."""
    if endpoint.dialect == DEMO:
        return ""
    try:
        return dialect_for(endpoint.dialect, "chat" if path == "chat" else "raw").name
    except ThinkpaneError:
        return ""
