"""Keys: found where the endpoint says, bound to its origin, and never shown."""

import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace

import keyring
import keyring.backend
import pytest

from support.patience import PATIENCE
from thinkpane.endpoints.profile import Endpoint
from thinkpane.errors import ThinkpaneError
from thinkpane.workspace.keys import Keys, has_keyring

VALUE = "sk-not-a-real-key-1234"
ENDPOINT = Endpoint("mine", "openai-chat", "https://api.example.test/v1")


class MemoryKeyring(keyring.backend.KeyringBackend):
    """A keyring of this test."""

    priority = 1.0

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # the package's own base class has no types there
        self.kept: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.kept[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        if self.kept.pop((service, username), None) is None:
            raise keyring.errors.PasswordDeleteError("not there")


@pytest.fixture
def ring() -> Iterator[MemoryKeyring]:
    before = keyring.get_keyring()
    found = MemoryKeyring()
    keyring.set_keyring(found)
    yield found
    keyring.set_keyring(before)


def test_an_endpoint_without_a_key_has_none() -> None:
    assert Keys({}).key(ENDPOINT) is None


def test_an_environment_variable_is_read_when_it_is_needed() -> None:
    environment = {"MY_KEY": VALUE}
    keys = Keys(environment)
    found = keys.key(replace(ENDPOINT, key_ref="env:MY_KEY"))
    assert found is not None
    assert (found.value, found.origin) == (VALUE, "https://api.example.test:443")
    del environment["MY_KEY"]
    with pytest.raises(ThinkpaneError, match="MY_KEY"):
        keys.key(replace(ENDPOINT, key_ref="env:MY_KEY"))


def test_a_session_key_is_bound_to_its_origin() -> None:
    keys = Keys({})
    mine = replace(ENDPOINT, key_ref="session")
    keys.keep(mine, VALUE)
    found = keys.key(mine)
    assert found is not None
    assert found.value == VALUE
    with pytest.raises(ThinkpaneError, match="one session only"):
        keys.key(replace(mine, base_url="https://other.example.test/v1"))


def test_the_keyring_keeps_a_key_beyond_the_session(ring: MemoryKeyring) -> None:
    mine = replace(ENDPOINT, key_ref="keyring")
    Keys({}).keep(mine, VALUE)
    found = Keys({}).key(mine)
    assert found is not None
    assert found.value == VALUE
    Keys({}).forget(mine)
    Keys({}).forget(mine)
    with pytest.raises(ThinkpaneError, match="has no key"):
        Keys({}).key(mine)


def test_without_a_keyring_it_is_said_what_else_there_is() -> None:
    assert not has_keyring()
    with pytest.raises(ThinkpaneError, match="environment variable") as caught:
        Keys({}).keep(replace(ENDPOINT, key_ref="keyring"), VALUE)
    assert VALUE not in str(caught.value)


def test_a_place_that_is_none_is_refused() -> None:
    with pytest.raises(ThinkpaneError, match="“file”"):
        Keys({}).key(replace(ENDPOINT, key_ref="file"))


def test_a_keyring_that_does_not_answer_is_given_up(ring: MemoryKeyring, monkeypatch: pytest.MonkeyPatch) -> None:
    answer, asked = threading.Event(), []

    def wait(service: str, username: str) -> None:
        asked.append(threading.current_thread())
        answer.wait(PATIENCE)

    monkeypatch.setattr(ring, "get_password", wait)
    with pytest.raises(ThinkpaneError, match=r"did not answer within 0\.05 seconds"):
        Keys({}, patience=0.05).key(replace(ENDPOINT, key_ref="keyring"))
    answer.set()
    assert asked != [threading.current_thread()]


def test_a_keyring_that_fails_in_its_own_way_is_told_without_the_key(
    ring: MemoryKeyring, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(service: str, username: str, password: str) -> None:
        raise OSError(f"could not store {password}")

    monkeypatch.setattr(ring, "set_password", fail)
    keys, mine = Keys({}), replace(ENDPOINT, key_ref="keyring")
    with pytest.raises(ThinkpaneError, match="OSError") as caught:
        keys.keep(mine, VALUE)
    assert VALUE not in str(caught.value)
    assert caught.value.__cause__ is None
    with pytest.raises(ThinkpaneError, match="has no key"):
        keys.key(mine)


def test_forgetting_without_a_keyring_is_no_fault() -> None:
    Keys({}).forget(replace(ENDPOINT, key_ref="keyring"))


def test_no_keyring_is_imported_before_one_is_asked() -> None:
    words = "import sys, thinkpane.workspace.keys as k; k.Keys({}); sys.exit('keyring' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", words], check=False, timeout=PATIENCE).returncode == 0
