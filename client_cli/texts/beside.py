"""The texts of what is said beside the turns: waiting no longer, going, catching, void rounds and what follows them."""

BESIDE: dict[str, tuple[str, str]] = {
    # ------------------------------------------------------------------ what follows, as the end of a sentence
    "then.ends": ("is het spel uit", "the game ends"),
    "then.on": ("spelen {rest} door", "{rest} play on"),
    # ------------------------------------------------------------------ who is awaited
    "turn.away.one": (
        "{names} is niet te horen. Wacht, of wacht niet langer (w): doet iedereen dat, dan {then}. {end}",
        "{names} cannot be heard. Wait, or wait no longer (w): if everybody does, {then}. {end}",
    ),
    "turn.away.many": (
        "{names} zijn niet te horen. Wacht, of wacht niet langer (w): doet iedereen dat, dan {then}. {end}",
        "{names} cannot be heard. Wait, or wait no longer (w): if everybody does, {then}. {end}",
    ),
    "turn.away.watch": (
        "De tafel wacht op {names}: al een tijd niet te horen.",
        "The table waits for {names}: not heard for a while.",
    ),
    "turn.away.few": (
        "Al een tijd niet te horen: {names}. Het spel wacht tot dat weer zo is; of stop nu (q) en ga later verder.",
        "Not heard for a while: {names}. The game waits until that changes; you may stop and resume later (q).",
    ),
    "turn.away.leader": (
        "De leider na de laatste volledige ronde wint.",
        "Whoever led after the last full round wins.",
    ),
    "turn.away.nobody": (
        "Zonder volledige ronde wint dan niemand.",
        "Without a full round nobody wins then.",
    ),
    "turn.away.on": (
        "Deze ronde telt dan niet; ieders punten blijven staan.",
        "This round does not count then; all points stand.",
    ),
    "turn.given_up": (
        "Door {who} wordt niet meer gewacht op {names}. Jij ook niet? Druk w. Zegt iedereen het, dan {then}. {end}",
        "No longer waiting for {names}: {who}. Nor you? Press w. When everybody says so, {then}. {end}",
    ),
    "turn.claimed": (
        "Je wacht niet langer op {names}. Wie nog wel wacht: {rest}.",
        "You no longer wait for {names}. Still waiting: {rest}.",
    ),
    "turn.claimed_me": (
        "Door {who} wordt niet langer op jou gewacht. Doe je zet: zeggen alle anderen het, dan {then}.",
        "No longer waiting for you: {who}. Make your move: when all others say so, {then}.",
    ),
    "turn.gone": (
        "Weggegaan: {names}. Hebben alle anderen dat bevestigd, dan {then}. {end}",
        "Gone: {names}. As soon as all others have confirmed that, {then}. {end}",
    ),
    "turn.gone.lost": (
        (
            "{names} ging voorgoed weg en sloot af voor het spel uit was. Verder gaat het niet: stop met q. "
            "Wil je het afsluiten, laat {names} dan “duizenden resume” typen."
        ),
        (
            "Gone for good, and closed before the game was over: {names}. It cannot go on: stop with q. "
            "To bring it to its end, {names} must type “duizenden resume”."
        ),
    ),
    "turn.going": (
        "Voorgoed weg: {names}. Zodra de tafel {names} nodig heeft, {then}.",
        "Leaving for good: {names}. As soon as the table needs {names}, {then}.",
    ),
    "turn.going.two": (
        "{names} gaat voorgoed weg: doe je zet, dan is het spel uit.",
        "{names} is leaving for good: make your move, and the game is over.",
    ),
    "turn.offline.gone": (
        "{names} ging voorgoed weg en de verbinding met {broker} is er niet meer. Verder gaat het niet: stop met q.",
        "Gone for good: {names}, and the connection to {broker} is gone too. The game cannot go on: stop with q.",
    ),
    "turn.goodbye": (
        "Je hebt afscheid genomen. Blijf nog even: zodra de tafel jou nodig heeft, {then}. Daarna sluit je af.",
        "You have said goodbye. Stay a moment: as soon as the table needs you, {then}. Then close.",
    ),
    "turn.goodbye.two": (
        "Je hebt afscheid genomen. Blijf tot het spel uit is, na de zet van de ander: zonder jou blijft het hangen.",
        "You have said goodbye. Stay until the game ends, with the other's move: without you it never does.",
    ),
    "turn.void": (
        "De ronde gaat niet door; het spel wordt afgesloten.",
        "The round is void; the game is being closed.",
    ),
    "turn.void.on": (
        "De ronde gaat niet door; {names} spelen door.",
        "The round is void; {names} play on.",
    ),
    "turn.out": (
        "Je speelt niet meer mee en kijkt toe; q sluit af.",
        "You no longer play and are looking on; q closes.",
    ),
    "turn.between.void": (
        "De ronde is vervallen. Klaar voor de volgende? (Enter)",
        "The round is void. Ready for the next one? (Enter)",
    ),
    "turn.between_watch.void": (
        "De ronde is vervallen; wachten op {names}.",
        "The round is void; waiting for {names}.",
    ),
    "turn.broken_off": ("Het spel is afgebroken.", "The game was broken off."),
    "seat.left": ("weg", "gone"),
    # ------------------------------------------------------------------ questions and notes
    "ask.claim": (
        "Niet langer wachten op {seats}? Zegt iedereen dat, dan eindigt het spel.",
        "Wait no longer for {seats}? When everybody says so the game ends.",
    ),
    "ask.claim.on": (
        "Niet langer wachten op {seats}? Zegt iedereen dat, dan vervalt deze ronde en spelen {rest} door.",
        "Wait no longer for {seats}? When everybody says so, this round is void and {rest} play on.",
    ),
    "ask.leave.how": (
        "Enter = stop voor nu, later verder; g = voorgoed weg",
        "Enter = stop for now, resume later; g = leave for good",
    ),
    "ask.goodbye": (
        "Voorgoed weg? Het spel eindigt dan voor iedereen; wie na de laatste volledige ronde leidt, wint.",
        "Leave for good? The game then ends for everybody; whoever led after the last full round wins.",
    ),
    "ask.goodbye.early": (
        "Voorgoed weg? Het spel eindigt dan voor iedereen, en niemand wint.",
        "Leave for good? The game then ends for everybody, and nobody wins.",
    ),
    "ask.goodbye.on": (
        "Voorgoed weg? Deze ronde vervalt dan; {rest} spelen door, en jij kunt niet meer winnen.",
        "Leave for good? This round is void then; {rest} play on, and you can no longer win.",
    ),
    "ask.close.host": (
        "Nu afsluiten? Draait de tafel of een bot op jouw computer, dan staat het spel voor de anderen stil.",
        "Close now? If the table or a bot runs on your computer, the others' game comes to a standstill.",
    ),
    "ask.close": (
        "Nu al afsluiten? Het spel is nog niet uit; de anderen moeten dan langer wachten.",
        "Close now? The game has not ended yet; the others then have to wait longer.",
    ),
    "ask.close.two": (
        "Nu al afsluiten? Het spel is nog niet uit, en de ander blijft dan zitten met een spel dat niet eindigt.",
        "Close now? The game has not ended yet, and the other is left with a game that does not end.",
    ),
    "note.nobody_awaited": (
        "De tafel wacht op niemand die al een tijd niet te horen is.",
        "The table does not wait for anybody who has not been heard for a while.",
    ),
    "note.claim_few": (
        "Wie er nog zijn, zijn te weinig om {seats} op te geven. Het spel wacht; je kunt stoppen (q).",
        "Those who are left are too few to give up {seats}. The game waits; you may stop (q).",
    ),
    "note.claimed_already": ("Dat heb je al gezegd.", "You have said that already."),
    "note.looking_on": ("Je speelt niet meer mee.", "You no longer play."),
    "note.said_goodbye": ("Je hebt al afscheid genomen.", "You have said goodbye."),
    "note.caught": (
        "Je betrapt {offender}; dat gaat mee met je volgende bericht.",
        "You catch {offender}; it travels with your next message.",
    ),
    "note.nobody_to_catch": (
        "Niemand is nu te betrappen op een vergeten “laatste kaart”.",
        "Nobody can be caught at a forgotten “last card” now.",
    ),
    # ------------------------------------------------------------------ the log
    "log.left": ("{name} neemt afscheid en gaat weg.", "{name} says goodbye and leaves."),
    "log.claimed": ("{name} wacht niet langer op {seats}.", "{name} no longer waits for {seats}."),
    "log.void.agreed": ("De ronde vervalt.", "The round is void."),
    "log.void.fault": (
        "De ronde vervalt door een fout van {seats}.",
        "The round is void through a fault of {seats}.",
    ),
    "log.void.silence": (
        "De ronde vervalt door stilte of vertrek van {seats}.",
        "The round is void through the silence or departure of {seats}.",
    ),
    "log.void.left": (
        "De ronde vervalt door het vertrek van {seats}.",
        "The round is void through the departure of {seats}.",
    ),
    "log.plays_on": ("{seats} spelen door.", "{seats} play on."),
    "log.no_winner": ("Het spel is afgebroken zonder winnaar.", "The game is broken off without a winner."),
    # ------------------------------------------------------------------ keys
    "key.claim": ("niet wachten", "stop waiting"),
    "key.catch": ("betrap", "catch"),
    "key.goodbye": ("voorgoed weg", "leave for good"),
    "key.stop_now": ("stop voor nu", "stop for now"),
    "help.claim": ("wacht niet langer op wie niet te horen is", "wait no longer for who cannot be heard"),
    "help.catch": ("betrap wie “laatste kaart” vergat", "catch who forgot “last card”"),
    "help.goodbye": (
        "ga voorgoed weg; wat er dan volgt, staat in de regels",
        "leave for good; the rules say what follows",
    ),
    # ------------------------------------------------------------------ a void round
    "page.void": ("Het spel is afgebroken", "The game was broken off"),
    "page.void.on": ("Ronde {number} is vervallen", "Round {number} is void"),
    "page.void.first": ("Verder met minder spelers", "Going on with fewer players"),
    "void.why.fault": ("hield zich niet aan de afspraken van het spel.", "did not keep to the protocol of the game."),
    "void.why.left": ("nam afscheid en ging weg.", "said goodbye and left."),
    "void.why.silent": (
        "was te lang niet te horen; de anderen wachtten niet langer.",
        "was not heard for too long; the others waited no longer.",
    ),
    "void.round": (
        "Ronde {number} telt niet mee: de handen blijven dicht en niemand krijgt er punten voor.",
        "Round {number} does not count: the hands stay closed and nobody scores.",
    ),
    "void.leader": (
        "Van een afgebroken spel wint wie na de laatste volledige ronde (ronde {number}) voorstond.",
        "A game that is broken off is won by whoever led after the last full round (round {number}).",
    ),
    "void.not_the_leaver": ("Wie het afbrak kan niet winnen.", "Whoever broke it off cannot win."),
    "void.no_winner": (
        "Er was nog geen volledige ronde gespeeld: niemand wint.",
        "No full round had been played yet: nobody wins.",
    ),
    "void.on": ("{names} spelen door.", "{names} play on."),
    "void.points": ("Ieders punten van eerdere rondes blijven staan.", "All points of earlier rounds stand."),
    "void.points.gone": (
        "Wie weg is ({names}), krijgt er geen meer bij en kan niet winnen.",
        "Who is gone ({names}) gets no more points and cannot win.",
    ),
    "void.pending.on": (
        "De anderen ondertekenen nu dat de ronde vervalt.",
        "The others are now signing that the round is void.",
    ),
    "void.pending": (
        "De anderen ondertekenen nu het einde van het spel.",
        "The others are now signing the end of the game.",
    ),
}
