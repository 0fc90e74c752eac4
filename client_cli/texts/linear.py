"""The texts of the plain lines: what the full screen shows by its drawing is said in words here.

A code that begins with `linear.` and goes on as another code is the wording of that one for plain lines.
"""

LINEAR: dict[str, tuple[str, str]] = {
    # ------------------------------------------------------------------ words in lines
    "linear.stands_for": ("{card} als {meaning}", "{card} as {meaning}"),
    "linear.meld_tag": ("combinatie {number}", "meld {number}"),
    "linear.new": ("(nieuw)", "(new)"),
    "linear.picked": ("(gekozen)", "(selected)"),
    "linear.choice": ("{number}. {text}", "{number}. {text}"),
    "linear.prompt": ("Wat doe je?", "What will you do?"),
    "linear.welcome": (
        "Aan tafel: {names}. Regelkaart {rules}, wie het eerst {target} punten heeft wint.",
        "At the table: {names}. Rule card {rules}, the first to reach {target} points wins.",
    ),
    "linear.welcome.help": (
        "Typ help voor alle woorden, of een lege regel om te horen waar je aan toe bent.",
        "Type help for all words, or an empty line to hear where you stand.",
    ),
    "linear.link.up": ("De verbinding is er weer.", "The connection is back."),
    # ------------------------------------------------------------------ other wordings of the screen's sentences
    "linear.turn.draw": ("Jij bent aan de beurt. Pak een kaart.", "It is your turn. Draw a card."),
    "linear.turn.draw.no_pot": (
        "Jij bent aan de beurt. Pak een kaart van de stapel; de pot kan nu niet: {why}",
        "It is your turn. Draw from the stock; the pot cannot be taken now: {why}",
    ),
    "linear.turn.draw.empty": (
        "Jij bent aan de beurt. Pak een kaart van de stapel; de pot is leeg.",
        "It is your turn. Draw from the stock; the pot is empty.",
    ),
    "linear.turn.draw.meld": (
        "Jij bent aan de beurt. Pak van de stapel, of noem kaarten die passen bij {top}, bovenop de pot ({count}).",
        "It is your turn. Draw from the stock, or name cards that go with {top}, the top of the pot ({count}).",
    ),
    "linear.turn.play": (
        "Noem kaarten om te horen wat ermee kan; je beurt eindigt als je er een weggooit (weg en de kaart).",
        "Name cards to hear what they can do; your turn ends when you discard one (discard and the card).",
    ),
    "linear.turn.empty": ("Je hebt geen kaarten meer in je hand.", "You have no cards left in your hand."),
    "linear.turn.exchange.card": (
        "Jij bent aan de beurt. De open kaart is {top}: ruil hem (ruil en de kaart die je teruggeeft), of pas.",
        "It is your turn. The open card is {top}: exchange it (exchange and the card you return), or pass.",
    ),
    "linear.turn.between": (
        "De ronde is geteld. Klaar voor de volgende?",
        "The round has been scored. Ready for the next one?",
    ),
    "linear.turn.between.void": (
        "De ronde is vervallen. Klaar voor de volgende?",
        "The round is void. Ready for the next one?",
    ),
    "linear.turn.out": ("Je speelt niet meer mee en kijkt toe.", "You no longer play and are looking on."),
    "linear.between.ready": ("Jij bent klaar; wachten op de anderen.", "You are ready; waiting for the others."),
    "linear.ask.discard_all": (
        "Beurt beëindigen? Wat je hebt klaargelegd ligt dan vast, {cards} gaat weg en je houdt {left} over.",
        "End the turn? What you have arranged is then final, {cards} is discarded and you keep {left}.",
    ),
    "linear.ask.how": ("Typ ja of nee.", "Type yes or no."),
    "linear.ask.how.leave": (
        "Typ ja om voor nu te stoppen en later verder te gaan, nee om te blijven, of voorgoed om niet terug te komen.",
        "Type yes to stop for now and resume later, no to stay, or forever to leave for good.",
    ),
    "linear.not_done": ("Niet gedaan.", "Not done."),
    "linear.not_done.other": (
        "Niet gedaan: op de vraag was ja of nee het antwoord. Typ het nog eens.",
        "Not done: the question wanted yes or no. Type it once more.",
    ),
    "linear.note.select_first": (
        "Noem eerst kaarten, bijvoorbeeld H7 H8 H9 of k 1 2 3.",
        "Name cards first, for example H7 H8 H9 or k 1 2 3.",
    ),
    "linear.note.select_return": (
        "Noem precies één kaart om terug te geven, bijvoorbeeld ruil H7.",
        "Name exactly one card to return, for example exchange H7.",
    ),
    "linear.note.one_discard": (
        "Je kunt maar één kaart weggooien, bijvoorbeeld weg H7.",
        "Only one card can be discarded, for example discard H7.",
    ),
    "linear.note.sort.own": ("Je hand houdt nu deze volgorde.", "Your hand now keeps this order."),
    # ------------------------------------------------------------------ choices
    "linear.do.stock": ("Pak een kaart van de stapel ({count}).", "Draw a card from the stock ({count})."),
    "linear.do.pot": ("Pak de pot: {count}, bovenop {top}.", "Take the pot: {count}, {top} on top."),
    "linear.do.exchange": ("Ruil {card} voor de open kaart {top}.", "Exchange {card} for the open card {top}."),
    "linear.do.decline": ("Pas: laat de open kaart liggen.", "Pass: leave the open card."),
    "linear.do.discard": ("Gooi {card} weg; dat beëindigt je beurt.", "Discard {card}; that ends your turn."),
    "linear.do.end": ("Ga uit zonder kaart weg te gooien.", "Go out without a discard."),
    "linear.do.undo": ("Neem het laatste van deze beurt terug.", "Take back the last thing of this turn."),
    "linear.do.call_last": ("Zeg “laatste kaart” bij het weggooien.", "Call “last card” with the discard."),
    "linear.do.call_back": ("Zeg toch geen “laatste kaart”.", "Do not call “last card” after all."),
    "linear.do.catch": (
        "Betrap {names}, die geen “laatste kaart” zei.",
        "Catch {names}, who did not call “last card”.",
    ),
    "linear.do.claim": ("Wacht niet langer op {names}.", "Wait no longer for {names}."),
    "linear.do.same": ("{name} noemt dezelfde drie kaarten.", "{name} names the same three cards."),
    "linear.do.same_not": (
        "Toch niet: {name} noemt ze niet alle drie.",
        "After all: {name} does not name all three.",
    ),
    "linear.do.begin": ("Begin met schudden.", "Begin to shuffle."),
    "linear.compare.all": ("Iedereen ziet dezelfde kaarten.", "Everybody sees the same cards."),
    "linear.do.next_round": ("Naar de volgende ronde.", "On to the next round."),
    "linear.do.leave": ("Sluit de tafel.", "Close the table."),
    # ------------------------------------------------------------------ the turn as it is arranged
    "linear.chosen": ("Gekozen: {cards}.", "Selected: {cards}."),
    "linear.no_discard": ("{card} weggooien kan nu niet: {why}", "{card} cannot be discarded now: {why}"),
    "linear.drafted": ("{what} (nog terug te nemen)", "{what} (can still be undone)"),
    "linear.took_pot": (
        "Je neemt de pot (nog terug te nemen), bovenste eerst: {cards}.",
        "You take the pot (can still be undone), top first: {cards}.",
    ),
    "linear.undone": ("Teruggenomen.", "Taken back."),
    # ------------------------------------------------------------------ what could not be understood
    "linear.unknown": (
        "Dat ken ik niet. Typ help voor alle woorden, of een lege regel om te horen wat er kan.",
        "I do not know that. Type help for all words, or an empty line to hear what can be done.",
    ),
    "linear.numbers": (
        "Eén nummer is een keuze uit de lijst; kaarten kies je met k, bijvoorbeeld k {numbers}.",
        "One number is a choice from the list; cards are selected with k, for example k {numbers}.",
    ),
    "linear.no_choices": ("Er is nu geen lijst om een nummer uit te kiezen.", "There is no list to choose from now."),
    "linear.no_choice": (
        "Dat nummer staat niet in de lijst: kies 1 tot en met {most}.",
        "That number is not in the list: choose 1 to {most}.",
    ),
    "linear.no_number": (
        "Kaart {number} is er niet: je hand heeft de nummers 1 tot en met {most}.",
        "There is no card {number}: your hand has the numbers 1 to {most}.",
    ),
    "linear.twice": ("Nummer {number} noem je twee keer.", "You name number {number} twice."),
    "linear.no_card": (
        "Dat is geen kaart. Noem een kleur en een waarde, zoals H7, SV, R10 of joker, of een nummer uit je hand.",
        "That is no card. Name a suit and a rank, such as H7, SQ, D10 or joker, or a number of your hand.",
    ),
    "linear.not_held": ("{card} heb je niet in je hand.", "You do not hold {card}."),
    "linear.held_once": ("Zoveel keer heb je {card} niet.", "You do not hold {card} that many times."),
    "linear.which": (
        "{card} heb je twee keer, en een ervan is nieuw: kies met k en het nummer ({numbers}).",
        "You hold {card} twice, and one of them is new: choose with k and its number ({numbers}).",
    ),
    "linear.which_cards": (
        "Welke kaarten? Bijvoorbeeld k 1 2 3, of gewoon H7 H8 H9.",
        "Which cards? For example k 1 2 3, or simply H7 H8 H9.",
    ),
    "linear.which_discard": (
        "Welke kaart gaat weg? Bijvoorbeeld weg H7, of weg 3.",
        "Which card goes? For example discard H7, or discard 3.",
    ),
    # ------------------------------------------------------------------ pages
    "linear.hand": (
        "Je hand: {count}, {points} punten in de hand, {order}.",
        "Your hand: {count}, {points} points in hand, {order}.",
    ),
    "linear.no_hand": ("Je hebt nu geen kaarten.", "You have no cards now."),
    "linear.no_table": ("Er is nog niet gedeeld.", "Nothing has been dealt yet."),
    "linear.owner": ("{name} heeft {points} punten op tafel.", "{name} has {points} points on the table."),
    "linear.meld": ("Combinatie {number} van {name}: {cards}.", "Meld {number} of {name}: {cards}."),
    "linear.meld.draft": (
        "Combinatie {number} van {name}, nog niet verstuurd: {cards}.",
        "Meld {number} of {name}, not sent yet: {cards}.",
    ),
    "linear.seat": ("{name}: {count} in de hand, totaal {total}.", "{name}: {count} in hand, total {total}."),
    "linear.stock": ("De stapel: {count}.", "The stock: {count}."),
    "linear.open_card": ("De open kaart: {card}.", "The open card: {card}."),
    "linear.pot": ("De pot: {count}, bovenste eerst: {cards}.", "The pot: {count}, top first: {cards}."),
    "linear.score": ("{name}: totaal {total}; per ronde {rounds}.", "{name}: total {total}; by round {rounds}."),
    "linear.score.net": ("Eindscore {net}.", "Final score {net}."),
    "linear.result": (
        "{name}: {table} op tafel, {hand} in de hand ({held}), ronde {points}, totaal {total}.",
        "{name}: {table} on table, {hand} in hand ({held}), round {points}, total {total}.",
    ),
    "linear.result.gone": ("{name}: totaal {total}.", "{name}: total {total}."),
    "linear.log.empty": ("Er is nog niets gebeurd.", "Nothing has happened yet."),
    "linear.replay.whole": (
        "Tot zover het hele spel; alles is nagerekend.",
        "That was the whole game; all of it checked.",
    ),
    "linear.replay.prefix": (
        "Verder gaat dit bestand niet; tot hier is alles nagerekend.",
        "This file goes no further; up to here all of it is checked.",
    ),
    # ------------------------------------------------------------------ help
    "linear.help.choice": (
        "Een nummer kiest uit de laatst genoemde lijst.",
        "A number chooses from the list that was told last.",
    ),
    "linear.help.cards": (
        "Noem kaarten (H7 H8 H9), of kies ze met k en hun nummers in je hand (k 3 4 5), en je hoort wat ze kunnen.",
        "Name cards (H7 H8 H9), or select them with k and their numbers in your hand (k 3 4 5): you hear what they do.",
    ),
    "linear.help.card_names": (
        "S is schoppen, H harten, R ruiten, K klaveren; A aas, B boer, V vrouw, H heer; SV is schoppenvrouw.",
        "S is spades, H hearts, D diamonds, C clubs; A ace, J jack, Q queen, K king; SQ is the queen of spades.",
    ),
    "linear.help.empty": (
        "Een lege regel zegt opnieuw waar je aan toe bent, en doet verder niets.",
        "An empty line tells again where you stand, and does nothing else.",
    ),
    "linear.help.one": ("{word}: {what}.", "{word}: {what}."),
    "linear.help.two": ("{word} of {short}: {what}.", "{word} or {short}: {what}."),
    "linear.help.exchange": (
        "ruil de open kaart voor een kaart van jou, bijvoorbeeld ruil H7",
        "exchange the open card for one of yours, for example exchange H7",
    ),
    "linear.help.select": ("kies kaarten, bijvoorbeeld k 1 2 3", "select cards, for example k 1 2 3"),
    "linear.help.clear": ("laat alle gekozen kaarten los", "let all selected cards go"),
    "linear.help.lay": (
        "leg kaarten uit of aan als dat maar op één manier kan, bijvoorbeeld leg H7 H8 H9",
        "lay cards or lay them off if there is just one way, for example lay H7 H8 H9",
    ),
    "linear.help.discard": (
        "gooi een kaart weg, bijvoorbeeld weg H7: einde van je beurt",
        "discard a card, for example discard H7: end of your turn",
    ),
    "linear.help.hand": ("jouw kaarten met hun nummers", "your cards with their numbers"),
    "linear.help.table": (
        "wat er op tafel ligt, wie hoeveel kaarten heeft, stapel en pot",
        "what lies on the table, who holds how many cards, stock and pot",
    ),
    "linear.help.result": ("de uitslag van de laatste ronde", "the result of the last round"),
    "linear.help.log": (
        "wat er het laatst gebeurd is; verloop 100 voor de laatste honderd regels",
        "what happened last; log 100 for the last hundred lines",
    ),
    "linear.help.say": (
        "zeg iets tegen de tafel, bijvoorbeeld zeg hallo, of zeg 1 voor een vaste zin",
        "say something to the table, for example say hello, or say 1 for a phrase",
    ),
    "linear.help.verify": (
        "kijk het hele spel tot nu toe na uit zijn bestand",
        "verify the whole game so far from its file",
    ),
    "linear.fair.verify": (
        "Typ nakijken om het hele spel tot nu toe uit zijn bestand te laten nakijken.",
        "Type verify to have the whole game so far verified from its file.",
    ),
    "linear.help.mute": (
        "demp een speler of hoor die weer, bijvoorbeeld demp 1",
        "mute a player or hear them again, for example mute 1",
    ),
    "linear.phrase": ("zeg {number}: {phrase}", "say {number}: {phrase}"),
    "linear.heard": ("{number}: {name}", "{number}: {name}"),
    "linear.muted": ("{number}: {name}, gedempt", "{number}: {name}, muted"),
    "linear.note.away": (
        "De anderen zien dat je even weg bent. Met even, of met een zet, ben je er weer.",
        "The others see that you are away for a moment. With away, or with a move, you are back.",
    ),
    "linear.turn.paused": (
        "Pauze, gevraagd door {name}. Er wordt op iedereen gewacht. Typ pauze om verder te gaan, of doe een zet.",
        "Pause, asked for by {name}. Everybody is waited for. Type pause to go on, or just make a move.",
    ),
    "linear.help.help": ("deze uitleg", "this help"),
}
