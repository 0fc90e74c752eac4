"""The texts of the report that `duizenden verify --html` writes."""

REPORT: dict[str, tuple[str, str]] = {
    "rep.title": ("Verslag van een spel Duizenden", "Report of a game of Duizenden"),
    "rep.title.many": ("Verslag van {count} spelbestanden van Duizenden", "Report of {count} game files of Duizenden"),
    "rep.about": ("Regelkaart: {rules}", "Rule card: {rules}"),
    "rep.date": ("Gespeeld op {date}", "Played on {date}"),
    "one.rounds": ("{count} ronde", "{count} round"),
    "many.rounds": ("{count} rondes", "{count} rounds"),
    # ------------------------------------------------------------------ verdict
    "rep.ok": (
        "Alles klopt: er is eerlijk geschud en volgens de regels gespeeld ({rounds}).",
        "Everything holds: the cards were shuffled fairly and played by the rules ({rounds}).",
    ),
    "rep.prefix": (
        "Tot zover klopt alles, maar het spel is nog niet uit ({rounds} geteld).",
        "So far everything holds, but the game is not over yet ({rounds} scored).",
    ),
    "rep.departed": (
        "Alles klopt; het spel is afgebroken omdat niet iedereen bleef: {names} ({rounds} geteld).",
        "Everything holds; the game was broken off because not everybody stayed: {names} ({rounds} scored).",
    ),
    "rep.departed.on": (
        "Alles klopt: er is eerlijk gespeeld; zonder {names} speelden de anderen door ({rounds} geteld).",
        "Everything holds: fair cards, played by the rules; the others played on without {names} ({rounds} scored).",
    ),
    "rep.fault": ("Er klopt iets niet: {name} {what}", "Something is wrong: {name} {what}"),
    "rep.changed": (
        "Dit bestand klopt niet: het is beschadigd of veranderd. Dat zegt niets over een speler.",
        "This file is wrong: it was damaged or changed. That says nothing about any player.",
    ),
    "rep.where": (
        "Het gaat om stap {step} (code {fault}). Wat hieronder staat gaat over het spel tot daar.",
        "It is about step {step} (code {fault}). What follows is about the game up to there.",
    ),
    "rep.winner": ("Gewonnen: {names}.", "Winner: {names}."),
    "rep.all_ok": (
        "Alles klopt in alle {count} bestanden: er is eerlijk geschud en volgens de regels gespeeld.",
        "Everything holds in all {count} files: the cards were shuffled fairly and played by the rules.",
    ),
    "rep.some_wrong": (
        "In {wrong} van de {count} bestanden klopt er iets niet; hieronder staat in welke.",
        "In {wrong} of the {count} files something is wrong; see below in which.",
    ),
    # ------------------------------------------------------------------ the race
    "rep.race": ("De race naar {target}", "The race to {target}"),
    "rep.race.about": (
        "Het totaal van iedereen na elke ronde: {scores}.",
        "Everybody's total after every round: {scores}.",
    ),
    "rep.round": ("Ronde {number}", "Round {number}"),
    "rep.round.short": ("ronde", "round"),
    "rep.total": ("totaal", "total"),
    "rep.no_rounds": ("Er is geen ronde uitgespeeld.", "No round was played to its end."),
    # ------------------------------------------------------------------ rounds
    "rep.rounds": ("Ronde voor ronde", "Round by round"),
    "rep.began": ("{name} begon.", "{name} began."),
    "rep.shuffled": (
        "Geschud door {names}, na elkaar; achteraf nagerekend en in orde.",
        "Shuffled by {names}, one after the other; recomputed afterwards and in order.",
    ),
    "rep.reshuffled": (
        "De stapel raakte {count} keer op; toen schudde iedereen de pot opnieuw.",
        "The stock ran out {count} times; each time everybody shuffled the pot again.",
    ),
    "rep.reshuffled.once": (
        "De stapel raakte een keer op; toen schudde iedereen de pot opnieuw.",
        "The stock ran out once; then everybody shuffled the pot again.",
    ),
    "rep.dealt": ("Gekregen", "Dealt"),
    "rep.melds": ("Op tafel", "On the table"),
    "rep.left": ("Nog in de hand", "Still in hand"),
    "rep.nothing": ("niets", "nothing"),
    "rep.sum": ("{table} op tafel − {hand} in de hand = {points}", "{table} on the table − {hand} in hand = {points}"),
    "rep.sum.penalty": (
        "{table} op tafel − {hand} in de hand − {penalty} straf = {points}",
        "{table} on the table − {hand} in hand − {penalty} penalty = {points}",
    ),
    "rep.queen_held": (
        "De schoppenvrouw in de hand kost {points}.",
        "The queen of spades in hand costs {points}.",
    ),
    # ------------------------------------------------------------------ checks
    "rep.checks": ("Wat is nagekeken", "What was checked"),
    "rep.checks.about": (
        "Alles is opnieuw nagerekend, alleen uit het spelbestand en zonder iemand te geloven.",
        "Everything was computed again, from the game file alone and without believing anybody.",
    ),
    "rep.check.signatures": (
        "handtekeningen: ieder bericht is van wie het zegt, en er is later niets aan veranderd",
        "signatures: every message is from whom it says, and nothing was changed later",
    ),
    "rep.check.commitments": (
        "vastgelegde geheimen: ieder legde ze vast voordat er iets bekend was, en hield zich eraan",
        "commitments: everybody fixed their secrets before anything was known, and kept to them",
    ),
    "rep.check.shuffle_proofs": (
        "schudbewijzen: bij het schudden is geen kaart verwisseld, toegevoegd of weggehaald",
        "shuffle proofs: no card was exchanged, added or removed in a shuffle",
    ),
    "rep.check.shares": (
        "sleuteldelen: iedereen hielp een kaart te openen zoals het hoort",
        "key shares: everybody helped to open a card as they should",
    ),
    "rep.check.opened_cards": (
        "geopende kaarten: wat op tafel kwam is echt de kaart die gedeeld of gepakt was",
        "opened cards: what came on the table is truly the card that was dealt or drawn",
    ),
    "rep.check.moves": ("zetten: elke zet mocht volgens de regelkaart", "moves: every move was legal by the rule card"),
    "rep.check.audited_shuffles": (
        "schudbeurten: na de ronde nagerekend uit de getoonde geheimen; niemand stuurde de kaarten",
        "shuffles: recomputed after the round from the revealed secrets; nobody steered the cards",
    ),
    "rep.seeded": (
        "Dit is een proefspel met een bekend begingetal: de kaarten waren niet geheim.",
        "This is a test game from a known seed: the cards were not secret.",
    ),
    # ------------------------------------------------------------------ odds
    "rep.odds": ("Hoe groot is de kans?", "What are the odds?"),
    "rep.odds.about": (
        "De kans op zoiets in een hand van {hand} kaarten uit {size}, en hoe vaak het gebeurde.",
        "The chance of it in a hand of {hand} cards out of {size}, and how often it happened.",
    ),
    "rep.odds.what": ("in een hand", "in a hand"),
    "rep.odds.chance": ("kans", "chance"),
    "rep.odds.seen": ("gebeurd", "happened"),
    "rep.odds.of": ("{seen} van {hands}", "{seen} of {hands}"),
    "rep.odds.queen.1": ("minstens een schoppenvrouw", "at least one queen of spades"),
    "rep.odds.queen.2": ("twee schoppenvrouwen", "two queens of spades"),
    "rep.odds.joker.1": ("minstens een joker", "at least one joker"),
    "rep.odds.joker.2": ("minstens twee jokers", "at least two jokers"),
    "rep.odds.ace.1": ("minstens een aas", "at least one ace"),
    "rep.odds.ace.2": ("minstens twee azen", "at least two aces"),
    # ------------------------------------------------------------------ many games
    "rep.games": ("De spellen", "The games"),
    "rep.game.players": ("spelers en stand", "players and scores"),
    "rep.game.verdict": ("oordeel", "verdict"),
    "rep.game.unread": ("Dit is geen spelbestand.", "This is not a game file."),
    "rep.same": (
        "Een spel dat in meer bestanden staat, telt hieronder maar een keer mee.",
        "A game that is in several files counts only once below.",
    ),
    "rep.fell": ("Waar de kaarten vielen", "Where the cards fell"),
    "rep.fell.about": (
        "Er is {deals} keer gedeeld. De staven tonen wat er gebeurde, de streepjes het eerlijke gemiddelde.",
        "There were {deals} deals. The bars show what happened, the marks the average of fair shuffling.",
    ),
    "rep.fell.p": (
        "De p-waarde zegt hoe vaak eerlijk geschudde kaarten minstens zo scheef vallen als hier.",
        "The p-value says how often fairly shuffled cards fall at least as unevenly as here.",
    ),
    "rep.fell.small": (
        "Een op de twintig keer is ze door toeval kleiner dan 0,05; pas ver onder 0,001 is er reden tot vragen.",
        "One time in twenty it is below 0.05 by chance; only far below 0.001 is there reason to ask questions.",
    ),
    "rep.fell.queen": ("Schoppenvrouwen, per plaats aan tafel", "Queens of spades, by seat"),
    "rep.fell.joker": ("Jokers, per plaats aan tafel", "Jokers, by seat"),
    "rep.fell.ace": ("Azen, per plaats aan tafel", "Aces, by seat"),
    "rep.fell.place": (
        "Schoppenvrouwen, jokers en azen, per plek in de hand (de eerste kaart die je kreeg, de tweede, ..)",
        "Queens of spades, jokers and aces, by place in the hand (the first card you got, the second, ..)",
    ),
    "rep.fell.face": ("Hoe vaak elke kaart gedeeld is", "How often each card was dealt"),
    "rep.test": (
        "χ² = {statistic} bij {freedom} vrijheidsgraden, p = {p} ({deals} keer gedeeld)",
        "χ² = {statistic} with {freedom} degrees of freedom, p = {p} ({deals} deals)",
    ),
    "rep.test.few": (
        "Te weinig gedeeld om er iets van te zeggen.",
        "Too few deals to say anything about it.",
    ),
    "rep.bars.about": (
        "{title}. Gezien en verwacht: {cells}.",
        "{title}. Seen and expected: {cells}.",
    ),
    # ------------------------------------------------------------------ small print
    "rep.again": ("Zelf nakijken", "Check it yourself"),
    "rep.again.how": (
        "Wie het spelbestand heeft, kan alles overdoen: duizenden verify BESTAND. Het logboek eindigt met {head}.",
        "Whoever has the game file can do all of this again: duizenden verify FILE. The log ends with {head}.",
    ),
    "rep.again.many": (
        "Met --html en één spelbestand maakt duizenden verify een verslag van dat spel, ronde voor ronde.",
        "With --html and a single game file duizenden verify writes a report of that game, round by round.",
    ),
}
