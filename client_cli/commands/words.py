"""Sentences of the command line in Dutch and English, and what an error means for the person who sees it.

Every error becomes one sentence that says what to do; codes and details go to the log.
"""

from __future__ import annotations

import errno
from collections.abc import Mapping, Sequence

from protocol.errors import DuizendenError

LANGUAGES = ("nl", "en")

WORDS: dict[str, tuple[str, str]] = {
    # what the commands are for
    "app": (
        "Duizenden: het kaartspel met z'n tweeën tot zevenen, eerlijk geschud zonder dat iemand de baas is.",
        "Duizenden: the Dutch rummy game for two to seven, fairly shuffled with nobody in charge.",
    ),
    "help.host": ("open een tafel waar anderen aan kunnen schuiven", "open a table that others can join"),
    "help.join": ("schuif aan bij een tafel", "join a table"),
    "help.play": ("speel meteen tegen robots op deze computer", "play against bots on this computer at once"),
    "help.resume": ("ga verder met een onderbroken spel", "go on with an interrupted game"),
    "help.selfplay": (
        "laat robots een heel spel spelen en vergelijk alles",
        "let bots play a whole game and compare all",
    ),
    "help.verify": ("controleer een spelbestand van begin tot eind", "check a game file from beginning to end"),
    "help.replay": ("kijk een spel terug, zet voor zet", "look back on a game, move by move"),
    "help.games": ("toon de bewaarde spellen", "list the saved games"),
    "help.rules": ("toon een regelkaart", "show a rule card"),
    "opt.lang": ("taal: nl of en", "language: nl or en"),
    "opt.ascii": ("gebruik alleen gewone letters", "use plain letters only"),
    "opt.rules": ("regelkaart: {presets}", "rule card: {presets}"),
    "opt.set": ("wijzig een regel (mag vaker)", "change a rule (may be repeated)"),
    "opt.seats": ("aantal stoelen", "number of seats"),
    "opt.bots": ("aantal robots dat meteen aanschuift", "number of bots that join at once"),
    "opt.name": ("jouw naam aan tafel", "your name at the table"),
    "opt.broker": ("een andere MQTT-broker (mqtt:// of mqtts://)", "another MQTT broker (mqtt:// or mqtts://)"),
    "opt.port": ("poort van de eigen broker", "port of our own broker"),
    "opt.rounds": ("stop na zoveel rondes", "stop after so many rounds"),
    "opt.to_end": ("speel tot de doelscore", "play to the target score"),
    "opt.players": ("aantal spelers", "number of players"),
    "opt.seed": ("maak een herhaalbaar testspel (niet geheim)", "make a repeatable test game (not secret)"),
    "opt.out": ("map voor de spelbestanden", "folder for the game files"),
    "opt.json": ("als JSON", "as JSON"),
    "arg.where": (
        "tafel of host[:poort]; leeg: zoek op het thuisnetwerk",
        "table or host[:port]; empty: search the home network",
    ),
    "arg.game": ("naam of bestand; leeg: het laatste spel", "name or file; empty: the newest game"),
    "arg.file": ("spelbestand (*.duizenden)", "game file (*.duizenden)"),
    "arg.preset": ("naam van de regelkaart", "name of the rule card"),
    # the waiting room
    "room.title": ("Tafel van {title}, regelkaart {rules}", "Table of {title}, rule card {rules}"),
    "room.rounds": (", {rounds} rondes", ", {rounds} rounds"),
    "room.house": ("Huisregels: {rules}", "House rules: {rules}"),
    "room.address": ("Aanschuiven: duizenden join {address}", "To join: duizenden join {address}"),
    "room.here": ("Alleen deze computer kan aanschuiven.", "Only this computer can join."),
    "room.you": (" (jij)", " (you)"),
    "room.bot": (" (robot)", " (bot)"),
    "room.free": ("vrij", "free"),
    "room.offline": (
        "(geen verbinding met de broker; er wordt opnieuw geprobeerd)",
        "(not connected to the broker; trying again)",
    ),
    "room.help": (
        "Enter of start: beginnen   bot: robot erbij   weg 2: speler 2 wegsturen   stop: sluiten",
        "Enter or start: begin   bot: add a bot   remove 2: send player 2 away   stop: close",
    ),
    "room.wait": ("Wachten tot {title} begint. stop: weggaan", "Waiting for {title} to begin. stop: leave"),
    "room.unknown": ("Dat ken ik niet.", "I do not know that."),
    "room.alone": ("Er moet nog iemand bij (of typ: bot).", "Somebody has to join first (or type: bot)."),
    "room.full": ("Alle stoelen zijn bezet.", "Every seat is taken."),
    "room.nobody": ("Op die stoel zit niemand die weg kan.", "Nobody sits there who can be sent away."),
    "room.begins": ("Het spel begint.", "The game begins."),
    "play.wait": ("De robots schuiven aan ...", "The bots are sitting down ..."),
    "left": (
        "Het spel is bewaard. Verder spelen: duizenden resume {game}",
        "The game is saved. To go on: duizenden resume {game}",
    ),
    "resuming": ("Verder met {game}.", "Going on with {game}."),
    "searching": ("Zoeken naar tafels op het thuisnetwerk ...", "Looking for tables on the home network ..."),
    "found.one": (
        "{number}  tafel van {title}, {taken}/{seats} bezet, {rules}",
        "{number}  table of {title}, {taken}/{seats} taken, {rules}",
    ),
    "found.which": ("Welke tafel (nummer)? ", "Which table (number)? "),
    "lobby.none": ("Geen tafels gevonden op het thuisnetwerk.", "No tables found on the home network."),
    "lobby.choice": (
        "nummer: aanschuiven   host: tafel openen   play: tegen robots   Enter: opnieuw zoeken   stop",
        "number: join   host: open a table   play: against bots   Enter: search again   stop",
    ),
    # lists and verdicts
    "games.none": ("Er zijn geen bewaarde spellen.", "There are no saved games."),
    "games.busy": ("{game}  wordt nu gespeeld", "{game}  is being played now"),
    "games.row": ("{game}  {date}  {players}  {state}", "{game}  {date}  {players}  {state}"),
    "games.over": ("afgelopen: {scores}", "ended: {scores}"),
    "games.open": ("ronde {round}", "round {round}"),
    "games.new": ("net begonnen", "just begun"),
    "verify.ok": (
        "In orde: alles klopt, {rounds} rondes, het spel is uit.",
        "All right: everything holds, {rounds} rounds, the game is over.",
    ),
    "verify.prefix": (
        "In orde zover: alles klopt, {rounds} rondes af, het spel is niet uit.",
        "All right so far: everything holds, {rounds} rounds done, the game is not over.",
    ),
    "verify.seeded": (
        "Dit is een testspel met bekend begingetal: niet geheim.",
        "This is a test game from a known seed: not secret.",
    ),
    "verify.fault": ("Fout: {code} door stoel {seat} in stap {step}", "Fault: {code} by seat {seat} in step {step}"),
    "verify.checked": ("gecontroleerd", "checked"),
    "verify.signatures": ("handtekeningen", "signatures"),
    "verify.commitments": ("vastgelegde beloftes", "commitments"),
    "verify.shuffle_proofs": ("schudbewijzen", "shuffle proofs"),
    "verify.shares": ("kaartdelen", "card shares"),
    "verify.opened_cards": ("geopende kaarten", "opened cards"),
    "verify.moves": ("zetten volgens de regels", "moves against the rules"),
    "verify.audited_shuffles": ("nagerekende schudbeurten", "recomputed shuffles"),
    "verify.head": ("hoofd van het logboek", "head of the log"),
    "verify.scores": ("stand", "scores"),
    "rules.presets": ("Regelkaarten: {presets}", "Rule cards: {presets}"),
    "rules.house": ("huisregel", "house rule"),
    # errors
    "e.terminal": ("Hiervoor is een terminal nodig.", "This needs a terminal."),
    "e.rules": ("De regelkaart klopt niet: {detail}", "The rule card is not right: {detail}"),
    "e.players": (
        "Met {players} spelers kan deze regelkaart niet: {detail}",
        "This rule card cannot be played by {players}: {detail}",
    ),
    "e.rounds": ("Het aantal rondes moet minstens een zijn.", "There must be at least one round."),
    "e.address": ("Het adres klopt niet: {detail}", "The address is not right: {detail}"),
    "e.file": ("Het bestand {file} is niet te lezen: {detail}", "The file {file} cannot be read: {detail}"),
    "e.not_a_game": ("{file} is geen spelbestand ({detail}).", "{file} is not a game file ({detail})."),
    "e.no_game": ("Er is geen bewaard spel om mee verder te gaan.", "There is no saved game to go on with."),
    "e.which_game": (
        "Er is geen bewaard spel {game}; zie: duizenden games",
        "There is no saved game {game}; see: duizenden games",
    ),
    "e.over": ("Dat spel is afgelopen.", "That game is over."),
    "e.not_found": (
        "Geen tafels gevonden (op gastnetwerken vaak niet te zien): vraag het adres en typ duizenden join ADRES.",
        "No tables found (guest networks often hide them): ask for the address and type duizenden join ADDRESS.",
    ),
    "e.several": ("Er zijn meer tafels; noem er een: {tables}", "There are several tables; name one: {tables}"),
    "e.bots": ("De robots kwamen niet opdagen.", "The bots did not turn up."),
    "e.differs": ("De knooppunten zijn het niet eens, zie {out}.", "The nodes do not agree, see {out}."),
    "e.disk": (
        "De schijf is vol; het spel is bewaard tot en met de laatste zet. Maak ruimte, en dan: duizenden resume",
        "The disk is full; the game is saved up to the last move. Make room, and then: duizenden resume",
    ),
    "e.os": ("Het systeem weigert: {detail}", "The system refuses: {detail}"),
    "e.other": (
        "Er ging iets mis ({code}); details staan in {log}.",
        "Something went wrong ({code}); details are in {log}.",
    ),
    "lobby/unreachable": (
        "Daar is geen broker te bereiken; klopt het adres en staat de tafel nog open?",
        "No broker can be reached there; is the address right and the table still open?",
    ),
    "lobby/no-table": ("Daar is geen open tafel.", "There is no open table there."),
    "lobby/silent": (
        "De tafel is er wel, maar de host antwoordt niet.",
        "The table is there, but its host does not answer.",
    ),
    "lobby/full": ("Die tafel is vol.", "That table is full."),
    "lobby/version": (
        "Daar draait een andere versie van het spel; gebruik allebei dezelfde.",
        "Another version of the game runs there; both must use the same.",
    ),
    "lobby/started": ("Dat spel is al begonnen.", "That game has already begun."),
    "lobby/closed": ("De tafel is gesloten.", "The table was closed."),
    "lobby/removed": ("De host heeft je weggestuurd.", "The host sent you away."),
    "lobby/rules": (
        "De host begon een ander spel dan was getoond; je doet niet mee.",
        "The host began another game than was shown; you are not in it.",
    ),
    "lobby/players": ("Zo kan het spel niet beginnen: {detail}", "The game cannot begin like this: {detail}"),
    "broker/listen": ("Die poort is bezet: {detail}", "That port is taken: {detail}"),
    "broker/start": ("De broker wil niet starten: {detail}", "The broker does not start: {detail}"),
    "journal/busy": (
        "Dat spel wordt al in een ander venster gespeeld.",
        "That game is being played in another window.",
    ),
    "journal/missing": ("Dat spel is er niet meer.", "That game is gone."),
    "journal/damaged": ("Het dagboek van dat spel is beschadigd.", "The journal of that game is damaged."),
    "journal/write": (
        "De schijf weigert (vol?); tot zover is het spel bewaard. Maak ruimte, en dan: duizenden resume",
        "The disk refuses (full?); up to there the game is saved. Make room, and then: duizenden resume",
    ),
    "journal/version": ("Dat spel is van een andere versie.", "That game is of another version."),
    "bot/ended": ("Een robot is onverwacht gestopt; zie {log}.", "A bot stopped unexpectedly; see {log}."),
    "bot/silent": ("Een robot reageert niet; zie {log}.", "A bot does not respond; see {log}."),
}


def language(argv: Sequence[str], environment: Mapping[str, str]) -> str:
    """The language: --lang on the command line, else Dutch on a Dutch system, else English."""
    for i, word in enumerate(argv):
        value = word.removeprefix("--lang=") if word.startswith("--lang=") else ""
        if word == "--lang" and i + 1 < len(argv):
            value = argv[i + 1]
        if value in LANGUAGES:
            return value
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if environment.get(name):
            return "nl" if environment[name].lower().startswith("nl") else "en"
    return "en"


def word(code: str, lang: str, /, **facts: object) -> str:
    """The sentence of this code with its facts filled in."""
    return WORDS[code][LANGUAGES.index(lang)].format(**facts)


def explain(error: BaseException, lang: str, log: object) -> str:
    """One sentence for a person about an error that ended a command."""
    if isinstance(error, DuizendenError):
        if error.code in WORDS:
            return word(error.code, lang, detail=error.detail, log=log)
        if error.code == "lobby/several":
            return word("e.several", lang, tables=error.detail)
        return word("e.other", lang, code=error.code, log=log)
    if isinstance(error, OSError):
        if error.errno == errno.ENOSPC:
            return word("e.disk", lang)
        return word("e.os", lang, detail=error.strerror or type(error).__name__)
    return word("e.other", lang, code=type(error).__name__, log=log)
