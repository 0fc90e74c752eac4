"""Write spec/vectors/wire.json: a key with its topics, and one example of everything on the wire; `--check` compares.

Usage: python tests/vectors/wire.py [--check]

Everything derives from names and numbers: whoever can read knows all keys.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import sys
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from node import messages as m  # noqa: E402 - run as a script from anywhere
from node.chunks import CHUNK, split  # noqa: E402
from node.topics import CHANNELS, lobby_topic, node_topic  # noqa: E402
from protocol.crypto.hashing import H32, H  # noqa: E402
from protocol.crypto.identity import SigningKey  # noqa: E402
from protocol.errors import IllegalMove  # noqa: E402
from protocol.rules import engine  # noqa: E402
from protocol.rules.actions import Action, Play  # noqa: E402
from protocol.rules.ruleset import canonical, preset  # noqa: E402
from protocol.rules.state import Phase  # noqa: E402
from protocol.session.genesis import Genesis  # noqa: E402
from protocol.session.outputs import Publish  # noqa: E402
from protocol.session.session import Claim, Leave  # noqa: E402
from protocol.session.setup import seat_body  # noqa: E402
from protocol.session.view import Player, TableView  # noqa: E402
from protocol.wire.codec import decode, encode  # noqa: E402
from protocol.wire.entry import Entry, Kind, genesis_head, next_head, parse_entry, sign_entry  # noqa: E402
from tests.vectors.player import steady  # noqa: E402
from tests.vectors.tables import SHORT, VectorTable, table  # noqa: E402

FILE = ROOT / "spec" / "vectors" / "wire.json"
SEEDS = {
    "host": H32("test/wire", b"host"),
    "joiner": H32("test/wire", b"joiner"),
    "watcher": H32("test/wire", b"watcher"),
}
KEYS = {who: SigningKey(seed) for who, seed in SEEDS.items()}
HOST, JOINER = KEYS["host"], KEYS["joiner"]
NONCE, ATTEMPT = bytes(range(16)), bytes(range(16, 32))
TABLE = m.table_id(HOST.public, NONCE)
RULES = preset("klassiek")
GENESIS = Genesis(
    table=TABLE,
    rules=RULES,
    rules_name="klassiek",
    players=(Player(name="Truus", bot=False, key=HOST.public), Player(name="Joep", bot=False, key=JOINER.public)),
    max_rounds=1,
    created=1_767_225_600,
)
PARTS = bytes(i % 251 for i in range(CHUNK + 16))
"""A message in two parts."""
SPOKEN_NAMES = {"app": "program", "rules": "rule card", "rules_name": "name of the rule card", "max_rounds": "rounds"}
"""What fields are called in spec/50-transport.md, where the code has another name for them."""


def plain(value: Any) -> Any:
    """A wire value as JSON; bytes as {"bin": hexadecimal digits}."""
    if isinstance(value, bytes):
        return {"bin": value.hex()}
    return [plain(v) for v in value] if isinstance(value, list | tuple) else value


# ------------------------------------------------------------------------------------------ names, node messages


def names() -> dict[str, Any]:
    """Keys to ids to topics."""
    nodes = {
        who: {
            "seed": SEEDS[who].hex(),
            "key": key.public.hex(),
            "sha256": hashlib.sha256(key.public).hexdigest(),
            "node": m.node_name(key.public),
        }
        for who, key in KEYS.items()
    }
    topics = {"lobby": lobby_topic(TABLE)} | {c: node_topic(TABLE, c, JOINER.public) for c in sorted(CHANNELS)}
    made = {"nonce": NONCE.hex(), "id": TABLE.hex(), "table": m.table_name(TABLE)}
    return {"nodes": nodes, "table": made, "topics of the joiner": topics}


@cache
def seated() -> tuple[Entry, ...]:
    """The first step of the table of the node messages."""
    head = genesis_head(GENESIS.encode())
    return tuple(
        sign_entry(key, TABLE, 0, seat, head, Kind.SEAT, seat_body(key.public, player.name, GENESIS.rules_hash))
        for seat, (key, player) in enumerate(zip((HOST, JOINER), GENESIS.players, strict=True))
    )


def spoken() -> list[tuple[str, SigningKey, str, m.Message]]:
    """(about, who signs, topic, message): one of each kind, in the order in which a table hears them."""
    to_host, to_joiner = (node_topic(TABLE, "d", key.public) for key in (HOST, JOINER))
    head = next_head(genesis_head(GENESIS.encode()), [entry.raw for entry in seated()])
    created = GENESIS.created
    offer = m.Announce(
        nonce=NONCE,
        revision=1,
        app="duizenden 1",
        title="Truus",
        rules_name="klassiek",
        rules=canonical(RULES),
        seats=2,
        max_rounds=1,
        seeded=False,
        chairs=(m.Chair("Truus", False, HOST.public),),
        issued=created,
        expires=created + 600,
        open=True,
    )

    def own(who: str, channel: str) -> tuple[SigningKey, str]:
        return KEYS[who], node_topic(TABLE, channel, KEYS[who].public)

    asks = m.SyncRequest(epoch=1, count=2, step=0, have=0b10)
    return [
        ("announce: the host alone at its table", HOST, lobby_topic(TABLE), offer),
        ("join", *own("joiner", "j"), m.Join(name="Joep", bot=False, app="other 0.1", nonce=ATTEMPT)),
        ("quit", *own("joiner", "j"), m.Quit(nonce=ATTEMPT)),
        ("seated", HOST, to_joiner, m.Seated(to=JOINER.public, nonce=ATTEMPT, seat=1, name="Joep")),
        ("refused", HOST, to_joiner, m.Refused(to=JOINER.public, nonce=ATTEMPT, code="full", detail="")),
        ("watch", *own("watcher", "j"), m.Watch(nonce=ATTEMPT)),
        ("start", *own("host", "g"), m.Start(genesis=GENESIS.encode())),
        (
            "heartbeat: SEAT is done",
            *own("host", "p"),
            m.Heartbeat(epoch=1, count=1, step=1, head=head, have=0, leaving=False),
        ),
        ("sync request: has its own SEAT only", *own("joiner", "q"), asks),
        (
            "sync answer: the SEAT of the host",
            HOST,
            to_joiner,
            m.SyncAnswer(step=1, have=0, entries=(seated()[0].frame,)),
        ),
        ("sync answer without entries", JOINER, to_host, m.SyncAnswer(step=1, have=0b10, entries=())),
        ("chat: a text", *own("joiner", "c"), m.Chat(epoch=1, count=3, said="Mooi gespeeld!")),
        ("chat: a phrase", *own("joiner", "c"), m.Chat(epoch=1, count=4, said=5)),
        ("away", *own("joiner", "c"), m.Away(epoch=1, count=5, away=True)),
        ("pause", *own("host", "c"), m.Pause(number=1, on=True)),
    ]


def message(about: str, key: SigningKey, topic: str, said: m.Message) -> dict[str, Any]:
    """A node message with everything between its fields and the MQTT payload."""
    sent = m.sign(key, TABLE, said)
    body, signature = decode(sent, m.MAX_SIGNED)
    version, kind, its_table, signer, *values = decode(body, m.MAX_SIGNED)
    fields = [SPOKEN_NAMES.get(f.name, f.name) for f in dataclasses.fields(said)]
    first = {"version": version, "kind": kind, "table": plain(its_table), "key": plain(signer)}
    (frame,) = split(sent)
    return {
        "about": about,
        "topic": topic,
        "fields": first | {name: plain(value) for name, value in zip(fields, values, strict=True)},
        "body": body.hex(),
        "signed": H("dz1/node", body).hex(),
        "signature": signature.hex(),
        "payload": frame.hex(),
    }


def in_parts() -> dict[str, Any]:
    """A message of two link frames."""
    first, last = split(PARTS)
    return {
        "about": f"byte i of the message is i mod 251; two link frames, the first followed by its first {CHUNK} bytes",
        "length": len(PARTS),
        "sha256": hashlib.sha256(PARTS).hexdigest(),
        "first header": first[:-CHUNK].hex(),
        "first sha256": hashlib.sha256(first).hexdigest(),
        "last": last.hex(),
    }


# ------------------------------------------------------------------------------------------ entries


def mild(view: TableView) -> Action:
    """Discards a card that is public where it may, so that nothing is opened; else as `steady`."""
    state, me = view.round, view.me
    assert state is not None
    assert me is not None
    if state.phase not in {Phase.EXCHANGE, Phase.DRAW}:
        for slot in (s for s in view.hand if s in state.faces):
            try:
                engine.play(state, me, Play(discard=slot), {**state.faces, **view.faces})
            except IllegalMove:
                continue
            return Play(discard=slot)
    return steady(view)


def whole(choose: Callable[[TableView], Action] = steady) -> VectorTable:
    """A round with an opening exchange, a reshuffle and an empty hand at its end."""
    made = table(2, "spelregelwijzer", changes=SHORT, choose=choose)
    made.run()
    return made


def left() -> VectorTable:
    """Seat 2 says goodbye and leaves."""
    made = table(3, changes=SHORT)
    made.run(until=lambda: all(s.position().step >= 18 for s in made.sessions))
    made.carry_out(2, made.sessions[2].act(Leave()))
    made.run()
    return made


def held() -> VectorTable:
    """One seat waits no longer for the mover, whose entry another one holds."""
    made = table(3, changes=SHORT)
    made.run(until=lambda: not made.under_way and any(s.view().my_turn for s in made.sessions))
    mover = next(seat for seat, s in enumerate(made.sessions) if s.view().my_turn)
    holder, claimant = (seat for seat in range(3) if seat != mover)
    said = made.sessions[mover].act(steady(made.sessions[mover].view()))
    frame = next(o.frame for o in said if isinstance(o, Publish))
    made.carry_out(holder, made.sessions[holder].receive(frame))
    made.carry_out(claimant, made.sessions[claimant].act(Claim((mover,))))
    made.run(until=lambda: not made.under_way)
    return made


GAMES: dict[str, Callable[[], VectorTable]] = {"whole": whole, "mild": partial(whole, mild), "left": left, "held": held}

WANTED: tuple[tuple[str, str, Callable[[Entry], object]], ...] = (
    ("SEAT", "whole", lambda e: e.kind is Kind.SEAT),
    ("COMMIT", "whole", lambda e: e.kind is Kind.COMMIT),
    ("OPEN", "whole", lambda e: e.kind is Kind.OPEN),
    ("READY", "whole", lambda e: e.kind is Kind.READY),
    ("DEAL", "whole", lambda e: e.kind is Kind.DEAL),
    ("EXCHANGE: takes the open card and returns another", "whole", lambda e: e.kind is Kind.EXCHANGE and e.body[0]),
    ("EXCHANGE: declines", "whole", lambda e: e.kind is Kind.EXCHANGE and not e.body[0]),
    ("DRAW", "whole", lambda e: e.kind is Kind.DRAW),
    ("SHARES", "whole", lambda e: e.kind is Kind.SHARES),
    ("PLAY: discards a hidden card", "whole", lambda e: e.kind is Kind.PLAY and e.body[1] and not e.body[0][1]),
    ("PLAY: discards a public card, nothing is opened", "mild", lambda e: e.kind is Kind.PLAY and not e.body[1]),
    ("PLAY: lays melds, with cards of two decks", "whole", lambda e: e.kind is Kind.PLAY and e.body[0][1]),
    ("SHUFFLE: the pot, in a reshuffle", "whole", lambda e: e.kind is Kind.SHUFFLE and e.step > 9),
    ("END", "whole", lambda e: e.kind is Kind.END),
    ("SHOW: hidden cards", "whole", lambda e: e.kind is Kind.SHOW and e.body[0]),
    ("SHOW: nothing is hidden", "whole", lambda e: e.kind is Kind.SHOW and not e.body[0]),
    ("AUDIT", "whole", lambda e: e.kind is Kind.AUDIT),
    ("VERDICT", "whole", lambda e: e.kind is Kind.VERDICT),
    ("GOODBYE", "left", lambda e: e.kind is Kind.GOODBYE),
    ("LEAVE", "left", lambda e: e.kind is Kind.LEAVE),
    ("VOID: after the LEAVE", "left", lambda e: e.kind is Kind.VOID),
    ("EXPIRED", "held", lambda e: e.kind is Kind.EXPIRED),
    ("HELD", "held", lambda e: e.kind is Kind.HELD),
)
"""(about, game, which entry): the first one that is published there and fits."""


def published(made: VectorTable) -> list[Entry]:
    """Everything that the seats of a table say, once each, by step and seat."""
    frames = dict.fromkeys(o.frame for said in made.outputs for o in said if isinstance(o, Publish))
    return sorted((parse_entry(f, made.genesis.table, made.public) for f in frames), key=lambda e: (e.step, e.seat))


def seeds(made: VectorTable) -> list[bytes]:
    """The signing seeds of a table's seats (as `keys_for` derives them)."""
    return [H32("test/key", str(made.seed).encode(), bytes([seat])) for seat in range(made.n)]


def example(about: str, game: str, entry: Entry) -> dict[str, Any]:
    """An entry: its body as JSON and as bytes, and everything between it and the MQTT payload."""
    raw, signature = decode(entry.frame, len(entry.frame))
    (payload,) = split(entry.frame)
    return {
        "about": about,
        "game": game,
        "step": entry.step,
        "seat": entry.seat,
        "head": entry.head.hex(),
        "kind": int(entry.kind),
        "body": plain(entry.body),
        "body bytes": encode(entry.body).hex(),
        "entry": raw.hex(),
        "signed": H("dz1/entry", raw).hex(),
        "signature": signature.hex(),
        "payload": payload.hex(),
    }


def text() -> str:
    """The file."""
    games = {name: make() for name, make in GAMES.items()}
    said = {name: published(made) for name, made in games.items()}
    value = {
        "names": names(),
        "messages": [message(*one) for one in spoken()],
        "in parts": in_parts(),
        "games": {
            name: {
                "table": made.genesis.table.hex(),
                "seeds": [seed.hex() for seed in seeds(made)],
                "genesis": made.genesis.encode().hex(),
            }
            for name, made in games.items()
        },
        "entries": [example(about, game, next(e for e in said[game] if fits(e))) for about, game, fits in WANTED],
    }
    parts = [f"{json.dumps(key)}: {_lines(part)}" for key, part in value.items()]
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _lines(part: Any) -> str:
    """A part with a line for each of its members, for the eye of a diff."""
    if isinstance(part, list):
        return "[\n" + ",\n".join(map(json.dumps, part)) + "\n]"
    return "{\n" + ",\n".join(f"{json.dumps(key)}: {json.dumps(one)}" for key, one in part.items()) + "\n}"


def main() -> int:
    """Write or check; exit code 1 when a check finds a difference."""
    made = text()
    if FILE.is_file() and FILE.read_text(encoding="utf-8") == made:
        return 0
    if "--check" in sys.argv:
        print("out of date, run `make vectors`:", FILE.name)
        return 1
    FILE.write_text(made, encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
