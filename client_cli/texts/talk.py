"""The texts of talk at the table: chat, phrases, who is away, the pause."""

TALK: dict[str, tuple[str, str]] = {
    # ------------------------------------------------------------------ phrases (spec/50-transport.md 4.3)
    "phrase.1": ("Goed gespeeld!", "Well played!"),
    "phrase.2": ("Dank je wel.", "Thank you."),
    "phrase.3": ("Moment, ik denk na.", "One moment, I am thinking."),
    "phrase.4": ("Jij bent aan de beurt.", "It is your turn."),
    "phrase.5": ("Sorry!", "Sorry!"),
    "phrase.6": ("Pech!", "Bad luck!"),
    "phrase.7": ("Zo terug.", "Back in a moment."),
    "phrase.8": ("Ik ben er weer.", "I am back."),
    "phrase.9": ("Nog een potje?", "Another game?"),
    # ------------------------------------------------------------------ the line that is typed
    "talk.prompt": ("Zeg:", "Say:"),
    "talk.means": ("= {phrase}", "= {phrase}"),
    "one.messages": ("{count} bericht", "{count} message"),
    "many.messages": ("{count} berichten", "{count} messages"),
    # ------------------------------------------------------------------ the log
    "talk.said": ("{name}: {text}", "{name}: {text}"),
    "talk.phrase": ("{name}: {phrase}", "{name}: {phrase}"),
    "talk.away": ("{name} is even weg.", "{name} is away for a moment."),
    "talk.back": ("{name} is er weer.", "{name} is back."),
    "talk.pause": ("{name} vraagt een pauze.", "{name} asks for a pause."),
    "talk.go_on": ("{name} speelt verder: de pauze is voorbij.", "{name} goes on: the pause is over."),
    # ------------------------------------------------------------------ seats, header, whose turn
    "seat.away": ("even weg", "away"),
    "header.paused": ("PAUZE", "PAUSE"),
    "turn.paused": (
        "Pauze, gevraagd door {name}. Er wordt op iedereen gewacht. Verder: z, of doe gewoon een zet.",
        "Pause, asked for by {name}. Everybody is waited for. To go on: z, or just make a move.",
    ),
    "turn.paused.watch": ("Pauze, gevraagd door {name}.", "Pause, asked for by {name}."),
    "notice.turn": ("Duizenden: jij bent aan de beurt.", "Duizenden: it is your turn."),
    # ------------------------------------------------------------------ the page
    "page.talk": ("Praten", "Talk"),
    "talk.hear": ("je hoort wat hier gezegd wordt", "you hear what is said here"),
    "talk.muted": ("gedempt", "muted"),
    "talk.how": (
        "Druk een nummer om die speler te dempen of weer te horen. De ander merkt dat niet; zetten tellen gewoon.",
        "Press a number to mute that player or to hear them again. They are not told, and their moves count as ever.",
    ),
    "talk.public": (
        "Iedereen aan tafel leest wat je zegt. Het wordt niet bewaard, en hoort niet bij het spel.",
        "Everybody at the table reads what you say. It is not kept, and is no part of the game.",
    ),
    "talk.newest": ("Gezegd (nieuwste boven)", "Said (newest first)"),
    "talk.nothing": ("Er is nog niets gezegd. Met m begin je.", "Nothing has been said yet. Begin with m."),
    # ------------------------------------------------------------------ notes and refusals
    "note.listen_only": ("Wie meekijkt kan hier niets zeggen.", "Those who watch cannot say anything here."),
    "note.muted": ("{seats} hoor je nu niet meer.", "You no longer hear {seats}."),
    "note.unmuted": ("{seats} hoor je weer.", "You hear {seats} again."),
    "note.away": (
        "De anderen zien dat je even weg bent. Met i, of met een zet, ben je er weer.",
        "The others see that you are away for a moment. With i, or with a move, you are back.",
    ),
    "note.back": ("De anderen zien dat je er weer bent.", "The others see that you are back."),
    "talk.no.not-so-fast": (
        "Niet zo snel: wacht een paar tellen en zeg het dan.",
        "Not so fast: wait a few seconds, then say it.",
    ),
    "talk.no.nobody-hears": (
        "Er is geen verbinding: niemand zou het horen.",
        "There is no connection: nobody would hear it.",
    ),
    "talk.no.nothing-said": ("Er staat niets dat gezegd kan worden.", "There is nothing in it that can be said."),
    "talk.no.no-pause": (
        "Aan deze tafel kan geen pauze meer gevraagd worden.",
        "No pause can be asked for at this table any more.",
    ),
    "node/paused": (
        "Het is pauze: niemand wordt nu opgegeven. Verder spelen: z.",
        "There is a pause: nobody is given up now. To go on: z.",
    ),
    # ------------------------------------------------------------------ keys
    "key.talk": ("praat", "talk"),
    "key.talk_page": ("dempen", "mute"),
    "key.read": ("lees", "read"),
    "key.send": ("stuur", "send"),
    "key.drop": ("laat maar", "never mind"),
    "key.erase": ("wis een letter", "erase"),
    "key.mute": ("demp", "mute"),
    "key.away": ("even weg", "away"),
    "key.back_again": ("weer terug", "back"),
    "key.pause": ("pauze", "pause"),
    "key.go_on": ("verder spelen", "go on"),
    "help.talk_group": ("Praten", "Talk"),
    "help.talk": ("zeg iets: typ het, of het cijfer van een vaste zin", "say something: type it, or a phrase's digit"),
    "help.send": ("stuur wat je typt", "send what you type"),
    "help.drop": ("stuur het niet", "do not send it"),
    "help.erase": ("haal de laatste letter weg", "take the last letter away"),
    "help.talk_page": ("wat er gezegd is; demp een speler", "what has been said; mute a player"),
    "help.away": ("even weg, of weer terug", "away for a moment, or back"),
    "help.pause": ("vraag een pauze, of speel verder", "ask for a pause, or go on"),
}
