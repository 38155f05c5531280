"""Where keys are found: the system's keyring, an environment variable, or this session's memory. Never a file."""

import os
from collections.abc import Callable, Mapping
from typing import TypeVar

from thinkpane.endpoints.profile import Endpoint
from thinkpane.endpoints.secret import Secret
from thinkpane.errors import Problem, ThinkpaneError

SERVICE = "thinkpane"
"""What the keyring files our keys under; the account is the origin."""

KEYRING, SESSION, ENVIRONMENT = "keyring", "session", "env:"
_Answer = TypeVar("_Answer")


class Keys:
    """Finds and keeps keys, each bound to its endpoint's origin."""

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        self._environment = environment
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
            value = self._session.get(origin) or _with_keyring(lambda ring: ring.get_password(SERVICE, origin))
            missing = f"The keyring has no key for {origin}; give it again."
        else:
            value, missing = None, f"“{ref}” is no place for a key: keyring, session or env:NAME."
        if not value:
            raise ThinkpaneError(Problem("key", missing))
        return Secret(value, origin)

    def keep(self, endpoint: Endpoint, value: str) -> None:
        """Keeps a key where the endpoint's `key_ref` says. Raises ThinkpaneError (kind "key")."""
        secret = Secret(value, endpoint.origin)
        if endpoint.key_ref == KEYRING:
            _with_keyring(lambda ring: ring.set_password(SERVICE, secret.origin, secret.value))
        self._session[secret.origin] = secret.value

    def forget(self, endpoint: Endpoint) -> None:
        """Forgets the key of an endpoint's origin, wherever it is kept; one that is not there is no fault."""
        self._session.pop(endpoint.origin, None)
        if endpoint.key_ref == KEYRING:
            from keyring.errors import KeyringError, PasswordDeleteError

            try:
                _with_keyring(lambda ring: ring.delete_password(SERVICE, endpoint.origin))
            except ThinkpaneError as error:
                if not isinstance(error.__cause__, PasswordDeleteError | KeyringError):
                    raise


def has_keyring() -> bool:
    """Whether the system has a keyring that can be used."""
    import keyring
    from keyring.backends import fail, null

    return not isinstance(keyring.get_keyring(), fail.Keyring | null.Keyring)


def _with_keyring(work: "Callable[..., _Answer]") -> _Answer:
    import keyring
    from keyring.errors import KeyringError

    try:
        return work(keyring.get_keyring())
    except KeyringError as fault:
        sentence = (
            "There is no keyring that can be used; keep the key for this session, or name an environment variable."
        )
        raise ThinkpaneError(Problem("key", sentence)) from fault
