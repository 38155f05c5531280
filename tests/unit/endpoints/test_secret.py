"""Keys: valid as a header or refused without being quoted, and never shown."""

import pytest

from thinkpane.endpoints.secret import Secret
from thinkpane.errors import ThinkpaneError

HERE = "https://api.example/v1"


def test_a_key_is_trimmed_and_bound_to_its_origin() -> None:
    secret = Secret(" \tsk-canary\r\n", HERE)
    assert (secret.value, secret.origin) == ("sk-canary", "https://api.example:443")
    assert secret == Secret("sk-canary", "https://API.example:443/other")


def test_a_key_is_not_shown() -> None:
    secret = Secret("sk-canary", HERE)
    for shown in (repr(secret), str(secret), f"{secret}", f"{(secret,)}", "%s" % secret):  # noqa: UP031
        assert "canary" not in shown
    assert "api.example" in str(secret)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("", "empty"),
        (" \n", "empty"),
        ("sk-can\r\nary", "control character .U.000D. at position 7"),
        ("sk-can\tary", "control character"),
        ("sk-can\x7fary", "control character"),
        ("sk-can’ary", "non-ASCII character .U.2019. at position 7"),
        ("sk-can\u200bary", "non-ASCII character"),
    ],
)
def test_what_no_header_can_hold_is_refused_without_being_quoted(value: str, words: str) -> None:
    with pytest.raises(ThinkpaneError, match=words) as caught:
        Secret(value, HERE)
    assert caught.value.problem.kind == "key"
    assert "ary" not in caught.value.problem.message.replace("boundary", "")


@pytest.mark.parametrize("origin", ["", "api.example", "file:///x"])
def test_a_key_without_an_origin_is_refused(origin: str) -> None:
    with pytest.raises(ThinkpaneError, match="no web address"):
        Secret("sk-canary", origin)
