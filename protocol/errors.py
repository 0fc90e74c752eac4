"""The error tree of the protocol, by who is at fault.

Every error has a stable code; texts are for developers, sentences for people live in the client.
Codes are `layer/name`; the codes of the rules layer end in the reason codes of the rules.
"""


class DuizendenError(Exception):
    """Base of all errors of this package; `code` is stable, `detail` is for developers."""

    def __init__(self, code: str, detail: str = "") -> None:
        super().__init__(f"{code}: {detail}" if detail else code)
        self.code = code
        self.detail = detail


class IllegalMove(DuizendenError):
    """A move that the agreed rules refuse; `code` is one of the reason codes of the rules (without a layer)."""


class NotNow(DuizendenError):
    """A local request that the session cannot take at this step; nothing has changed."""


class WireError(DuizendenError):
    """Bytes that are not a canonical, well-framed, correctly sized value; nobody is named, the bytes are dropped."""


class CryptoError(DuizendenError):
    """A value that fails a cryptographic check; `code` is the first failing check (`proof/V0`, `dleq/dleq`, ...)."""


class PeerFault(DuizendenError):
    """A validly signed entry with bad content: it names `seat` and `step` and ends the session.

    `code` is stable (`proof/V0`, `rules/queen_discard`, `audit/seed`, ...); the evidence is the log up to
    and including the named entry, which anybody can check again.
    """

    def __init__(self, code: str, seat: int, step: int, detail: str = "") -> None:
        super().__init__(code, detail)
        self.seat = seat
        self.step = step


class InternalError(DuizendenError):
    """Our bug: please report it."""
