"""The lines of words: header, what happened last, whose turn it is, what the selection can do, and the key line."""

from __future__ import annotations

from client_cli import beside, talk
from client_cli.departures import OVER, is_out, is_signing, is_voided, staying, void_round
from client_cli.glyphs import width as cells_of
from client_cli.intents import Choose, Intent, Key, Page
from client_cli.keys import ALWAYS, Bind, key_name
from client_cli.theme import style
from client_cli.turn import may_arrange, play_words, pot_refusal
from protocol.rules.scoring import seat_points
from protocol.rules.state import Phase
from protocol.session.view import Stage

from .canvas import Canvas, Piece, rich_width, wrap
from .offers import offer_lines
from .scene import Scene
from .talk import prompt_lines

# ------------------------------------------------------------------ header


def _marks(scene: Scene) -> list[Piece]:
    """What stands before the connection: that there is a pause, and how much was said that we have not looked at."""
    marks: list[Piece] = []
    if talk.paused(scene.state):
        marks.append((style("header.alarm"), f" {scene.say('header.paused')} "))
    if scene.state.unread:
        marks.append((style("header.name"), f" {scene.count('messages', scene.state.unread)} "))
    return marks


def draw_header(canvas: Canvas, scene: Scene, end: list[Piece] | None = None) -> None:
    """One line: the game, the rules, the round, and how we are connected or another `end`."""
    state, glyphs = scene.state, scene.glyphs
    view = state.view
    canvas.fill(0, 0, canvas.width, 1, style("header"))
    dot = f" {glyphs.sign('dot')} "
    sign = glyphs.sign("on" if state.link.state == "up" else "off")
    if end is None:
        end = [*_marks(scene), (style("link." + state.link.state), f" {sign} {scene.say('link.' + state.link.state)} ")]
    seeded = f" {scene.say('header.seeded')} " if view.seeded else ""
    words = [view.rules_name]
    scored = view.stage is Stage.BETWEEN and view.results and not is_voided(view)
    number = view.results[-1].round_number if scored else void_round(view)
    if number:
        # a void round counts for the log, not for the game: the number of the last one is then not known
        limited = "header.round_of" if view.max_rounds and (view.broken_off or not view.departed) else "header.round"
        words.append(scene.say(limited, number=number, rounds=view.max_rounds))
    words.append(scene.say("header.target", target=view.rules.target_score))
    room = canvas.width - 4 - rich_width(end) - cells_of(scene.say("app.name") + seeded)
    while len(words) > 1 and cells_of(dot + dot.join(words)) > room:
        words.pop()
    x = canvas.put(1, 0, scene.say("app.name"), style("header.name"))
    x = canvas.put(x, 0, dot + dot.join(words), style("header"))
    if seeded:
        canvas.put(x + 2, 0, seeded, style("header.alarm"))
    canvas.right(canvas.width, 0, end)


# ------------------------------------------------------------------ what happened last


def last_event(scene: Scene, width: int) -> list[Piece]:
    """The last things one player did, on one line; older ones are dropped until it fits."""
    log = [entry for entry in scene.state.log[-_RECENT:] if not entry.is_talk]
    kept: list[list[Piece]] = []
    for entry in reversed(log):
        if kept and (entry.seat != log[-1].seat or entry.round_number != log[-1].round_number):
            break
        pieces = scene.entry(entry, style("event"))
        if kept and sum(rich_width(other) + 1 for other in kept) + rich_width(pieces) > width:
            break
        kept.insert(0, pieces)
    line: list[Piece] = []
    for pieces in kept:
        line.extend(([("", " ")] if line else []) + pieces)
    return line


_RECENT = 100
"""Entries among which the last things one player did are looked for."""


# ------------------------------------------------------------------ whose turn, in words


def turn_words(scene: Scene) -> list[Piece]:
    """One sentence: whose turn it is and what may be done, or what the table waits for."""
    state = scene.state
    mine = state.my_turn or state.may_go_on
    base = style("turn.mine" if mine else "turn")
    if state.link.state == "stopped":
        return [(style("alarm"), scene.say("turn.stopped"))]
    if state.link.state != "up":
        gone = beside.leavers(state) if len(state.view.present) == 2 else ()
        code = "turn.offline.gone" if gone else "turn.offline"
        return [(style("alarm"), scene.say(code, broker=state.link.broker, names=scene.names(gone)))]
    if is_out(state.view) and state.view.stage not in OVER:
        return [(style("alarm"), scene.say("turn.out")), ("", " "), *_staged(scene, base)]
    if state.said_goodbye and state.view.stage not in OVER:
        code = "turn.goodbye.two" if len(state.view.present) == 2 else "turn.goodbye"
        return [(style("alarm"), scene.say(code, then=_then(scene, ())))]
    if talk.paused(state):
        assert state.standing.paused_by is not None
        code = "turn.paused" if state.me is not None else "turn.paused.watch"
        return [(style("gold"), scene.say(code, name=scene.name(state.standing.paused_by)))]
    held_up = awaited(scene)
    if held_up:
        return held_up
    if state.view.broken_off and state.view.stage in OVER:
        return [(base, scene.say("turn.broken_off"))]
    if leavers := beside.leavers(state):
        code = "turn.going.two" if state.my_turn and len(state.view.present) == 2 else "turn.going"
        going = scene.say(code, names=scene.names(leavers), then=_then(scene, leavers))
        return [(style("alarm"), going), ("", " "), *_staged(scene, base)]
    return _staged(scene, base)


def _staged(scene: Scene, base: str) -> list[Piece]:
    """What this stage of the game waits for, when nobody holds it up."""
    state = scene.state
    if state.view.to_compare:
        return [(style("turn.mine"), scene.say("turn.compared" if state.all_same else "turn.compare"))]
    if is_signing(state.view):
        return [(base, signing_words(scene)), *_waiting(scene)]
    match state.view.stage:
        case Stage.PLAYING:
            return _playing(scene, base)
        case Stage.BETWEEN:
            return _between(scene, base)
        case Stage.SCORING:
            return [(base, scene.say("turn.over")), *_waiting(scene)]
        case Stage.FINISHED | Stage.FAULTED as stage:
            return [(base, scene.say("turn." + stage.value))]
        case stage:
            return [(base, scene.say("turn." + stage.value)), *_waiting(scene)]


def signing_words(scene: Scene) -> str:
    """That the round is void, and what follows."""
    rest = staying(scene.state.view)
    return scene.say("turn.void.on" if rest else "turn.void", names=scene.names(rest))


def awaited(scene: Scene) -> list[Piece]:
    """Who holds up the table and cannot be heard, who waits no longer, and what can be done; empty if all is well."""
    state, alarm = scene.state, style("alarm")
    if lost := beside.lost(state):
        return [(alarm, scene.say("turn.gone.lost", names=scene.names(lost)))]
    gone = tuple(seat for seat in state.left if seat in state.view.waiting_for and seat != state.me)
    if gone:
        then, end = _then(scene, gone), _end(scene, gone)
        return [(alarm, scene.say("turn.gone", names=scene.names(gone), then=then, end=end))]
    away, said = beside.claimable(state), beside.claims(state)
    own = (
        tuple(seat for seat in said.get(state.me, ()) if seat in state.view.waiting_for) if state.me is not None else ()
    )
    if away:
        who = tuple(seat for seat, named in state.claims if seat != state.me and set(named) & set(away))
        code = "turn.given_up" if who else "turn.away." + ("one" if len(away) == 1 else "many")
        facts = {"who": scene.names(who), "then": _then(scene, away), "end": _end(scene, away)}
        return [(alarm, scene.say(code, names=scene.names(away), **facts))]
    if own:
        rest = scene.names(beside.still_waiting(state, own))
        return [(alarm, scene.say("turn.claimed", names=scene.names(own), rest=rest))]
    accusers = tuple(seat for seat, named in state.claims if state.me in named)
    if accusers and state.me in state.view.waiting_for:
        assert state.me is not None
        return [(alarm, scene.say("turn.claimed_me", who=scene.names(accusers), then=_then(scene, (state.me,))))]
    absent = beside.absent(state)
    if absent:
        code = "turn.away.watch" if state.me is None else "turn.away.few"
        return [(alarm, scene.say(code, names=scene.names(absent)))]
    return []


def _then(scene: Scene, gone: tuple[int, ...]) -> str:
    """What follows when these seats and those that said goodbye are done without, as the end of a sentence."""
    rest = staying(scene.state.view, {*gone, *scene.state.left})
    return scene.say("then.on" if rest else "then.ends", rest=scene.names(rest))


def _end(scene: Scene, gone: tuple[int, ...]) -> str:
    """What becomes of the points then, as a sentence."""
    view = scene.state.view
    if staying(view, {*gone, *scene.state.left}):
        return scene.say("turn.away.on")
    return scene.say("turn.away.leader" if view.results else "turn.away.nobody")


def _waiting(scene: Scene) -> list[Piece]:
    others = tuple(seat for seat in scene.state.view.waiting_for if seat != scene.state.me)
    if not others:
        return []
    return [(style("dim"), " " + scene.say("turn.waiting", names=scene.names(others)))]


def _playing(scene: Scene, base: str) -> list[Piece]:
    state = scene.state
    view, table = state.view, state.view.round
    if table is None:
        return []
    if state.sent_at is not None:
        return [(base, scene.say("turn.sent")), *_waiting(scene)]
    if state.my_turn:
        return _mine(scene, base)
    name = scene.name(table.mover)
    if table.mover not in view.waiting_for and view.waiting_for:
        code = "turn.helping_you" if table.mover == state.me else "turn.helping"
        return scene.tell(code, (), base, name=name, names=scene.names(view.waiting_for))
    code = {Phase.DRAW: "turn.other_draws", Phase.PLAY: "turn.other_plays"}.get(table.phase, "turn.other")
    return [(base, scene.say(code, name=name))]


def _mine(scene: Scene, base: str) -> list[Piece]:
    state = scene.state
    table = state.view.round
    assert table is not None
    if table.phase is Phase.EXCHANGE:
        return scene.tell("turn.exchange", (), base)
    if table.phase is Phase.PLAY or state.draft.take_pot:
        return scene.tell(
            play_words(state.view, state.draft) if may_arrange(state.view, state.draft) else "turn.opening", (), base
        )
    refusal = pot_refusal(state.view)
    if refusal is None:
        return scene.tell("turn.draw", (), base)
    if refusal == "pot_top_must_meld" and table.pot:
        return scene.tell("turn.draw_pot_meld", (("top", scene.glyphs.card(state.faces[table.pot[-1]])),), base)
    told = state.note is not None and state.note.code == refusal
    closed = [] if told else [(style("dim"), f" p: {scene.say(refusal)}")]
    return [*scene.tell("turn.draw_no_pot", (), base), *closed]


def _between(scene: Scene, base: str) -> list[Piece]:
    state = scene.state
    names = scene.names(tuple(seat for seat in state.view.waiting_for if seat != state.me))
    void = ".void" if is_voided(state.view) else ""
    if state.me is None or is_out(state.view):
        return [(base, scene.say(f"turn.between_watch{void}", names=names))]
    if not state.may_go_on:
        return [(base, scene.say("turn.between_ready", names=names))]
    return [(base, scene.say(f"turn.between{void}")), *(_waiting(scene) if void else [])]


def message(scene: Scene, width: int) -> list[list[Piece]]:
    """Question, note or turn, and what the selection can do: as many lines as that takes."""
    state = scene.state
    if state.typing is not None:
        return prompt_lines(scene, width)
    if state.ask is not None:
        how = [("", " "), (style("ask.how"), f"({scene.say(state.ask.how)})")]
        return wrap([*scene.note(state.ask.note, style("ask")), *how], width)
    lines: list[list[Piece]] = wrap(turn_words(scene), width) if state.page in {Page.TABLE, Page.RESULT} else [[]]
    if state.note is not None:
        sign, kind = ("cross", "bad") if state.note.bad else ("right", "note")
        lead = [(style(kind), scene.glyphs.sign(sign) + " ")]
        note = wrap([*lead, *scene.note(state.note, style(kind))], width)
        lines = [*lines, *note] if state.note.bad and state.page is Page.TABLE else note
    if state.page is Page.TABLE and (state.note is None or not state.note.bad):
        lines = [*lines, *offer_lines(scene, width)]
    return lines


def draw_message(canvas: Canvas, scene: Scene, y: int, lines: list[list[Piece]]) -> None:
    """Lines of words from line `y` on; a question on a ground of its own. A click on an offer takes it."""
    for place, line in enumerate(lines):
        if scene.state.ask is not None:
            canvas.fill(0, y + place, canvas.width, 1, style("ask"))
        x = 1
        offer: Intent | None = None
        for kind, text in line:
            if kind == style("offer.number"):
                number = text.strip()
                offer = Key.ACCEPT if not number.isdigit() else Choose(int(number)) if int(number) else Key.MORE
            after = canvas.put(x, y + place, text, kind, limit=canvas.width)
            if offer is not None:
                canvas.mark(x, y + place, after - x, 1, offer)
            x = after


# ------------------------------------------------------------------ above the hand, and the keys


def draw_hand_line(canvas: Canvas, scene: Scene, y: int, hidden: str) -> None:
    """The line above our hand: who we are, how many cards, points, order; at its end what of the hand is hidden."""
    state, glyphs = scene.state, scene.glyphs
    canvas.fill(0, y, canvas.width, 1, style("rule"), glyphs.sign("h"))
    if state.me is None:
        canvas.put(2, y, f" {scene.say('seat.watching')} ", style("strong"))
        return
    out = is_out(state.view)
    words = [scene.count("cards", len(state.order))] if state.table is not None and not out else []
    if state.table is not None and all(slot in state.faces for slot in state.table.hands[state.me]):
        now = seat_points(state.table, state.me, state.faces)
        if now.table or now.penalty:
            words.append(scene.say("hand.now", table=now.table, hand=now.hand, now=glyphs.number(now.total)))
        elif state.order:
            words.append(scene.say("hand.value", points=now.hand))
    total = state.view.totals[state.me] if state.view.totals else 0
    words.append(scene.say("seat.total", points=glyphs.number(total)))
    if state.selected:
        words.append(scene.say("hand.selected", count=len(state.selected)))
    if not out:
        words.append(scene.say("sort." + state.sort.value))
    name = scene.name(state.me)
    if state.link.state != "replay":  # there nobody sits at the table
        how = "seat.left" if out else "seat.away" if state.me in state.standing.away else ""
        away = f", {scene.say(how)}" if how else ""
        name += f" ({scene.say('seat.you')}{away})"
    turn = [(style("seat.turn"), f" {glyphs.sign('turn')}")] if state.view.my_turn else []
    pieces: list[Piece] = [*turn, (style("strong"), f" {name} ")]
    for word in words:
        more = [(style("rule"), glyphs.sign("dot")), (style("seat.facts"), f" {word} ")]
        if rich_width(pieces) + rich_width(more) <= canvas.width - 3 - (len(hidden) + 3 if hidden else 0):
            pieces.extend(more)
    canvas.write(2, y, pieces, limit=canvas.width - 1)
    if hidden:
        canvas.right(canvas.width - 1, y, [(style("gold"), f" {hidden} ")])


def draw_keys(canvas: Canvas, scene: Scene, y: int, binds: tuple[tuple[Bind, str], ...]) -> None:
    """The key line: of these keys the first that fit, help and leaving in any case.

    A click on one presses it; its left half the first of several.
    """
    canvas.fill(0, y, canvas.width, 1, style("key.label"))
    x = 1
    for bind, pieces in _that_fit(scene, binds, canvas.width):
        after = canvas.write(x, y, pieces)
        half = (after - x - 1) // len(bind.intents)
        for place, intent in enumerate(bind.intents):
            canvas.mark(x + place * half, y, after - x - 1 - place * half, 1, intent)
        x = after


def _that_fit(scene: Scene, binds: tuple[tuple[Bind, str], ...], width: int) -> list[tuple[Bind, list[Piece]]]:
    """These binds as they are written; of those that may be missing as many of the first as leave room for the rest."""
    written: list[tuple[Bind, list[Piece]]] = []
    for bind, label in binds:
        name = key_word(scene, bind.shown or bind.keys[0])
        written.append((bind, [(style("key"), name), (style("key.label"), f" {scene.say(label)}  ")]))
    while sum(rich_width(pieces) for _, pieces in written) > width:
        spare = [place for place, (bind, _) in enumerate(written) if bind not in ALWAYS]
        if not spare:
            break
        del written[spare[-1]]
    return written


def key_word(scene: Scene, key: str) -> str:
    """A key as it is written in this language; arrows as words where signs cannot be shown."""
    name = key_name(key)
    if name.startswith("keyname."):
        return scene.say(name)
    return _ARROWS.get(name, name) if scene.glyphs.ascii else name


_ARROWS = {"←": "<-", "→": "->", "←→": "<-/->", "↑": "up", "↓": "down", "↑↓": "up/down"}
"""How arrows are written where only letters can be shown."""
