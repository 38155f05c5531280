"""Which proxy is on the way."""

from collections.abc import Mapping

import pytest

from thinkpane.endpoints.connection import Connection, check_connection
from thinkpane.endpoints.proxies import proxy_for
from thinkpane.errors import ThinkpaneError

ALL = {"http_proxy": "http://lower:1", "HTTP_PROXY": "http://upper:1", "HTTPS_PROXY": "upper:2"}


def origin(url: str, environment: Mapping[str, str], proxy: str = "") -> str:
    found = proxy_for(url, Connection(proxy=proxy), environment)
    return found.origin if found else ""


@pytest.mark.parametrize(
    ("url", "environment", "found"),
    [
        ("http://h/v1", {}, ""),
        ("http://h/v1", ALL, "http://lower:1"),
        ("https://h/v1", ALL, "http://upper:2"),
        ("https://h/v1", {"all_proxy": "https://p"}, "https://p:443"),
        ("http://h/v1", {"ALL_PROXY": "http://[::1]:3"}, "http://[::1]:3"),
        ("http://h/v1", {"HTTP_PROXY": "http://evil:1", "REQUEST_METHOD": "GET"}, ""),
        ("http://127.0.0.1:8080/v1", ALL, ""),
        ("http://localhost/v1", ALL, ""),
        ("http://[::1]:8080/v1", ALL, ""),
        ("http://127.0.0.1.evil.test/v1", ALL, "http://lower:1"),
    ],
)
def test_what_the_environment_names(url: str, environment: dict[str, str], found: str) -> None:
    assert origin(url, environment) == found


@pytest.mark.parametrize(
    ("listed", "url", "direct"),
    [
        ("*", "http://h/", True),
        ("h", "http://h/", True),
        ("H", "http://h/", True),
        ("h", "http://hh/", False),
        ("example.test", "http://a.example.test/", True),
        (".example.test", "http://a.example.test/", True),
        (".example.test", "http://example.test/", True),
        ("*.example.test", "http://a.example.test/", True),
        ("example.test", "http://badexample.test/", False),
        ("a, b  h", "http://h/", True),
        ("10.0.0.0/8", "http://10.1.2.3:8000/", True),
        ("10.0.0.0/8", "http://11.1.2.3/", False),
        ("10.1.2.3", "http://10.1.2.3/", True),
        ("fd00::/8", "http://[fd00::1]:8000/", True),
        ("[fd00::1]", "http://[fd00::1]/", True),
        ("h:8000", "http://h:8000/", True),
        ("h:8000", "http://h:9000/", False),
        ("", "http://h/", False),
        (" , ", "http://h/", False),
    ],
)
def test_no_proxy(listed: str, url: str, direct: bool) -> None:
    for name in ("no_proxy", "NO_PROXY"):
        assert (origin(url, {**ALL, name: listed}) == "") is direct
    assert origin(url, {**ALL, "no_proxy": "other", "NO_PROXY": "*"}) != ""


def test_the_endpoints_own_word_counts_before_the_environments() -> None:
    assert origin("http://h/", ALL, "none") == ""
    assert origin("http://h/", ALL, "http://mine:9") == "http://mine:9"
    assert origin("http://127.0.0.1/", {**ALL, "no_proxy": "*"}, "mine:9") == "http://mine:9"
    assert origin("http://h/", {"CORP": "http://corp:9"}, "env:CORP") == "http://corp:9"


@pytest.mark.parametrize(
    ("address", "words", "name"),
    [
        ("socks5://me:canary-word@h:1", "SOCKS proxy, which Thinkpane cannot use", "socks"),
        ("SOCKS5H://me:canary-word@h:1", "SOCKS", "socks"),
        ("ftp://me:canary-word@h:1", "begin with http://", "proxy"),
        ("http://me:canary-word@h:99999", "no address that can be read", "proxy"),
        ("foo bar", "http://host:port", "proxy"),
        ("ftp://x:99999", "http://host:port, with a port up to 65535", "proxy"),
        ("http://", "begin with http://", "proxy"),
    ],
)
def test_what_cannot_be_used_is_one_sentence_without_the_password(address: str, words: str, name: str) -> None:
    for connection, environment in (
        (Connection(), {"HTTP_PROXY": address}),
        (Connection(proxy="env:MINE"), {"MINE": address}),
    ):
        with pytest.raises(ThinkpaneError) as caught:
            proxy_for("http://h/", connection, environment)
        problem = caught.value.problem
        assert (problem.kind, problem.detail["class"]) == ("proxy", name)
        assert words in problem.message
        assert "canary" not in problem.message


def test_a_variable_that_is_not_set_is_named() -> None:
    with pytest.raises(ThinkpaneError, match="MINE, which is not set"):
        proxy_for("http://h/", Connection(proxy="env:MINE"), {})


def test_a_password_is_known_for_masking_and_shown_nowhere() -> None:
    found = proxy_for("http://h/", Connection(), {"HTTP_PROXY": "http://me:canary%40word@h:1"})
    assert found is not None
    assert [each.value for each in found.passwords] == ["canary@word", "canary%40word"]
    assert "canary" not in repr(found)
    assert found.origin == "http://h:1"


@pytest.mark.parametrize("proxy", ["http://me:canary@h:1", "me@h:1", "env:", "env:A B", "env:1X"])
def test_what_may_not_be_kept(proxy: str) -> None:
    with pytest.raises(ThinkpaneError) as caught:
        check_connection(Connection(proxy=proxy))
    assert caught.value.problem.kind == "proxy"
    assert "canary" not in caught.value.problem.message


@pytest.mark.parametrize("proxy", ["", "none", "http://h:1", "h:1", "env:CORP_PROXY"])
def test_what_may_be_kept(proxy: str) -> None:
    check_connection(Connection(proxy=proxy))
