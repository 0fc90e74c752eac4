"""The genesis: what everybody at a table agreed on before the first entry. Its bytes are the root of the log."""

from __future__ import annotations

from dataclasses import dataclass

from protocol.crypto.hashing import H32
from protocol.errors import IllegalMove, WireError
from protocol.rules.ruleset import RuleSet, canonical, check_players, from_canonical
from protocol.wire.codec import decode, encode
from protocol.wire.entry import VERSION
from protocol.wire.limits import MAX_GENESIS, MAX_NAME, MAX_SEATS
from protocol.wire.text import is_plain

from .view import Player

MAGIC = "duizenden"


@dataclass(frozen=True, slots=True, kw_only=True)
class Genesis:
    """A table before its first entry (spec/30-wire.md 3).

    `table` is 16 bytes; seats are the positions in `players`. `max_rounds` ends the game after so many rounds
    (0: play to the target). `seeded` marks a test game whose secrets derive from a known seed. `created`, in seconds
    since 1970, only informs people.
    """

    table: bytes
    rules: RuleSet
    rules_name: str
    players: tuple[Player, ...]
    max_rounds: int = 0
    seeded: bool = False
    created: int = 0

    @property
    def rules_hash(self) -> bytes:
        """Hash of the rule card (32 bytes)."""
        return rules_hash(self.rules)

    def encode(self) -> bytes:
        """The canonical bytes, which `decode_genesis` takes back."""
        players = [[p.name, int(p.bot), p.key] for p in self.players]
        flags = [self.max_rounds, int(self.seeded), self.created]
        return encode([MAGIC, VERSION, self.table, self.rules_name, canonical(self.rules), players, flags])


def rules_hash(rules: RuleSet) -> bytes:
    """Hash of a rule card: H32("dz1/rules", canonical text)."""
    return H32("dz1/rules", canonical(rules))


def decode_genesis(data: bytes) -> Genesis:
    """The table of these bytes. Raises WireError (`genesis/..`, `wire/..`) for all that `encode` does not write."""
    value = decode(data, MAX_GENESIS)
    if not (type(value) is list and len(value) == 7 and value[0] == MAGIC):
        raise WireError("genesis/form", "not a genesis")
    _, version, table, rules_name, rule_text, players, flags = value
    if version != VERSION:
        raise WireError("genesis/version", f"version {version!r}")
    if not (type(table) is bytes and len(table) == 16 and type(rules_name) is str and type(rule_text) is bytes):
        raise WireError("genesis/form", "field types")
    try:
        rules = from_canonical(rule_text)
    except ValueError as error:
        raise WireError("genesis/rules", str(error)) from None
    max_rounds, seeded, created = _flags(flags)
    if not (1 <= len(rules_name.encode()) <= MAX_NAME and is_plain(rules_name)):
        raise WireError("genesis/name", "of the rule card")
    genesis = Genesis(
        table=table,
        rules=rules,
        rules_name=rules_name,
        players=_players(players),
        max_rounds=max_rounds,
        seeded=bool(seeded),
        created=created,
    )
    check_genesis(genesis)
    return genesis


def check_genesis(genesis: Genesis) -> None:
    """Raises WireError when these players cannot sit at a table under these rules."""
    n = len(genesis.players)
    if not 2 <= n <= MAX_SEATS:
        raise WireError("genesis/players", f"{n} players")
    if len({p.key for p in genesis.players}) != n:
        raise WireError("genesis/keys", "two seats with one key")
    try:
        check_players(genesis.rules, n)
    except IllegalMove as error:
        raise WireError("genesis/players", str(error)) from None


def _players(value: object) -> tuple[Player, ...]:
    if type(value) is not list or len(value) > MAX_SEATS:
        raise WireError("genesis/players")
    players = []
    for item in value:
        if not (type(item) is list and len(item) == 3):
            raise WireError("genesis/players", "form")
        name, bot, key = item
        if not (type(name) is str and 1 <= len(name.encode()) <= MAX_NAME and is_plain(name)):
            raise WireError("genesis/name")
        if not (type(bot) is int and bot in {0, 1} and type(key) is bytes and len(key) == 32):
            raise WireError("genesis/players", "field types")
        players.append(Player(name=name, bot=bool(bot), key=key))
    return tuple(players)


def _flags(value: object) -> list[int]:
    if not (type(value) is list and len(value) == 3 and all(type(v) is int for v in value) and value[1] in {0, 1}):
        raise WireError("genesis/form", "flags")
    return value
