"""An authority of our own, made for one test, and server certificates that it signed: good and bad ones."""

import datetime
import ipaddress
import ssl
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

DAY = datetime.timedelta(days=1)


@dataclass(frozen=True)
class Authority:
    """ca_file: what is to be trusted. `context` makes a server's side."""

    folder: Path
    certificate: Any
    key: Any

    @property
    def ca_file(self) -> Path:
        """The authority's certificate as PEM."""
        return self.folder / "authority.pem"

    def context(self, *, host: str = "127.0.0.1", age: int = 0, protocols: tuple[str, ...] = ()) -> ssl.SSLContext:
        """A server's TLS. host: whose certificate it shows. age: days by which it is too old. protocols: for ALPN."""
        from cryptography import x509
        from cryptography.hazmat.primitives.asymmetric import ec

        key = ec.generate_private_key(ec.SECP256R1())
        now = datetime.datetime.now(datetime.UTC) - DAY * age
        try:
            name: Any = x509.IPAddress(ipaddress.ip_address(host))
        except ValueError:
            name = x509.DNSName(host)
        made = (
            _builder(host, self.certificate.subject, key, now)
            .add_extension(x509.SubjectAlternativeName([name]), critical=False)
            .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(self.key.public_key()), critical=False)
        )
        file = self.folder / f"{host}-{age}.pem"
        _write(file, _signed(made, self.key), key)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(file)
        if protocols:
            context.set_alpn_protocols(list(protocols))
        return context


def authority(folder: Path) -> Authority:
    """A new authority with its files in `folder`; skips the test where nothing can make certificates."""
    x509 = pytest.importorskip("cryptography.x509")
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "Test authority")])
    built = (
        _builder("Test authority", name, key, datetime.datetime.now(datetime.UTC))
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    )
    found = Authority(folder, _signed(built, key), key)
    _write(found.ca_file, found.certificate)
    return found


def _builder(subject: str, issuer: Any, key: Any, now: datetime.datetime) -> Any:
    from cryptography import x509

    return (
        x509.CertificateBuilder()
        .subject_name(x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, subject)]))
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - DAY)
        .not_valid_after(now + DAY)
    )


def _signed(built: Any, key: Any) -> Any:
    from cryptography.hazmat.primitives import hashes

    return built.sign(key, hashes.SHA256())


def _write(file: Path, certificate: Any, key: Any = None) -> None:
    from cryptography.hazmat.primitives import serialization

    pem, form = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8
    secret = key.private_bytes(pem, form, serialization.NoEncryption()) if key is not None else b""
    file.write_bytes(certificate.public_bytes(pem) + secret)
