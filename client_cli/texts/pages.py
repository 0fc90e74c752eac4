"""The texts of the pages over the table: results, scores, log, fairness, help, and what stands in its place."""

PAGES: dict[str, tuple[str, str]] = {
    # ------------------------------------------------------------------ titles
    "page.pot": ("De pot", "The pot"),
    "page.scores": ("Scores", "Scores"),
    "page.result": ("Ronde {number} geteld", "Round {number} scored"),
    "page.final": ("Het spel is afgelopen", "The game is over"),
    "page.rules": ("Afgesproken regels: {name}", "Agreed rules: {name}"),
    "page.log": ("Verloop (nieuwste boven)", "What happened (newest first)"),
    "page.fairness": ("Eerlijk spel", "Fair play"),
    "page.help": ("Toetsen", "Keys"),
    "page.scroll": ("PgUp/PgDn: regel {first}–{last} van {total}", "PgUp/PgDn: lines {first}–{last} of {total}"),
    # ------------------------------------------------------------------ pot
    "pot.count": ("{count}, bovenste eerst:", "{count}, top first:"),
    "pot.empty": ("De pot is leeg.", "The pot is empty."),
    # ------------------------------------------------------------------ scores and result
    "scores.none": ("Er is nog geen ronde geteld.", "No round has been scored yet."),
    "scores.round": ("ronde", "round"),
    "scores.total": ("totaal", "total"),
    "scores.net": ("eindscore", "final score"),
    "scores.net_how": (
        "Eindscore: je totaal min het gemiddelde van de anderen.",
        "Final score: your total minus the average of the others.",
    ),
    "scores.race": ("De race naar {target}", "The race to {target}"),
    "result.out": ("{name} is uitgegaan.", "{name} went out."),
    "result.nobody": ("Niemand is uitgegaan; de ronde liep dood.", "Nobody went out; the round came to a standstill."),
    "result.player": ("speler", "player"),
    "result.table": ("op tafel", "on table"),
    "result.hand": ("in hand", "in hand"),
    "result.points": ("ronde", "round"),
    "result.total": ("totaal", "total"),
    "result.hands": ("Wat ieder nog in de hand had", "What everybody still held"),
    "result.empty_hand": ("geen kaarten", "no cards"),
    "result.penalty": (
        "Straf voor geen “laatste kaart” zeggen: {who}.",
        "Penalty for not calling “last card”: {who}.",
    ),
    "result.fair_all": (
        "Nagerekend: er is eerlijk geschud, en iedereen tekende deze score.",
        "Recomputed: every shuffle was fair, and everybody signed this score.",
    ),
    "result.fair_not": (
        "Let op: niet elke schudbeurt kon worden goedgekeurd.",
        "Beware: not every shuffle could be approved.",
    ),
    "result.winner": ("{names} heeft gewonnen!", "{names} has won!"),
    "result.winners": ("{names} winnen samen!", "{names} win together!"),
    # ------------------------------------------------------------------ verdicts
    "verdict.0": ("in orde", "in order"),
    "verdict.1": ("zaad klopt niet", "seed does not match"),
    "verdict.2": ("schudbeurt klopt niet", "shuffle does not match"),
    "verdict.255": ("niet nagerekend", "not recomputed"),
    # ------------------------------------------------------------------ fairness
    "fair.handshake": ("De drie kaarten van deze tafel: {cards}", "The three cards of this table: {cards}"),
    "fair.handshake_how": (
        "Noem ze hardop: wie andere ziet, zit aan een andere tafel, hoe echt die ook lijkt.",
        "Say them aloud: whoever sees others sits at another table, however real it looks.",
    ),
    "fair.intro": (
        "Niemand deelt deze kaarten: iedere speler heeft het spel geschud en op slot gedaan.",
        "Nobody deals these cards: every player has shuffled and locked the deck.",
    ),
    "fair.locks": (
        "Pas als alle anderen hun sleuteldeel geven, zie jij je kaart, en niemand anders.",
        "Only when all others give their part of the key do you see your card, and nobody else does.",
    ),
    "fair.one_honest": (
        "Is één speler aan tafel eerlijk, dan is elke volgorde van de kaarten even waarschijnlijk.",
        "If one player at the table is honest, every order of the cards is equally likely.",
    ),
    "fair.shuffled": (
        "Geschud door iedereen, na elkaar: {names}.",
        "Shuffled by everybody, one after another: {names}.",
    ),
    "fair.odds": ("Kansen bij het delen, met {hand} van {size} kaarten", "Odds of the deal, {hand} of {size} cards"),
    "note.verifying": ("Het spel wordt nagekeken ...", "The game is being verified ..."),
    "note.verified": (
        "Alles klopt: {proofs} bewijzen tot en met stap {step}, opnieuw nagekeken uit {file}.",
        "All is well: {proofs} proofs up to step {step}, verified again from {file}.",
    ),
    "note.verified_fault": (
        "Nagekeken uit {file}: {names} deed iets wat niet mag (stap {step}, {code}).",
        "Verified from {file}: {names} did what is not allowed (step {step}, {code}).",
    ),
    "note.verified_not": ("Nakijken lukt niet: {code}.", "It cannot be verified: {code}."),
    "fair.checked": ("Door deze computer zelf nagekeken in dit spel", "Checked by this very computer in this game"),
    "fair.signatures": ("handtekeningen onder berichten", "signatures under messages"),
    "fair.commitments": ("vooraf vastgelegde geheimen", "secrets fixed beforehand"),
    "fair.shuffle_proofs": ("bewijzen van schudbeurten", "proofs of shuffles"),
    "fair.shares": ("sleuteldelen van kaarten", "key shares of cards"),
    "fair.opened_cards": ("geopende kaarten", "opened cards"),
    "fair.moves": ("zetten nagekeken en in orde", "moves checked and legal"),
    "fair.audited_shuffles": ("schudbeurten achteraf nagerekend", "shuffles recomputed afterwards"),
    "fair.before": ("(vóór de herstart nagekeken)", "(checked before the restart)"),
    "fair.verdicts": ("Oordeel per ronde", "Verdict on each round"),
    "fair.round": ("ronde {number}", "round {number}"),
    "fair.no_rounds": (
        "Na elke ronde worden de geheimen getoond en rekent iedereen alle schudbeurten na.",
        "After each round the secrets are shown and everybody recomputes all shuffles.",
    ),
    "fair.head": ("Stand van het logboek: stap {step}, {head}", "Head of the log: step {step}, {head}"),
    "fair.same_head": (
        "Bij alle spelers staat op dezelfde stap dezelfde code.",
        "At the same step every player has the same code.",
    ),
    "fair.limits": ("Wat niemand kan voorkomen", "What nobody can prevent"),
    "fair.limit.talk": (
        "Spelers die elkaar buiten het spel om iets vertellen.",
        "Players who tell each other things outside the game.",
    ),
    "fair.limit.bots": (
        "Bots draaien op de computer van wie ze meebracht.",
        "Bots run on the computer of whoever brought them.",
    ),
    "fair.limit.leave": (
        "Wie wegloopt kan een ronde laten stoppen, maar wint er niets mee.",
        "Whoever walks away can stop a round, but gains nothing by it.",
    ),
    "fair.limit.pot": (
        "Kaarten onder in de pot zijn ooit open weggegooid; wie oplette, kent ze.",
        "Cards deep in the pot were discarded openly; whoever watched knows them.",
    ),
    "fair.seeded": (
        "Dit is een proefspel met een bekend zaad: de kaarten zijn niet geheim.",
        "This is a test game from a known seed: the cards are not secret.",
    ),
    # ------------------------------------------------------------------ instead of the table
    "compare.cards": ("De drie kaarten van deze tafel: {cards}", "The three cards of this table: {cards}"),
    "compare.how": (
        (
            "Laat iedereen ze hardop noemen en typ het nummer van wie dezelfde drie ziet. "
            "Noemt iemand andere kaarten? Begin dan niet: die zit aan een andere tafel."
        ),
        (
            "Let everybody say them aloud, and type the number of whoever sees the same three. "
            "Does somebody name other cards? Do not begin: that player sits at another table."
        ),
    ),
    "compare.wait": (
        (
            "Noem ze hardop. {host} begint als iedereen dezelfde drie ziet. "
            "Noemt {host} andere kaarten? Ga dan weg: je zit aan een andere tafel."
        ),
        (
            "Say them aloud. {host} begins when everybody sees the same three. "
            "Does {host} name other cards? Leave: you sit at another table."
        ),
    ),
    "compare.same": ("dezelfde drie", "the same three"),
    "compare.not_yet": ("nog niet genoemd", "not named yet"),
    "turn.compare": ("Vergelijk de drie kaarten met iedereen.", "Compare the three cards with everybody."),
    "turn.compared": ("Iedereen ziet dezelfde kaarten: Enter begint.", "Everybody sees the same cards: Enter begins."),
    "note.compare_first": (
        "Eerst noemt iedereen de drie kaarten: typ het nummer van wie dezelfde ziet.",
        "First everybody names the three cards: type the number of whoever sees the same.",
    ),
    "setup.title": ("Iedereen schudt de kaarten", "Everybody shuffles the cards"),
    "setup.dealing": ("De kaarten worden gedeeld", "The cards are being dealt"),
    "setup.seating": ("De spelers gaan zitten", "The players take their seats"),
    "setup.progress": ("stap {done} van {total}", "step {done} of {total}"),
    "setup.why.seat": (
        "Iedereen tekent voor de regels, de namen en de plaatsen.",
        "Everybody signs the rules, the names and the seats.",
    ),
    "setup.why.commit": (
        "Iedereen legt zijn geheimen vast voordat er iets bekend is.",
        "Everybody fixes their secrets before anything is known.",
    ),
    "setup.why.open": (
        "De vastgelegde sleutels worden getoond en vergeleken.",
        "The fixed keys are shown and compared.",
    ),
    "setup.why.shuffle": (
        "Om de beurt schudt en versleutelt iedere speler het hele spel, met bewijs.",
        "In turn every player shuffles and encrypts the whole deck, with proof.",
    ),
    "setup.why.ready": (
        "Iedereen bevestigt hetzelfde geschudde spel.",
        "Everybody confirms the same shuffled deck.",
    ),
    "setup.why.deal": (
        "Iedereen geeft de sleuteldelen voor de handen van de anderen.",
        "Everybody gives the key shares for the others' hands.",
    ),
    "setup.why.other": (
        "De spelers bereiden samen de kaarten voor.",
        "The players prepare the cards together.",
    ),
    "fault.title": ("Het spel is gestopt", "The game has stopped"),
    "fault.where": ("Stap {step}, code {fault}.", "Step {step}, code {fault}."),
    "fault.kept": (
        "Het bewijs is ondertekend en bewaard; wie dan ook kan het nakijken met “duizenden verify --evidence”.",
        "The evidence is signed and kept; anybody can check it with “duizenden verify --evidence”.",
    ),
    "fault.yours": (
        "De punten van eerdere rondes blijven staan.",
        "The points of earlier rounds stand.",
    ),
    # ------------------------------------------------------------------ help
    "help.turn": ("Je beurt", "Your turn"),
    "help.hand": ("Je hand", "Your hand"),
    "help.pages": ("Bladzijden", "Pages"),
    "help.signs": ("Tekens", "Signs"),
    "help.move": ("naar een andere kaart", "go to another card"),
    "help.row": (
        "naar een andere rij van je hand; op een bladzijde: een regel",
        "another row of your hand; on a page: a line",
    ),
    "help.edge": ("naar de eerste of laatste kaart", "go to the first or last card"),
    "help.toggle": ("kies de kaart, of laat hem los", "select the card, or let it go"),
    "help.accept": ("doe wat aangeboden wordt; zeg ja", "do what is offered; say yes"),
    "help.choose": ("doe het aanbod met dit nummer", "do the offer with this number"),
    "help.verify": (
        "op de pagina over eerlijkheid: kijk het hele spel na uit zijn bestand",
        "on the fairness page: verify the whole game from its file",
    ),
    "help.more": ("toon de volgende negen aanbiedingen", "show the next nine offers"),
    "help.cancel": ("laat alles los; terug naar de tafel", "let everything go; back to the table"),
    "help.cancel_page": ("terug naar de tafel", "back to the table"),
    "help.stock": ("pak een kaart van de stapel", "draw a card from the stock"),
    "help.pot": ("pak de pot; ruil de open kaart", "take the pot; exchange the open card"),
    "help.take_pot": ("pak de pot", "take the pot"),
    "help.decline": ("laat de open kaart liggen", "leave the open card"),
    "help.discard": ("gooi de gekozen kaart weg: einde van je beurt", "discard the selected card: end of your turn"),
    "help.undo": ("neem het laatste van deze beurt terug", "take back the last thing of this turn"),
    "help.call_last": ("zeg “laatste kaart” bij het weggooien", "call “last card” with the discard"),
    "help.sort": ("orden je hand: kleur, waarde, combinaties, eigen", "order your hand: suit, rank, melds, own"),
    "help.shift": ("verschuif de kaart in je hand", "move the card along your hand"),
    "help.hint": ("toon wat je het best kunt leggen", "show what is best to lay"),
    "help.scroll": ("blader door de tafel of een bladzijde", "scroll the table or a page"),
    "help.view_pot": ("bekijk de pot", "look at the pot"),
    "help.help": ("deze bladzijde", "this page"),
    "help.scores": ("scores", "scores"),
    "help.rules": ("de afgesproken regels", "the agreed rules"),
    "help.log": ("wat er gebeurd is", "what happened"),
    "help.fairness": ("waarom het eerlijk is", "why it is fair"),
    "help.next_round": ("klaar voor de volgende ronde", "ready for the next round"),
    "help.leave": ("verlaat de tafel", "leave the table"),
    "help.sign.turn": ("is aan de beurt", "is to move"),
    "help.sign.new": ("nieuw in je hand, of nog niet verstuurd", "new in your hand, or not sent yet"),
    "help.sign.must": ("moet meteen gelegd worden", "has to be laid at once"),
    "help.sign.joker": ("joker, met de kaart die hij voorstelt", "joker, with the card it stands for"),
    "help.sign.meld": ("nummer van een combinatie op tafel", "number of a meld on the table"),
    "help.sign.raised": ("een gekozen kaart steekt omhoog", "a selected card stands up"),
    "help.sign.cursor": ("een dikke rand: daar ben je", "a heavy edge: that is where you are"),
}
