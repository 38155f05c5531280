"""Where keys are found: the system's keyring, an environment variable, or this session's memory. Never a file.

A keyring may ask for a password, wait for a service that is not there, or fail in ways of its own, so it is only ever
asked from a thread beside the caller's, and for a bounded time.
"""

import os
import threading
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, TypeVar

from thinkpane.endpoints.profile import Endpoint
from thinkpane.endpoints.secret import Secret
from thinkpane.errors import Problem, ThinkpaneError

if TYPE_CHECKING:
    from keyring.backend import KeyringBackend

SERVICE = "thinkpane"
"""What the keyring files our keys under; the account is the origin."""

KEYRING, SESSION, ENVIRONMENT = "keyring", "session", "env:"

PATIENCE = 15.0
"""Seconds that a keyring may take; a person may have to unlock it in the meantime."""

_Answer = TypeVar("_Answer")


class Keys:
    """Finds and keeps keys, each bound to its endpoint's origin."""

    def __init__(self, environment: Mapping[str, str] = os.environ, patience: float = PATIENCE) -> None:
        """patience: seconds that the keyring may take."""
        self._environment = environment
        self._patience = patience
        self._session: dict[str, str] = {}

    def key(self, endpoint: Endpoint) -> Secret | None:
        """The key of an endpoint, None where it takes none.

        Raises ThinkpaneError (kind "key") where it should have one that is not there.
        """
        ref, origin = endpoint.key_ref, endpoint.origin
        if not ref:
            return None
        if ref.startswith(ENVIRONMENT):
            name = ref.removeprefix(ENVIRONMENT)
            value = self._environment.get(name)
            missing = f"The environment variable {name}, which holds the key of “{endpoint.name}”, is not set."
        elif ref == SESSION:
            value = self._session.get(origin)
            missing = f"The key of “{endpoint.name}” was given for one session only; give it again."
        elif ref == KEYRING:
            value = self._session.get(origin) or self._ask(lambda ring: ring.get_password(SERVICE, origin))
            missing = f"The keyring has no key for {origin}; give it again."
        else:
            value, missing = None, f"“{ref}” is no place for a key: keyring, session or env:NAME."
        if not value:
            raise ThinkpaneError(Problem("key", missing))
        return Secret(value, origin)

    def keep(self, endpoint: Endpoint, value: str) -> None:
        """Keeps a key where the endpoint's `key_ref` says, for this session in any case.

        Raises ThinkpaneError (kind "key") where it is none or the keyring does not take it; it is then kept nowhere.
        """
        secret = Secret(value, endpoint.origin)
        if endpoint.key_ref == KEYRING:
            self._ask(lambda ring: ring.set_password(SERVICE, secret.origin, secret.value))
        self._session[secret.origin] = secret.value

    def forget(self, endpoint: Endpoint) -> None:
        """Forgets the key of an endpoint's origin, wherever it is kept; one that is not there is no fault.

        Raises ThinkpaneError (kind "key") where the keyring does not answer.
        """
        self._session.pop(endpoint.origin, None)
        if endpoint.key_ref == KEYRING and has_keyring(self._patience):
            self._ask(lambda ring: _delete(ring, endpoint.origin))

    def _ask(self, work: "Callable[[KeyringBackend], _Answer]") -> _Answer:
        return _beside(lambda: work(_keyring()), self._patience)


def has_keyring(patience: float = PATIENCE) -> bool:
    """Whether the system has a keyring that can be used. patience: seconds that finding out may take."""
    try:
        return _beside(_has_backend, patience)
    except ThinkpaneError:
        return False


def _has_backend() -> bool:
    from keyring.backends import fail, null

    return not isinstance(_keyring(), fail.Keyring | null.Keyring)


def _keyring() -> "KeyringBackend":
    import keyring

    return keyring.get_keyring()


def _delete(ring: "KeyringBackend", origin: str) -> None:
    from keyring.errors import PasswordDeleteError

    try:
        ring.delete_password(SERVICE, origin)
    except PasswordDeleteError:
        return


def _beside(work: Callable[[], _Answer], patience: float) -> _Answer:
    """What `work` gives, done on a thread of its own. Raises ThinkpaneError where it fails or takes too long.

    The words of the fault are left out: a backend may put what it was given into them.
    """
    answers: list[_Answer] = []

    def attempt() -> None:
        try:
            answers.append(work())
        except Exception as fault:  # noqa: BLE001 — backends raise whatever their system's libraries do
            faults.append(type(fault).__name__)

    faults: list[str] = []
    thread = threading.Thread(target=attempt, name="thinkpane-keyring", daemon=True)
    thread.start()
    thread.join(patience)
    if answers:
        return answers[0]
    sentence = f"The keyring did not answer within {patience:g} seconds"
    if faults:
        sentence = f"There is no keyring that can be used ({faults[0]})"
    otherwise = "keep the key for this session, or name an environment variable"
    raise ThinkpaneError(Problem("key", f"{sentence}; {otherwise}."))
