"""What is said of a text that holds no template repeats no key."""

import pytest

from thinkpane.templates.damage.no_template import find


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("curl https://x.example/v1 -H 'Authorization: Bearer sk-abc'", "It reads like a command of curl."),
        ("$ curl https://x.example -d '{}'", "It reads like a command of curl."),
        ("Authorization: Bearer sk-abc", "It reads like plain text."),
        ("api_key = sk-abc", "It reads like plain text."),
        ("Dear all", "It reads like plain text (“Dear all”)."),
        ("# Title\n\ntext", "It reads like a document (“Title”)."),
    ],
)
def test_what_it_reads_like(text: str, said: str) -> None:
    found = find(text)
    assert found is not None
    assert said in found.sentence
    assert "sk-abc" not in found.sentence
