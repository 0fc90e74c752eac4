"""Sentences of the command line in Dutch and English, and what an error means for the person who sees it.

Every error becomes one sentence that says what to do; codes and details go to the log.
"""

from __future__ import annotations

import errno
from collections.abc import Mapping, Sequence

from client_cli.texts.conform import CONFORM
from protocol.errors import DuizendenError

LANGUAGES = ("nl", "en")

WORDS: dict[str, tuple[str, str]] = {
    **CONFORM,
    # what the commands are for
    "app": (
        "Duizenden: het kaartspel met z'n tweeën tot zevenen, eerlijk geschud zonder dat iemand de baas is.",
        "Duizenden: the Dutch rummy game for two to seven, fairly shuffled with nobody in charge.",
    ),
    "help.host": ("open een tafel waar anderen aan kunnen schuiven", "open a table that others can join"),
    "opt.theme": ("kleuren van het scherm", "colours of the screen"),
    "opt.mouse": ("laat de muis aan de terminal", "leave the mouse to the terminal"),
    "opt.serve": (
        "ga verder op deze computer, als die van de gastheer niet terugkomt",
        "go on at this computer, if the host's does not come back",
    ),
    "help.watch": ("kijk mee aan een tafel", "look on at a table"),
    "watch.waiting": (
        "De tafel van {title} is nog niet begonnen. Je kijkt mee zodra het spel begint; Ctrl-C stopt.",
        "The table of {title} has not begun. You look on as soon as it does; Ctrl-C stops.",
    ),
    "watch.left": (
        "Wat er gespeeld is staat in {file}; duizenden verify controleert het.",
        "What was played is in {file}; duizenden verify checks it.",
    ),
    "help.join": ("schuif aan bij een tafel", "join a table"),
    "help.play": ("speel meteen tegen bots op deze computer", "play against bots on this computer at once"),
    "help.resume": ("ga verder met een onderbroken spel", "go on with an interrupted game"),
    "help.selfplay": (
        "laat bots een heel spel spelen en vergelijk alles",
        "let bots play a whole game and compare all",
    ),
    "help.verify": ("controleer een spelbestand van begin tot eind", "check a game file from beginning to end"),
    "help.replay": ("kijk een spel terug, zet voor zet", "look back on a game, move by move"),
    "help.doctor": (
        "kijk of netwerk, poort, klok, venster en schijf in orde zijn",
        "look whether network, port, clock, window and disk are all right",
    ),
    "help.conform": (
        "speel met een ander programma en meld, eis voor eis, of het zich aan het protocol houdt",
        "play with another program and report, requirement by requirement, whether it keeps to the protocol",
    ),
    "help.games": ("toon de bewaarde spellen", "list the saved games"),
    "help.rules": ("toon een regelkaart", "show a rule card"),
    "opt.lang": ("taal: nl of en", "language: nl or en"),
    "opt.ascii": ("gebruik alleen gewone letters", "use plain letters only"),
    "opt.linear": (
        "gewone regels en genummerde keuzes, voor schermlezer, brailleregel of pijp",
        "plain lines and numbered choices, for screen readers, braille and pipes",
    ),
    "opt.version": ("toon de versie", "show the version"),
    "opt.rules": ("regelkaart: {presets}", "rule card: {presets}"),
    "opt.set": ("wijzig een regel (mag vaker)", "change a rule (may be repeated)"),
    "opt.seats": ("aantal stoelen", "number of seats"),
    "opt.bots": ("aantal bots dat meteen aanschuift", "number of bots that join at once"),
    "opt.name": ("jouw naam aan tafel; wordt onthouden", "your name at the table; remembered"),
    "opt.broker": ("een andere MQTT-broker (mqtt:// of mqtts://)", "another MQTT broker (mqtt:// or mqtts://)"),
    "opt.probe": ("onderzoek deze broker in plaats van de eigen", "examine this broker instead of our own"),
    "opt.sealed": (
        "verzegelde tafel: alleen wie de tafelcode heeft, kan meedoen of meekijken op de broker",
        "sealed table: only who has the table code can join, or read along on the broker",
    ),
    "opt.tls": (
        "de eigen broker spreekt TLS; de tafelcode bevat de vingerafdruk van zijn certificaat",
        "our own broker speaks TLS; the table code holds the fingerprint of its certificate",
    ),
    "opt.ca": (
        "certificaten die voor een mqtts-broker instaan (PEM)",
        "certificates that vouch for an mqtts broker (PEM)",
    ),
    "opt.fingerprint": (
        "SHA-256 van het certificaat van een mqtts-broker",
        "SHA-256 of the certificate of an mqtts broker",
    ),
    "opt.code": ("tafelcode; - vraagt erom", "table code; - asks for it"),
    "opt.port": (
        "poort van de eigen broker; leeg: 1883, of een vrije",
        "port of our own broker; empty: 1883, or a free one",
    ),
    "opt.conform_host": (
        "open de tafels hier; het andere programma schuift aan",
        "host the tables here; the other program joins them",
    ),
    "opt.conform_join": (
        "schuif aan bij de tafels van het andere programma (naam van de tafel of van de gastheer)",
        "join the tables of the other program (name of the table, or of its host)",
    ),
    "opt.scenario": ("alleen deze tafel (mag vaker); anders alle", "only this table (may be repeated); else all"),
    "opt.wait": (
        "zoveel seconden wachten op het andere programma",
        "seconds to wait for the other program",
    ),
    "opt.rounds": ("stop na zoveel rondes", "stop after so many rounds"),
    "opt.to_end": ("speel tot de doelscore", "play to the target score"),
    "opt.players": ("aantal spelers", "number of players"),
    "opt.seed": ("maak een herhaalbaar testspel (niet geheim)", "make a repeatable test game (not secret)"),
    "opt.out": ("map voor de spelbestanden", "folder for the game files"),
    "opt.json": ("als JSON", "as JSON"),
    "arg.where": (
        "tafelcode, tafel of host[:poort]; leeg: zoek op het thuisnetwerk",
        "table code, table or host[:port]; empty: search the home network",
    ),
    "arg.game": ("naam of bestand; leeg: het laatste spel", "name or file; empty: the newest game"),
    "arg.files": (
        "spelbestanden (*.duizenden), mappen daarmee, of namen van spellen (zie: games)",
        "game files (*.duizenden), folders of them, or names of games (see: games)",
    ),
    "opt.html": (
        "schrijf een verslag om te lezen en te printen, voor in de browser",
        "write a report to read and print, for a browser",
    ),
    "arg.file": (
        "spelbestand (*.duizenden), of de naam van een spel (zie: games)",
        "game file (*.duizenden), or the name of a game (see: games)",
    ),
    "arg.preset": ("naam van de regelkaart; leeg: toon welke er zijn", "name of the rule card; empty: list them"),
    # the waiting room
    "room.title": ("Tafel van {title}, regelkaart {rules}", "Table of {title}, rule card {rules}"),
    "room.rounds": (", {rounds} rondes", ", {rounds} rounds"),
    "room.round": (", één ronde", ", one round"),
    "room.house": ("Huisregels: {rules}", "House rules: {rules}"),
    "room.address": ("Of op adres: duizenden join {address}", "Or by address: duizenden join {address}"),
    "room.code": (
        "Aanschuiven met de tafelcode: duizenden join {code}",
        "To join by the table code: duizenden join {code}",
    ),
    "room.code_at": (
        "Aanschuiven met de tafelcode: duizenden join {code} --broker {broker}",
        "To join by the table code: duizenden join {code} --broker {broker}",
    ),
    "room.you": (" (jij)", " (you)"),
    "room.bot": (" (bot)", " (bot)"),
    "room.free": ("vrij", "free"),
    "room.offline": (
        "(geen verbinding met de broker; er wordt opnieuw geprobeerd)",
        "(not connected to the broker; trying again)",
    ),
    "room.online": ("De verbinding met de broker is er weer.", "The connection to the broker is back."),
    "room.came": ("Op plaats {number} zit nu {name}.", "In seat {number} now sits {name}."),
    "room.gone": ("{name} is weg.", "{name} is gone."),
    "room.count": ("{taken} van de {seats} plaatsen zijn bezet.", "{taken} of {seats} seats are taken."),
    "room.help": (
        "Enter of start: beginnen   bot: een erbij   weg 2: speler 2 wegsturen   regels: regelkaart   stop: sluiten",
        "Enter or start: begin   bot: add a bot   remove 2: send player 2 away   rules: rule card   stop: close",
    ),
    "room.help_linear": (
        "Typ start om te beginnen, bot om er een bot bij te zetten, weg 2 om speler 2 weg te sturen, regels, of stop.",
        "Type start to begin, bot to add a bot, remove 2 to send player 2 away, rules, or stop.",
    ),
    "room.do.start": ("Begin het spel.", "Begin the game."),
    "room.do.bot": ("Zet er een bot bij.", "Add a bot."),
    "room.do.rules": ("Lees de regels voor.", "Read the rules out."),
    "room.do.stop": ("Sluit de tafel.", "Close the table."),
    "room.how_linear": (
        "Typ een nummer, help voor alle woorden, of een lege regel om te horen wie er zit.",
        "Type a number, help for all words, or an empty line to hear who sits there.",
    ),
    "room.wait_linear": (
        "Wachten tot {title} begint. Typ regels om ze te lezen, stop om weg te gaan, of een lege regel: wie zit er?",
        "Waiting for {title} to begin. Type rules to read them, stop to leave, or an empty line: who sits there?",
    ),
    "room.wait": (
        "Wachten tot {title} begint. regels: regelkaart   stop: weggaan",
        "Waiting for {title} to begin. rules: rule card   stop: leave",
    ),
    "room.unknown": ("Dat ken ik niet.", "I do not know that."),
    "room.alone": ("Er moet nog iemand bij (of typ: bot).", "Somebody has to join first (or type: bot)."),
    "room.full": ("Alle stoelen zijn bezet.", "Every seat is taken."),
    "room.nobody": ("Op die stoel zit niemand die weg kan.", "Nobody sits there who can be sent away."),
    "room.begins": ("Het spel begint.", "The game begins."),
    "host.port": (
        "Kies een andere met --port, of laat --port weg.",
        "Choose another with --port, or leave --port out.",
    ),
    "play.wait": ("De bots schuiven aan ...", "The bots are sitting down ..."),
    "evidence.kept": (
        "Het bewijs van wie er genoemd is: {file}\nNakijken: duizenden verify --evidence {file}",
        "The proof of who was named: {file}\nTo check it: duizenden verify --evidence {file}",
    ),
    "evidence.proven": ("Bewezen.", "Proven."),
    "evidence.not": (
        "Niet bewezen: wat hier ondertekend is, toont dit niet aan.",
        "Not proven: what is signed in this file does not show it.",
    ),
    "evidence.says": (
        "{name} (stoel {seat}), stap {step}: {what} ({code})",
        "{name} (seat {seat}), step {step}: {what} ({code})",
    ),
    "evidence.why": ("  reden: {code}", "  reason: {code}"),
    "e.not_evidence": ("{file} is geen bewijsbestand ({detail}).", "{file} is not a file of evidence ({detail})."),
    "e.evidence_html": (
        "Een verslag gaat over spellen: --html kan niet samen met --evidence.",
        "A report is about games: --html does not go with --evidence.",
    ),
    "opt.evidence": (
        "FILE is een bewijs van wie er genoemd is (*.evidence)",
        "FILE is evidence of who was named (*.evidence)",
    ),
    "left": (
        "Het spel is bewaard. Verder spelen: duizenden resume {game}",
        "The game is saved. To go on: duizenden resume {game}",
    ),
    "left.stuck": (
        "Het spel is bewaard, maar de ander ging voorgoed weg. Het eindigt als jullie allebei duizenden resume typen.",
        "The game is saved, but the other has left for good. It ends when both of you type: duizenden resume",
    ),
    "gone": (
        "Je bent voorgoed weg; de anderen sluiten het spel af.",
        "You have left for good; the others bring the game to its end.",
    ),
    "gone.on": (
        "Je speelt niet meer mee; de anderen spelen door.",
        "You no longer play; the others play on.",
    ),
    "gone.early": (
        "Je nam afscheid, maar het spel is nog niet uit. Dat kan nog, als de anderen er zijn: duizenden resume {game}",
        "You said goodbye, but the game has not ended. It still can, with the others there: duizenden resume {game}",
    ),
    "returning": (
        "Terug naar je plaats ({game}). Het gaat verder zodra de host er is en het spel begonnen is ...",
        "Back to your seat ({game}). It goes on once the host is there and the game has begun ...",
    ),
    "resuming": ("Verder met {game}.", "Going on with {game}."),
    "searching": ("Zoeken naar tafels op het thuisnetwerk ...", "Looking for tables on the home network ..."),
    "found.one": (
        "{number}  tafel van {title}, {taken}/{seats} bezet",
        "{number}  table of {title}, {taken}/{seats} taken",
    ),
    "found.full": (", vol", ", full"),
    "found.begun": (", al begonnen", ", already begun"),
    "found.sealed": (
        "{number}  verzegelde tafel (vraag de tafelcode aan de host)",
        "{number}  sealed table (ask its host for the table code)",
    ),
    "found.code": ("Tafelcode: ", "Table code: "),
    "found.which": ("Welke tafel (nummer)? ", "Which table (number)? "),
    "found.resume": (
        "Je was hier al aan het spelen. Verder met dat spel: duizenden resume {game}",
        "You were in a game here already. To go on with it: duizenden resume {game}",
    ),
    "found.open": (
        "Verder met het spel dat hier nog niet af is: duizenden resume {game}",
        "To go on with the game that is unfinished here: duizenden resume {game}",
    ),
    # plain lines
    "linear.advice": (
        "Hier past geen volledig scherm: het gaat in gewone regels, als met --linear.",
        "No full screen fits here: it goes in plain lines, as with --linear.",
    ),
    "menu.title": (
        "Duizenden. Kies een nummer; een lege regel leest dit opnieuw voor.",
        "Duizenden. Choose a number; an empty line reads this again.",
    ),
    "menu.row": ("{number}. {text}", "{number}. {text}"),
    "menu.play": ("Speel tegen bots op deze computer.", "Play against bots on this computer."),
    "menu.host": ("Open een tafel voor anderen.", "Open a table for others."),
    "menu.join": ("Schuif aan bij een tafel.", "Join a table."),
    "menu.watch": ("Kijk mee bij een tafel.", "Look on at a table."),
    "menu.resume": ("Ga verder met een spel.", "Go on with a game."),
    "menu.games": ("Noem de bewaarde spellen.", "List the saved games."),
    "menu.verify": ("Controleer een spelbestand.", "Check a game file."),
    "menu.replay": ("Laat een spel voorlezen.", "Have a game told."),
    "menu.rules": ("Lees een regelkaart.", "Read a rule card."),
    "menu.doctor": ("Onderzoek netwerk, schijf en venster.", "Examine network, disk and terminal."),
    "menu.name": ("Verander je naam; nu {name}.", "Change your name; now {name}."),
    "menu.lang": ("Switch to English.", "Ga over op Nederlands."),
    "menu.leave": ("Stop (of typ q).", "Leave (or type q)."),
    "menu.which": ("Kies een nummer van 1 tot en met {most}.", "Choose a number from 1 to {most}."),
    "menu.ask.rules": (
        "Welke regelkaart, met nummer of naam: {cards}? Leeg is {preset}.",
        "Which rule card, by number or name: {cards}? Empty is {preset}.",
    ),
    "menu.ask.seats": ("Met hoeveel spelers? Leeg is 4.", "How many players? Empty is 4."),
    "menu.ask.rounds": (
        "Na hoeveel rondes stoppen? Leeg is: spelen tot iemand wint.",
        "Stop after how many rounds? Empty is: until somebody wins.",
    ),
    "menu.ask.bots": ("Hoeveel bots schuiven meteen aan? Leeg is 0.", "How many bots join at once? Empty is 0."),
    "menu.ask.where": (
        "Welke tafel? Een adres of de naam van een tafel; leeg zoekt op het thuisnetwerk.",
        "Which table? An address or the name of a table; empty searches the home network.",
    ),
    "menu.ask.game": ("Welk spel? Leeg is het laatste.", "Which game? Empty is the newest."),
    "menu.ask.file": ("Welk spelbestand, of welk spel?", "Which game file, or which game?"),
    "menu.ask.preset": (
        "Welke regelkaart, met nummer of naam: {cards}? Leeg vertelt wat ze verschillen.",
        "Which rule card, by number or name: {cards}? Empty tells how they differ.",
    ),
    "menu.ask.name": ("Hoe heet je? Leeg laat je naam zoals hij is.", "What is your name? Empty keeps it as it is."),
    "menu.no_number": ("Dat is geen getal.", "That is no number."),
    "linear.checking": ("Even geduld: het hele spel wordt nagerekend.", "One moment: the whole game is checked."),
    # lists and verdicts
    "games.none": ("Er zijn geen bewaarde spellen.", "There are no saved games."),
    "games.busy": ("{game}  wordt nu gespeeld", "{game}  is being played now"),
    "games.ticket": (
        "{game}  je plaats aan de tafel van {title}, hier nog niet begonnen",
        "{game}  your seat at the table of {title}, not begun here yet",
    ),
    "games.damaged": ("{game}  beschadigd: verder spelen kan niet", "{game}  damaged: it cannot be played on"),
    "games.version": (
        "{game}  van een andere versie: verder spelen kan hier niet",
        "{game}  of another version: it cannot be played on here",
    ),
    "games.row": ("{game}  {date}  {players}  {state}", "{game}  {date}  {players}  {state}"),
    "games.over": ("afgelopen: {scores}", "ended: {scores}"),
    "games.broken_off": ("afgebroken: {scores}", "broken off: {scores}"),
    "games.open": ("ronde {round}", "round {round}"),
    "games.new": ("net begonnen", "just begun"),
    "games.file": ("  spelbestand: {file}", "  game file: {file}"),
    "games.no_file": (
        "  nog geen spelbestand: dat komt na de eerste ronde, of als je weggaat",
        "  no game file yet: it comes after the first round, or when you leave",
    ),
    "verify.file": ("{file}:", "{file}:"),
    "verify.html": ("Verslag: {file}", "Report: {file}"),
    "verify.ok": (
        "In orde: alles klopt en het spel is uit. Aantal rondes: {rounds}.",
        "All right: everything holds and the game is over. Rounds: {rounds}.",
    ),
    "verify.broken_off": (
        "In orde: alles klopt; het spel is afgebroken. Volledige rondes: {rounds}.",
        "All right: everything holds; the game was broken off. Full rounds: {rounds}.",
    ),
    "verify.prefix": (
        "In orde zover: alles klopt, het spel is nog niet uit. Rondes af: {rounds}.",
        "All right so far: everything holds, the game is not over yet. Rounds done: {rounds}.",
    ),
    "verify.seeded": (
        "Dit is een testspel met bekend begingetal: niet geheim.",
        "This is a test game from a known seed: not secret.",
    ),
    "verify.fault": (
        "Fout in stap {step}: {name} (stoel {seat}) {what}",
        "Fault in step {step}: {name} (seat {seat}) {what}",
    ),
    "verify.place": (
        "Fout in stap {step}: waar {name} (stoel {seat}) aan de beurt was, staat iets anders. Dat wijst niemand aan.",
        "Fault in step {step}: where {name} (seat {seat}) should speak stands something else. It names nobody.",
    ),
    "verify.after": (
        "Fout in stap {step}: na het einde van het spel staat er nog iets in het bestand.",
        "Fault in step {step}: the file goes on after the end of the game.",
    ),
    "verify.detail": ("  detail (Engels): {detail}", "  detail: {detail}"),
    "verify.departed": ("Onderweg vertrokken: {names}", "Left on the way: {names}"),
    "verify.checked": ("gecontroleerd", "checked"),
    "verify.signatures": ("handtekeningen", "signatures"),
    "verify.commitments": ("vooraf vastgelegde geheimen", "commitments"),
    "verify.shuffle_proofs": ("schudbewijzen", "shuffle proofs"),
    "verify.shares": ("sleuteldelen", "key shares"),
    "verify.opened_cards": ("geopende kaarten", "opened cards"),
    "verify.moves": ("zetten nagekeken en in orde", "moves checked and legal"),
    "verify.audited_shuffles": ("nagerekende schudbeurten", "recomputed shuffles"),
    "verify.head": ("stand van het logboek", "head of the log"),
    "verify.scores": ("stand", "scores"),
    "rules.title": ("Regelkaart {preset}", "Rule card {preset}"),
    "rules.presets": ("Regelkaarten:", "Rule cards:"),
    "rules.more": ("Alle regels van een kaart: duizenden rules {preset}", "All rules of one: duizenden rules {preset}"),
    "rules.about.basis": (
        "Voor thuis: de open kaart vooraf ruilen, uitkomen met 30 punten zonder jokers, jokers omruilen.",
        "For at home: exchange of the open card, 30 points without jokers to come down, jokers can be exchanged.",
    ),
    "rules.about.online": (
        "Zoals op spelsites, met twee tot vier: geen minimum, jokers blijven liggen, de pot vraagt twee handkaarten.",
        "As on gaming sites, for two to four: no minimum, jokers stay put, the pot asks for two cards of your hand.",
    ),
    "rules.about.schoppenvrouwen": (
        "Als klassiek, maar een joker telt 20 in plaats van 25.",
        "Like klassiek, but a joker counts 20 instead of 25.",
    ),
    "rules.about.spelregelwijzer": (
        "De bekendste vorm: de open kaart ruilen, uitkomen met 30 punten, dan pas de pot; jokers blijven liggen.",
        "The form known best: exchange of the open card, 30 points to come down, only then the pot; jokers stay put.",
    ),
    "rules.about.klassiek": (
        "Met vier: geen minimum, de pot is vrij te pakken, jokers kun je omruilen; makkelijk om mee te beginnen.",
        "For four: no minimum, the pot is free to take, jokers can be exchanged; easy to begin with.",
    ),
    "rules.about.modern": (
        "Als klassiek, maar elke twee is een joker (20 punten) en je ruilt alleen je eigen jokers om.",
        "Like klassiek, but every two is a joker (20 points) and you can exchange your own jokers only.",
    ),
    # a command line that cannot be
    "usage": ("gebruik: ", "usage: "),
    "usage.choice": (
        "{what}: {value} kan niet; kies uit {choices}.",
        "{what}: {value} cannot be; choose from {choices}.",
    ),
    "usage.number": ("{what}: {value} is geen getal.", "{what}: {value} is not a number."),
    "usage.value": ("Bij {what} ontbreekt iets: wat erachter hoort.", "{what} lacks the value that goes with it."),
    "usage.no_value": ("Achter {what} hoort niets: {value}", "Nothing goes with {what}: {value}"),
    "usage.not_both": ("{what} en {other} gaan niet samen.", "{what} and {other} do not go together."),
    "usage.unknown": ("Dit hoort hier niet bij: {value}", "That does not go with this command: {value}"),
    "usage.missing": ("Er ontbreekt nog: {what}", "Still missing: {what}"),
    "usage.one_of": ("Een van deze is nodig: {what}", "One of these is needed: {what}"),
    "usage.ambiguous": (
        "{value} kan van alles zijn: {choices}.",
        "{value} could be several: {choices}.",
    ),
    "usage.other": ("Zo kan het niet: {detail}", "It cannot be like this: {detail}"),
    # errors
    "e.preset": (
        "Er is geen regelkaart {name}; er zijn: {names}.",
        "There is no rule card {name}; there are: {names}.",
    ),
    "e.set": (
        "Dit is geen huisregel: {text}. Welke er zijn en wat kan: duizenden rules --json",
        "That is no house rule: {text}. Which there are and what can be: duizenden rules --json",
    ),
    "e.set_value": (
        "Bij {key} kan {value} niet; wel: {values}.",
        "{key} cannot be {value}, but: {values}.",
    ),
    "e.clash": (
        "Deze huisregels gaan niet samen: {detail}",
        "These house rules do not go together: {detail}",
    ),
    "e.players": (
        "Met {players} spelers kan deze regelkaart niet: {detail}",
        "This rule card cannot be played by {players}: {detail}",
    ),
    "e.rounds": ("Het aantal rondes moet minstens een zijn.", "There must be at least one round."),
    "e.rounds_most": ("Dat zijn te veel rondes: hoogstens {most}.", "That is too many rounds: at most {most}."),
    "e.port": (
        "Een poort is een getal van 1 tot 65535 (0: een vrije), niet {port}.",
        "A port is a number from 1 to 65535 (0: any free one), not {port}.",
    ),
    "e.name": (
        "Een naam heeft minstens een letter of teken dat te zien is.",
        "A name has at least one letter or sign that can be seen.",
    ),
    "e.name_marks": (
        "In een naam staan hoogstens {most} tekens boven of onder een letter.",
        "In a name at most {most} marks stand above or below a letter.",
    ),
    "e.seats": (
        "Met {seats} stoelen kunnen er 0 tot {most} bots bij.",
        "With {seats} seats there can be 0 to {most} bots.",
    ),
    "e.unknown_host": (
        "De naam {host} is op dit netwerk niet bekend; klopt het adres?",
        "The name {host} is not known on this network; is the address right?",
    ),
    "e.address": ("Het adres klopt niet: {detail}", "The address is not right: {detail}"),
    "e.file": ("Het bestand {file} is niet te lezen: {detail}", "The file {file} cannot be read: {detail}"),
    "e.html": (
        "Naar {file} wordt geen verslag geschreven; noem een bestand dat op .html eindigt.",
        "No report is written to {file}; name a file that ends in .html.",
    ),
    "e.empty_folder": ("In de map {file} zijn geen spelbestanden.", "There are no game files in the folder {file}."),
    "e.empty_name": ("Noem een spelbestand of een spel.", "Name a game file or a game."),
    "e.seed": ("In --seed staat iets wat geen tekst is.", "What --seed holds is no text."),
    "e.no_file": ("Er is geen bestand {file}.", "There is no file {file}."),
    "e.not_a_game": ("{file} is geen spelbestand ({detail}).", "{file} is not a game file ({detail})."),
    "why.file/magic": ("het begin klopt niet", "it begins otherwise"),
    "why.file/cut": ("het houdt midden in een bericht op", "it ends in the middle of a message"),
    "why.file/size": ("groter dan een spel kan zijn", "larger than any game"),
    "why.file/record": ("er staat een te lang bericht in", "it has a message that is too long"),
    "e.journal": (
        "{file} is het dagboek van een spel; controleren doe je met het spelbestand: {record}",
        "{file} is the journal of a game; what can be verified is its game file: {record}",
    ),
    "e.no_record": (
        "Van het spel {game} is er nog geen spelbestand: dat komt na de eerste ronde, of als je weggaat.",
        "The game {game} has no game file yet: it comes after the first round, or when you leave.",
    ),
    "e.which_file": (
        "Er is geen spelbestand {game}, en ook geen spel met die naam; zie: duizenden games",
        "There is no game file {game}, and no game of that name; see: duizenden games",
    ),
    "e.several_files": ("Er zijn meer spellen; noem er een: {files}", "There are several games; name one: {files}"),
    "e.no_journal": (
        "{file} is geen dagboek van een spel om mee verder te gaan; zie: duizenden games",
        "{file} is no journal of a game to go on with; see: duizenden games",
    ),
    "e.no_game": ("Er is geen bewaard spel om mee verder te gaan.", "There is no saved game to go on with."),
    "e.busy_game": (
        "Het spel om mee verder te gaan wordt al in een ander venster gespeeld.",
        "The game to go on with is being played in another window.",
    ),
    "e.which_game": (
        "Er is geen bewaard spel {game}; zie: duizenden games",
        "There is no saved game {game}; see: duizenden games",
    ),
    "e.not_found": (
        "Geen tafels gevonden (op gastnetwerken vaak niet te zien): vraag de tafelcode en typ duizenden join CODE.",
        "No tables found (guest networks often hide them): ask for the table code and type duizenden join CODE.",
    ),
    "e.several": ("Er zijn meer tafels; noem er een: {tables}", "There are several tables; name one: {tables}"),
    "e.trust": (
        "--ca en --fingerprint horen bij --broker mqtts://...",
        "--ca and --fingerprint go with --broker mqtts://...",
    ),
    "e.tls": (
        "--tls is voor de eigen broker; voor een andere begint het adres met mqtts://.",
        "--tls is for our own broker; for another the address begins with mqtts://.",
    ),
    "e.sealed": (
        "Er is een verzegelde tafel; vraag de host om de tafelcode en typ: duizenden join CODE",
        "There is a sealed table; ask its host for the table code and type: duizenden join CODE",
    ),
    "e.bots": ("De bots kwamen niet opdagen.", "The bots did not turn up."),
    "e.differs": ("De knooppunten zijn het niet eens, zie {out}.", "The nodes do not agree, see {out}."),
    "e.conform_broker": (
        "Met --join hoort --broker URL: waar de tafel van het andere programma staat.",
        "With --join give --broker URL: where the other program's table is.",
    ),
    "e.disk": ("De schijf is vol.", "The disk is full."),
    "e.disk_write": ("De schijf weigert (vol?).", "The disk refuses (full?)."),
    "e.disk_game": (
        "De schijf is vol; het spel is bewaard tot en met de laatste zet. Maak ruimte, en dan: duizenden resume",
        "The disk is full; the game is saved up to the last move. Make room, and then: duizenden resume",
    ),
    "e.os": ("Het systeem weigert: {detail}", "The system refuses: {detail}"),
    "e.other": (
        "Er ging iets mis ({code}); details staan in {log}.",
        "Something went wrong ({code}); details are in {log}.",
    ),
    "code/form": (
        "Dat is geen tafelcode; die ziet eruit als 39QM-35.",
        "That is no table code; one looks like 39QM-35.",
    ),
    "code/typo": (
        "In die tafelcode zit een tikfout; kijk hem nog eens na (grote of kleine letters maakt niet uit).",
        "There is a typing mistake in that table code; compare it once more (capitals do not matter).",
    ),
    "e.code_broker": (
        "Die tafelcode hoort bij een broker van de host; typ erachter --broker en het adres dat erbij staat.",
        "That table code belongs to a broker of the host; add --broker and the address that goes with it.",
    ),
    "lobby/nobody": (
        "De tafelcode klopt, maar op {detail} antwoordt niemand; is de tafel nog open, en is dit hetzelfde netwerk?",
        "The table code is right, but nobody answers at {detail}; is the table open, and is this the same network?",
    ),
    "lobby/unreachable": (
        "Daar is geen broker te bereiken; klopt het adres en staat de tafel nog open?",
        "No broker can be reached there; is the address right and the table still open?",
    ),
    "lobby/no-table": (
        "Geen open tafel gevonden; is hij gesloten, of al begonnen?",
        "No open table was found; has it closed, or begun?",
    ),
    "lobby/sealed": (
        "De tafelcode klopt, maar opent daar geen tafel: hij is gesloten, begonnen of van een ander. Vraag een nieuwe.",
        "The table code is right but opens no table there: it has closed, begun, or is another's. Ask for a new one.",
    ),
    "tls/fingerprint": (
        "De broker daar toont een ander certificaat dan verwacht; er is niets gezegd. Vraag een nieuwe tafelcode.",
        "The broker there shows another certificate than expected; nothing was said. Ask for a new table code.",
    ),
    "tls/certificate": (
        "Niemand die vertrouwd is staat in voor die broker; geef --ca of --fingerprint. ({detail})",
        "Nobody who is trusted vouches for that broker; give --ca or --fingerprint. ({detail})",
    ),
    "tls/serve": (
        "Die tafel staat bij een broker met een naam (TLS), die geen andere computer overneemt. Typ het zonder --host.",
        "That table is at a broker with a name (TLS), which no other computer can take over. Type it without --host.",
    ),
    "tls/none": (
        "Die broker spreekt geen TLS; er is niets gezegd. Klopt de poort?",
        "That broker does not speak TLS; nothing was said. Is the port right?",
    ),
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
    "broker/listen": ("Die poort is bezet of niet toegestaan.", "That port is taken or not allowed."),
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
    "bot/ended": ("Een bot is onverwacht gestopt; zie {log}.", "A bot stopped unexpectedly; see {log}."),
    "bot/silent": ("Een bot reageert niet; zie {log}.", "A bot does not respond; see {log}."),
}


def language(argv: Sequence[str], environment: Mapping[str, str]) -> str:
    """The language: --lang on the command line, else Dutch on a Dutch system, else English."""
    given = given_language(argv)
    if given is not None:
        return given
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if environment.get(name):
            return "nl" if environment[name].lower().startswith("nl") else "en"
    return "en"


def given_language(argv: Sequence[str]) -> str | None:
    """The language that --lang on the command line asks for; what stands last wins."""
    given = None
    for i, part in enumerate(argv):
        value = part.removeprefix("--lang=") if part.startswith("--lang=") else ""
        if part == "--lang" and i + 1 < len(argv):
            value = argv[i + 1]
        if value in LANGUAGES:
            given = value
    return given


def word(code: str, lang: str, /, **facts: object) -> str:
    """The sentence of this code with its facts filled in."""
    return WORDS[code][LANGUAGES.index(lang)].format(**facts)


def good_verdict(*, complete: bool, broken_off: bool) -> str:
    """Code of the sentence about a game without a fault: played to its end, broken off, or not over yet."""
    if not complete:
        return "verify.prefix"
    return "verify.broken_off" if broken_off else "verify.ok"


def explain(error: BaseException, lang: str, log: object, *, played: bool = False) -> str:
    """One sentence for a person about an error that ended a command; `played`: one that plays a game to go on with."""
    if isinstance(error, DuizendenError):
        if error.code == "journal/write" and not played:
            return word("e.disk_write", lang)
        if error.code in WORDS:
            return word(error.code, lang, detail=error.detail, log=log)
        if error.code == "lobby/several":
            return word("e.several", lang, tables=error.detail)
        return word("e.other", lang, code=error.code, log=log)
    if isinstance(error, OSError):
        if error.errno == errno.ENOSPC:
            return word("e.disk_game" if played else "e.disk", lang)
        detail = error.strerror or type(error).__name__
        return word("e.os", lang, detail=f"{error.filename}: {detail}" if isinstance(error.filename, str) else detail)
    return word("e.other", lang, code=type(error).__name__, log=log)
