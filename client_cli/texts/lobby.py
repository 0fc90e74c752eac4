"""The texts of the lobby: tables, the waiting room, lists, settings, keys and what is said when something fails."""

LOBBY: dict[str, tuple[str, str]] = {
    # ------------------------------------------------------------------ header
    "lobby.title.home": ("lobby", "lobby"),
    "lobby.title.card": ("nieuwe tafel", "new table"),
    "lobby.title.practice": ("oefenen tegen bots", "practice against bots"),
    "lobby.title.room": ("wachtkamer", "waiting room"),
    "lobby.title.games": ("verder met een spel", "go on with a game"),
    "lobby.title.files": ("spel controleren", "check a game"),
    "lobby.title.settings": ("instellingen", "settings"),
    "lobby.title.doctor": ("dokter", "doctor"),
    "lobby.title.rules": ("regelkaart {name}", "rule card {name}"),
    "lobby.title.help": ("uitleg", "help"),
    "lobby.small": (
        "Het venster is te klein ({width}x{height}); minstens 80x24 is nodig.",
        "The window is too small ({width}x{height}); it takes at least 80x24.",
    ),
    "lobby.small.short": ("Te klein", "Too small"),
    # ------------------------------------------------------------------ home
    "lobby.tagline": (
        "Het kaartspel met z'n tweeën tot zevenen. Eerlijk geschud, zonder dat iemand de baas is.",
        "The Dutch rummy game for two to seven. Fairly shuffled, with nobody in charge.",
    ),
    "lobby.tables": ("Tafels op dit netwerk", "Tables on this network"),
    "lobby.looking": ("Zoeken …", "Looking …"),
    "lobby.none": ("Nog geen tafels gezien.", "No tables seen yet."),
    "lobby.nothing": (
        "Er is geen tafel te vinden. Is er wel een open, dan kan dat komen door:",
        "No table can be found. If one is open, the reason may be:",
    ),
    "lobby.why.guest": (
        "een gastnetwerk: dat houdt apparaten uit elkaar; neem samen het gewone wifi",
        "a guest network: it keeps devices apart; use the normal Wi-Fi together",
    ),
    "lobby.why.firewall": (
        "een firewall of VPN op een van de computers: die zou de tafel verbergen",
        "a firewall or VPN on one of the computers: it would hide the table",
    ),
    "lobby.why.other": (
        "een ander netwerk: de een op wifi, de ander op de kabel of een telefoon",
        "another network: one on Wi-Fi, the other on a cable or a phone",
    ),
    "lobby.why.act": (
        "Vraag de tafelcode die bij de host op het scherm staat, en typ hem bij a.",
        "Ask for the table code on the host's screen, and type it at a.",
    ),
    "lobby.table_of": ("Tafel van {title}", "Table of {title}"),
    "lobby.table_sealed": ("Verzegelde tafel", "Sealed table"),
    "lobby.taken": ("{taken} van {seats}", "{taken} of {seats}"),
    "lobby.changes.one": ("{name} +1 regel", "{name} +1 rule"),
    "lobby.changes.many": ("{name} +{count} regels", "{name} +{count} rules"),
    "lobby.fit.open": ("open", "open"),
    "lobby.fit.full": ("vol", "full"),
    "lobby.fit.playing": ("al begonnen", "playing"),
    "lobby.fit.sealed": ("met code", "by code"),
    "lobby.fit.checking": ("bezig …", "asking …"),
    "lobby.fit.unreachable": ("onbereikbaar", "unreachable"),
    "lobby.fit.version": ("andere versie", "other version"),
    "lobby.detail.people": ("Aan tafel: {names}.", "At the table: {names}."),
    "lobby.detail.free.one": ("Er is 1 stoel vrij.", "1 seat is free."),
    "lobby.detail.free.many": ("Er zijn {free} stoelen vrij.", "{free} seats are free."),
    "lobby.detail.round": ("Er wordt {rounds} ronde gespeeld.", "{rounds} round will be played."),
    "lobby.detail.rounds": ("Er worden {rounds} rondes gespeeld.", "{rounds} rounds will be played."),
    "lobby.detail.target": ("Er wordt gespeeld tot {target} punten.", "It is played to {target} points."),
    "lobby.detail.plain": ("Regelkaart {name}, zonder wijzigingen.", "Rule card {name}, without changes."),
    "lobby.detail.house": ("Regelkaart {name}, met deze huisregels:", "Rule card {name}, with these house rules:"),
    "lobby.detail.seen": ("Bereikt op {address}.", "Reached at {address}."),
    "lobby.bot": ("{name} (bot)", "{name} (bot)"),
    "lobby.cannot.full": ("Aan de tafel van {title} is geen stoel vrij.", "No seat is free at the table of {title}."),
    "lobby.cannot.playing": (
        (
            "Aan de tafel van {title} is het spel al begonnen: Enter kijkt mee. "
            "Zat je eraan? Kies dan “Verder met een spel” (v)."
        ),
        (
            "The game at the table of {title} has begun: Enter looks on. "
            "Were you in it? Then choose “Go on with a game” (v)."
        ),
    ),
    "lobby.cannot.sealed": (
        "Alleen wie de tafelcode heeft, kan hier aanschuiven: vraag hem aan de host, druk op Enter en typ hem.",
        "Only who has the table code can join here: ask the host for it, press Enter and type it.",
    ),
    "lobby.cannot.checking": (
        "De tafel van {title} heeft nog niet geantwoord; een ogenblik.",
        "The table of {title} has not answered yet; one moment.",
    ),
    "lobby.cannot.unreachable": (
        "De tafel van {title} laat zich zien maar is niet te bereiken: een firewall bij de host houdt ons tegen.",
        "The table of {title} shows itself but cannot be reached: a firewall at the host keeps us out.",
    ),
    "lobby.cannot.version": (
        "Daar draait versie {theirs} van het spel en hier {ours}: gebruik allebei dezelfde.",
        "Version {theirs} of the game runs there and {ours} here: both must use the same.",
    ),
    "lobby.unknown_version": ("(een andere)", "(another)"),
    # ------------------------------------------------------------------ menu
    "lobby.menu.host": ("Nieuwe tafel openen", "Open a new table"),
    "lobby.menu.address": ("Aanschuiven met code", "Join by code"),
    "lobby.menu.practice": ("Oefenen tegen bots", "Practise against bots"),
    "lobby.menu.resume": ("Verder met een spel", "Go on with a game"),
    "lobby.menu.verify": ("Een spel controleren", "Check a game"),
    "lobby.menu.settings": ("Instellingen", "Settings"),
    "lobby.menu.doctor": ("Dokter: werkt alles?", "Doctor: does all work?"),
    "lobby.menu.help": ("Uitleg en toetsen", "Help and keys"),
    "lobby.menu.quit": ("Stoppen", "Quit"),
    "lobby.about.host": (
        "Jij kiest de regels, het aantal stoelen en de bots; anderen schuiven aan.",
        "You choose the rules, the seats and the bots; others join you.",
    ),
    "lobby.about.address": (
        "Staat een tafel niet in de lijst? Typ de code of het adres op het scherm van de host.",
        "A table is not in the list? Type the code or the address on its host's screen.",
    ),
    "lobby.about.practice": (
        "Meteen spelen, alleen op deze computer. Niemand kijkt mee.",
        "Play at once, on this computer only. Nobody watches.",
    ),
    "lobby.about.resume": (
        "Een onderbroken spel gaat verder waar het was: hand, beurt en stand.",
        "An interrupted game goes on where it was: hand, turn and scores.",
    ),
    "lobby.about.verify": (
        "Rekent een spelbestand van begin tot eind na: is alles eerlijk gegaan?",
        "Computes a game file again from beginning to end: was everything fair?",
    ),
    "lobby.about.settings": ("Je naam, de taal, de tekens en de kleuren.", "Your name, language, symbols and colours."),
    "lobby.about.doctor": (
        "Kijkt naar netwerk, poort, klok, venster en schijf, en zegt wat je kunt doen.",
        "Looks at network, port, clock, window and disk, and says what you can do.",
    ),
    "lobby.about.help": ("Hoe de lobby werkt en wat elke toets doet.", "How the lobby works and what each key does."),
    "lobby.about.quit": ("Tot de volgende keer.", "Until next time."),
    # ------------------------------------------------------------------ typing
    "lobby.field.address": ("Tafelcode of adres: ", "Table code or address: "),
    "lobby.field.address.how": (
        "Zoals 39QM-35, 192.168.1.5 of 192.168.1.5:1883. Enter: aanschuiven, Esc: terug.",
        "Such as 39QM-35, 192.168.1.5 or 192.168.1.5:1883. Enter: join, Esc: back.",
    ),
    "lobby.field.name": ("Jouw naam: ", "Your name: "),
    "lobby.field.name.how": ("Enter: bewaren, Esc: terug.", "Enter: keep, Esc: back."),
    "lobby.field.file": ("Bestand: ", "File: "),
    "lobby.field.file.how": (
        "Het pad van een spelbestand (*.duizenden). Enter: controleren, Esc: terug.",
        "The path of a game file (*.duizenden). Enter: check, Esc: back.",
    ),
    "lobby.code_broker": (
        "Die code hoort bij een andere broker: typ achter de code een spatie en het adres van die broker.",
        "That code belongs to another broker: type a space and the address of that broker behind the code.",
    ),
    "lobby.bad_address": (
        "“{text}” is geen adres. Een adres ziet eruit als 192.168.1.5 of laptop.local:1883.",
        "“{text}” is not an address. An address looks like 192.168.1.5 or laptop.local:1883.",
    ),
    "lobby.no_name": ("Een naam heeft minstens één letter.", "A name has at least one letter."),
    # ------------------------------------------------------------------ under way
    "lobby.watching": ("Meekijken aan de tafel van {title} ...", "Looking on at the table of {title} ..."),
    "lobby.watched": (
        "Wat je gezien hebt is bewaard als {game}; controleren kan met c.",
        "What you have seen is kept as {game}; it can be verified.",
    ),
    "lobby.joining": ("Aanschuiven bij {title} …", "Joining {title} …"),
    "lobby.opening": ("De tafel wordt klaargezet …", "The table is being set …"),
    "lobby.practising": ("De bots schuiven aan …", "The bots are sitting down …"),
    "lobby.resuming": ("Verder met {game} …", "Going on with {game} …"),
    "lobby.begins": ("Het spel begint.", "The game begins."),
    "lobby.leaving": ("De tafel wordt opgeruimd …", "The table is being put away …"),
    "lobby.give_up": ("Esc: laat maar", "Esc: never mind"),
    # ------------------------------------------------------------------ the card
    "lobby.card.opens": ("Enter opent de tafel.", "Enter opens the table."),
    "lobby.card.plays": ("Enter begint het spel.", "Enter begins the game."),
    "lobby.card.house": ("huisregel, anders dan {preset}", "house rule, unlike {preset}"),
    "lobby.card.usual": ("zoals in {preset}", "as in {preset}"),
    "lobby.card.changes.one": ("1 wijziging", "1 change"),
    "lobby.card.changes.many": ("{count} wijzigingen", "{count} changes"),
    "lobby.card.whole": ("De regelkaart in woorden", "The rule card in words"),
    "lobby.card.clash": ("Dit gaat niet samen:", "These do not go together:"),
    "lobby.card.undo": (
        "Zet een van de rijen met {sign} anders, of haal hem terug met Backspace.",
        "Change one of the rows marked {sign}, or take it back with Backspace.",
    ),
    "lobby.no_table": (
        "Zo kan er niet gespeeld worden; los eerst op wat er botst.",
        "It cannot be played like this; first solve what clashes.",
    ),
    "lobby.reset": ("Alles staat weer zoals in {preset}.", "Everything is as in {preset} again."),
    # ------------------------------------------------------------------ the waiting room
    "lobby.room.title": ("Tafel van {title}", "Table of {title}"),
    "lobby.room.card": ("Regelkaart {name}; r toont alle regels.", "Rule card {name}; r shows all of it."),
    "lobby.room.house": ("Huisregels:", "House rules:"),
    "lobby.room.you": ("jij", "you"),
    "lobby.room.bot": ("bot", "bot"),
    "lobby.room.host": ("host", "host"),
    "lobby.room.free": ("vrij", "free"),
    "lobby.room.join": ("Zo schuiven anderen aan", "How others join"),
    "lobby.room.list": (
        "Op hetzelfde netwerk: duizenden starten, deze tafel kiezen.",
        "On the same network: start duizenden, choose this table.",
    ),
    "lobby.room.code": ("Tafelcode: ", "Table code: "),
    "lobby.room.sealed": (
        "De tafel is verzegeld: zonder die code komt niemand erbij.",
        "The table is sealed: nobody gets in without that code.",
    ),
    "lobby.room.address": ("Of op adres:", "Or by address:"),
    "lobby.room.here": (
        "Deze computer heeft geen thuisnetwerk: alleen hier kan iemand aanschuiven.",
        "This computer has no home network: others can join from here only.",
    ),
    "lobby.room.offline": (
        "Geen verbinding met de tafel; er wordt opnieuw geprobeerd.",
        "Not connected to the table; trying again.",
    ),
    "lobby.room.ready": ("Druk op Enter om te beginnen.", "Press Enter to begin."),
    "lobby.room.alone": (
        "Wacht tot er iemand aanschuift, of zet er een bot bij (b).",
        "Wait until somebody joins, or add a bot (b).",
    ),
    "lobby.room.wait": ("Wachten tot {title} begint.", "Waiting for {title} to begin."),
    "lobby.alone": (
        "Er moet nog iemand bij, of zet er een bot bij (b).",
        "Somebody has to join first, or add a bot (b).",
    ),
    "lobby.ask.begin": (
        "Beginnen met {taken} spelers? Er blijven {free} stoelen leeg.",
        "Begin with {taken} players? {free} seats stay empty.",
    ),
    "lobby.ask.close": (
        "De tafel sluiten? Wie er zit, wordt weggestuurd.",
        "Close the table? Whoever sits here is sent away.",
    ),
    "lobby.ask.remove": ("{name} wegsturen?", "Send {name} away?"),
    "lobby.ask.how": ("Enter: ja, andere toets: nee", "Enter: yes, any other key: no"),
    "lobby.evidence": (
        "Het bewijs van wie er genoemd is, staat in {file} (nakijken: duizenden verify --evidence).",
        "The proof of who was named is in {file} (to check it: duizenden verify --evidence).",
    ),
    "lobby.left": (
        "Het spel is bewaard; verder gaat het met “Verder met een spel” (v).",
        "The game is saved; go on with “Go on with a game” (v).",
    ),
    "lobby.closed": ("De tafel is gesloten.", "The table is closed."),
    "lobby.no_rules": ("De regels zijn nog niet bekend.", "The rules are not known yet."),
    # ------------------------------------------------------------------ saved games and files
    "lobby.wait": ("Een ogenblik …", "One moment …"),
    "lobby.games.none": ("Er zijn geen bewaarde spellen.", "There are no saved games."),
    "lobby.games.busy": ("wordt nu gespeeld", "being played now"),
    "lobby.games.over": ("afgelopen", "ended"),
    "lobby.games.round": ("ronde {round}", "round {round}"),
    "lobby.games.new": ("net begonnen", "just begun"),
    "lobby.game_busy": ("Dat spel wordt al in een ander venster gespeeld.", "That game is being played elsewhere."),
    "lobby.game_over": ("Dat spel is afgelopen; controleren kan wel (c).", "That game is over; it can be checked (c)."),
    "lobby.files.none": (
        "Er zijn nog geen spelbestanden; na een spel staat er hier een.",
        "There are no game files yet; after a game there is one here.",
    ),
    "lobby.files.size": ("{size} kB", "{size} kB"),
    "lobby.verify.running": ("Bezig met narekenen …", "Computing it again …"),
    # ------------------------------------------------------------------ settings
    "lobby.setting.name": ("Jouw naam", "Your name"),
    "lobby.setting.lang": ("Taal", "Language"),
    "lobby.setting.symbols": ("Tekens", "Symbols"),
    "lobby.setting.theme": ("Kleuren", "Colours"),
    "lobby.setting.notice": ("Melding bij je beurt", "Notice of your turn"),
    "lobby.value.notice.on": ("aan", "on"),
    "lobby.value.notice.off": ("uit", "off"),
    "lobby.value.lang.nl": ("Nederlands", "Nederlands"),
    "lobby.value.lang.en": ("English", "English"),
    "lobby.value.symbols.signs": ("kaarttekens {signs}", "card signs {signs}"),
    "lobby.value.symbols.letters": ("alleen letters", "letters only"),
    "lobby.value.theme.dark": ("groen laken", "green felt"),
    "lobby.value.theme.light": ("licht", "light"),
    "lobby.value.theme.contrast": ("hoog contrast", "high contrast"),
    "lobby.value.theme.four": ("vier kleuren voor de kaarten", "four colours for the cards"),
    "lobby.value.theme.mono": ("zonder kleur", "no colour"),
    "lobby.setting.name.about": ("Zo sta je aan tafel. Enter: wijzigen.", "How you sit at the table. Enter: change."),
    "lobby.setting.lang.about": ("De taal van alles op het scherm.", "The language of everything on the screen."),
    "lobby.setting.symbols.about": (
        "Kies letters als je venster de kaarttekens niet goed laat zien.",
        "Choose letters if your window does not show the card signs well.",
    ),
    "lobby.setting.theme.about": ("Voorbeeld: {cards}", "Example: {cards}"),
    "lobby.setting.notice.about": (
        "Een melding op je bureaublad als je aan de beurt bent maar in een ander venster zit. Bel en titel blijven.",
        "A notice on your desktop when it is your turn and you are in another window. Bell and title stay.",
    ),
    "lobby.setting.kept": (
        "Wat je hier kiest wordt meteen bewaard en geldt ook aan tafel.",
        "What you choose here is kept at once and holds at the table too.",
    ),
    # ------------------------------------------------------------------ keys
    "lobby.key.move": ("kiezen", "move"),
    "lobby.key.change": ("wijzigen", "change"),
    "lobby.key.edges": ("begin en eind", "first and last"),
    "lobby.key.leaf": ("bladeren", "page"),
    "lobby.key.choose": ("doen", "do it"),
    "lobby.key.open": ("openen", "open"),
    "lobby.key.back": ("terug", "back"),
    "lobby.key.leave": ("weggaan", "leave"),
    "lobby.key.topic": ("onderwerp", "topic"),
    "lobby.key.reset": ("herstel", "reset"),
    "lobby.key.reset_all": ("herstel alles", "reset all"),
    "lobby.key.host": ("nieuwe tafel", "new table"),
    "lobby.key.address": ("code", "code"),
    "lobby.key.practice": ("oefenen", "practise"),
    "lobby.key.resume": ("verder", "go on"),
    "lobby.key.verify": ("controleren", "check"),
    "lobby.key.settings": ("instellingen", "settings"),
    "lobby.key.doctor": ("dokter", "doctor"),
    "lobby.key.look": ("opnieuw", "again"),
    "lobby.key.rules": ("regels", "rules"),
    "lobby.key.help": ("uitleg", "help"),
    "lobby.key.quit": ("stoppen", "quit"),
    "lobby.key.bot": ("bot erbij", "add a bot"),
    "lobby.key.remove": ("wegsturen", "send away"),
    "lobby.key.begin": ("beginnen", "begin"),
    "lobby.key.path": ("ander bestand", "other file"),
    "lobby.key.yes": ("ja", "yes"),
    "lobby.key.no": ("nee", "no"),
    "lobby.key.stop": ("laat maar", "never mind"),
    "lobby.key.done": ("klaar", "done"),
    # ------------------------------------------------------------------ help
    "lobby.help.1": (
        (
            "Samen spelen: één opent een tafel, de anderen kiezen die in de lijst. Alle computers zitten op hetzelfde "
            "netwerk; een server of account is er niet."
        ),
        (
            "Playing together: one opens a table, the others choose it in the list. All computers are on the same "
            "network; there is no server and no account."
        ),
    ),
    "lobby.help.2": (
        "Grijze tafels kun je niet kiezen; Enter zegt waarom. Wat “open” heet, is echt bereikt.",
        "Grey tables cannot be chosen; Enter says why. What is called “open” has really been reached.",
    ),
    "lobby.help.3": (
        "De regels liggen vast zodra het spel begint: iedereen tekent voor dezelfde regelkaart.",
        "The rules are fixed once the game begins: everybody signs the same rule card.",
    ),
    "lobby.help.keys": ("Toetsen: {place}", "Keys: {place}"),
    "lobby.page": ("{first}-{last} van {total}", "{first}-{last} of {total}"),
}
