"""The certificate of our own broker: made at first use, for this machine alone, trusted by its fingerprint only.

Nobody vouches for a machine on a home network. So the certificate is self-signed, and whoever connects compares its
fingerprint with the one in the table code. It stays the same, so that a game can be resumed years later.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import ssl
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .profile import private_folder, write_private

if TYPE_CHECKING:
    from pathlib import Path

_BEGIN = dt.datetime(2020, 1, 1, tzinfo=dt.UTC)
_END = dt.datetime(2100, 1, 1, tzinfo=dt.UTC)
"""It neither begins nor ends within our time: clocks of home computers are wrong, and its date says nothing here."""


@dataclass(frozen=True, slots=True)
class Certificate:
    """Certificate and private key in one file (PEM), and the SHA-256 of the certificate in hexadecimal."""

    file: Path
    fingerprint: str


def own_certificate(folder: Path) -> Certificate:
    """This machine's certificate from the folder, made there if there is none. The file is for this user only.

    Raises OSError.
    """
    file = private_folder(folder) / "broker.pem"
    if not file.exists():
        write_private(file, _make())
    text = file.read_text(encoding="ascii")
    der = ssl.PEM_cert_to_DER_cert(text[text.index("-----BEGIN CERTIFICATE-----") :])
    return Certificate(file, hashlib.sha256(der).hexdigest())


def _make() -> bytes:
    from cryptography import x509  # only whoever makes a certificate pays for loading it
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "duizenden")])
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(_BEGIN)
        .not_valid_after(_END)
        .sign(key, hashes.SHA256())
    )
    secret = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    return secret + certificate.public_bytes(serialization.Encoding.PEM)
