"""The kind of endpoint that a prompt goes to."""

import pytest

from thinkpane.endpoints.kind import endpoint_kind
from thinkpane.endpoints.profile import DEMO, Endpoint


@pytest.mark.parametrize(
    ("dialect", "path", "kind"),
    [
        ("openai-completions", "raw", "openai-completions"),
        ("openai-completions", "chat", "openai-chat"),
        ("openai-chat", "raw", "openai-completions"),
        ("ollama", "raw", "ollama-generate"),
        ("anthropic", "raw", ""),
        ("anthropic", "chat", "anthropic"),
        ("nobody", "raw", ""),
        (DEMO, "raw", ""),
    ],
)
def test_the_dialect_of_the_path(dialect: str, path: str, kind: str) -> None:
    assert endpoint_kind(Endpoint("e", dialect, "http://127.0.0.1:1"), path) == kind
