"""Whose word is taken for a server's certificate."""

import ssl
from pathlib import Path

import certifi

from thinkpane.errors import Problem, ThinkpaneError


def trusted(ca_file: str = "") -> ssl.SSLContext:
    """The usual authorities, this machine's own, those that SSL_CERT_FILE and SSL_CERT_DIR name, and those in ca_file.

    Raises ThinkpaneError (kind "tls", class "ca_file") where that file cannot be read or holds no certificate.
    """
    found = ssl.create_default_context(cafile=certifi.where())
    # A file that is named there and is missing is told by the connection that then fails.
    found.load_default_certs()
    if ca_file:
        _add(found, ca_file)
    return found


def check_authorities(ca_file: str) -> None:
    """Raises ThinkpaneError as `trusted` does; quicker, since nothing else is read."""
    _add(ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT), ca_file)


def _add(context: ssl.SSLContext, ca_file: str) -> None:
    path = Path(ca_file).expanduser()
    try:
        context.load_verify_locations(cafile=path)
    except ssl.SSLError:
        raise _refused(f"The file {path} holds no certificate in PEM form.") from None
    except OSError as fault:
        raise _refused(f"The file of authorities {path} cannot be read: {fault.strerror or fault}.") from None


def version_of(ca_file: str) -> float:
    """When that file was changed last, 0 where there is none: a new one must not be answered with the old."""
    try:
        return Path(ca_file).expanduser().stat().st_mtime if ca_file else 0.0
    except OSError:
        return 0.0


def _refused(sentence: str) -> ThinkpaneError:
    return ThinkpaneError(Problem("tls", sentence, detail={"class": "ca_file"}))
