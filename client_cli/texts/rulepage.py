"""The rule page in words: sections, labels, and the sentences that only the full page needs."""

RULE_PAGE: dict[str, tuple[str, str]] = {
    "rulepage.section.aim": ("Doel", "Aim"),
    "rulepage.section.preparation": ("Voorbereiding", "Preparation"),
    "rulepage.section.turn": ("De beurt", "The turn"),
    "rulepage.section.melds": ("Combinaties", "Melds"),
    "rulepage.section.special": ("Bijzondere kaarten", "Special cards"),
    "rulepage.section.pot": ("De pot", "The pot"),
    "rulepage.section.going_out": ("Uitgaan", "Going out"),
    "rulepage.section.scoring": ("Punten", "Scoring"),
    "rulepage.section.end": ("Einde van het spel", "End of the game"),
    "rulepage.section.other": ("Andere huisregels", "Other house rules"),
    "rulepage.label.rule": ("regel", "rule"),
    "rulepage.label.house": ("huisregel", "house rule"),
    "rulepage.label.choice": ("onze keuze", "our choice"),
    "rulepage.legend": ("Wat erachter staat:", "What the labels say:"),
    "rulepage.legend.rule": ("zo hoort het bij {preset}.", "this belongs to {preset}."),
    "rulepage.legend.house": ("hier wijkt deze tafel af van {preset}.", "here this table deviates from {preset}."),
    "rulepage.legend.choice": (
        "de bronnen zwijgen hierover, geheel of ten dele; zo spelen wij het.",
        "the sources are silent about this, wholly or in part; this is how we play it.",
    ),
    # ------------------------------------------------------------------ instead of the short card's fragments
    "rulepage.opening_joker": (
        "Jokers tellen voor dat minimum mee.",
        "Jokers count towards that minimum.",
    ),
    "rulepage.opening_no_joker": (
        "Jokers tellen voor dat minimum niet mee.",
        "Jokers do not count towards that minimum.",
    ),
    "rulepage.layoff_later": (
        "In de beurt waarin je uitkomt mag je nog niet aanleggen.",
        "You may not lay off in the turn in which you come down.",
    ),
    "rulepage.pot_down": (
        "De pot pakken mag pas als je uitgekomen bent.",
        "The pot may be taken only once you are down.",
    ),
    "rulepage.pot_min": (
        "De pot pakken mag alleen met minstens {count} kaarten in de hand.",
        "The pot may be taken only with at least {count} cards in hand.",
    ),
    "rulepage.out_not_first": ("Uitgaan mag niet in je eerste beurt.", "You may not go out in your first turn."),
    "rulepage.out_not_opening": (
        "Uitgaan mag niet in de beurt waarin je uitkomt.",
        "You may not go out in the turn in which you come down.",
    ),
    "rulepage.queen.never": (
        "De schoppenvrouw mag niet weggegooid worden.",
        "The queen of spades may not be discarded.",
    ),
    "rulepage.queen.last_card": (
        "De schoppenvrouw mag alleen als laatste kaart weggegooid worden.",
        "The queen of spades may be discarded as your last card only.",
    ),
    "rulepage.queen.last_card_drawn_this_turn": (
        "De schoppenvrouw mag alleen weggegooid worden als ze je laatste kaart is en je haar deze beurt gepakt hebt.",
        "The queen of spades may be discarded only if she is your last card and you took her in this turn.",
    ),
    "rulepage.queen_points": (
        "De schoppenvrouw telt op tafel 100 punten; in je hand kost ze {penalty} punten.",
        "The queen of spades counts 100 points on the table; in your hand she costs {penalty} points.",
    ),
    "rulepage.values": (
        "Een twee telt {deuce}, 3 tot en met 9 tellen 5, tien tot en met heer 10 en een aas 20.",
        "A two counts {deuce}, 3 to 9 count 5, ten to king count 10 and an ace counts 20.",
    ),
    "rulepage.pips": (
        "Een twee telt {deuce}, 3 tot en met 9 tellen hun cijfer, tien tot en met heer 10 en een aas 20.",
        "A two counts {deuce}, 3 to 9 count their pips, ten to king count 10 and an ace counts 20.",
    ),
    "rulepage.deck": (
        "Je speelt met {packs} kaartspellen en {jokers} jokers: samen {size} kaarten.",
        "You play with {packs} packs and {jokers} jokers: {size} cards together.",
    ),
    "rulepage.deck_twos": (
        "Je speelt met {packs} kaartspellen zonder jokers, {size} kaarten; elke twee is een joker.",
        "You play with {packs} packs without jokers, {size} cards; every two is a joker.",
    ),
    "rulepage.players": ("Je speelt met {least} spelers.", "The game is for {least} players."),
    "rulepage.players_from": ("Je speelt met {least} of meer spelers.", "The game is for {least} players or more."),
    "rulepage.players_between": (
        "Je speelt met {least} tot {most} spelers.",
        "The game is for {least} to {most} players.",
    ),
    "rulepage.teams": (
        "Je speelt in teams van {count}, om en om gezeten.",
        "You play in teams of {count}, seated alternately.",
    ),
    "rulepage.meld": (
        "Een combinatie heeft minstens {count} kaarten: van gelijke waarde (set) of opvolgend in één kleur (rij).",
        "A meld has at least {count} cards: of equal rank (set) or in sequence in one suit (run).",
    ),
    "rulepage.round_score": (
        "Na elke ronde telt wat je hebt liggen, min wat je nog in je hand hebt.",
        "After each round what you have on the table counts, minus what is still in your hand.",
    ),
    # ------------------------------------------------------------------ what no table changes
    "rulepage.aim": (
        "Leg combinaties op tafel en speel je hand leeg: wat ligt levert punten op, wat je vasthoudt kost punten.",
        "Lay melds on the table and play your hand empty: what lies there earns points, what you hold costs points.",
    ),
    "rulepage.direction": ("De beurt gaat met de klok mee.", "The turn passes clockwise."),
    "rulepage.stock_always": (
        "Een kaart van de stapel pakken mag altijd.",
        "You may always draw a card from the stock.",
    ),
    "rulepage.no_duty": (
        "Leggen hoeft nooit, ook niet als het kan.",
        "You never have to lay, even when you can.",
    ),
    "rulepage.fixed": (
        "Wat ligt, blijft liggen: combinaties worden niet verschoven, gesplitst of teruggenomen.",
        "What lies stays: melds are not moved, split or taken back.",
    ),
    "rulepage.joker_declared": (
        "Wie een joker legt, zegt welke kaart hij voorstelt.",
        "Whoever lays a joker says which card it stands for.",
    ),
    "rulepage.swapped_counts": (
        "De kaart die voor een joker in de plaats komt, telt voor wie de combinatie heeft.",
        "The card that replaces a joker counts for the owner of the meld.",
    ),
    "rulepage.whole_pot": ("Wie de pot pakt, pakt hem helemaal.", "Whoever takes the pot takes all of it."),
    "rulepage.round_ends": (
        "De ronde eindigt meteen als iemand uit is.",
        "The round ends at once when somebody is out.",
    ),
    "rulepage.stalemate": (
        "De ronde eindigt ook als er na het schudden van de pot niets meer gelegd of geruild wordt.",
        "The round also ends when nothing is laid or exchanged any more after the pot was shuffled.",
    ),
    "rulepage.joker_itself": (
        "Een joker telt als joker, welke kaart hij ook voorstelt.",
        "A joker counts as a joker, whatever card it stands for.",
    ),
    "rulepage.negative": ("Punten kunnen ook onder nul komen.", "Points may also fall below zero."),
    "rulepage.no_bonus": ("Uitgaan levert zelf geen punten op.", "Going out itself earns no points."),
    "rulepage.aborted": (
        "Een afgebroken spel wint wie na de vorige ronde voorstond.",
        "A game that is broken off is won by whoever led after the previous round.",
    ),
    # ------------------------------------------------------------------ usual values that the short card passes over
    "rulepage.is.exchange_return_other_card.true": (
        "Wie ruilt, legt een andere kaart terug dan de kaart die hij pakte.",
        "Whoever exchanges puts back another card than the one taken.",
    ),
    "rulepage.is.exchange_may_return_queen.false": (
        "Een schoppenvrouw mag bij het ruilen niet terug.",
        "A queen of spades may not be put back in the exchange.",
    ),
    "rulepage.is.discard_joker_allowed.true": ("Een joker mag je weggooien.", "A joker may be discarded."),
    "rulepage.is.discard_card_just_taken_allowed.true": (
        "De kaart die je net pakte, mag je meteen weggooien.",
        "The card you have just taken may be discarded at once.",
    ),
    "rulepage.is.duplicate_in_run.false": (
        "In een rij komt een kaart niet tweemaal voor.",
        "A run does not hold a card twice.",
    ),
    "rulepage.is.wild_two_may_be_two.true": (
        "Een twee die joker is, kan ook een twee voorstellen.",
        "A two that is a joker may stand for a two as well.",
    ),
    "rulepage.is.opening_several_melds.true": (
        "Met meer combinaties tegelijk uitkomen mag; hun punten tellen samen.",
        "You may come down with several melds at once; their points count together.",
    ),
    "rulepage.is.layoff_requires_being_down.true": (
        "Aanleggen mag pas als je uitgekomen bent.",
        "You may lay off only once you are down.",
    ),
    "rulepage.is.layoff_same_turn_as_opening.true": (
        "In de beurt waarin je uitkomt mag je ook aanleggen.",
        "You may lay off in the turn in which you come down as well.",
    ),
    "rulepage.is.layoff_cards_per_action.none": (
        "Je mag zoveel kaarten tegelijk aanleggen als je wilt.",
        "You may lay off as many cards at a time as you like.",
    ),
    "rulepage.is.layoff_run_ends.true": (
        "Een rij kan aan beide einden langer worden.",
        "A run may grow at both ends.",
    ),
    "rulepage.is.layoff_run_ends.false": (
        "Een rij kan niet langer worden.",
        "A run may not grow.",
    ),
    "rulepage.is.layoff_joker.true": ("Een joker mag je aanleggen.", "A joker may be laid off."),
    "rulepage.is.queen_swap_own_joker.true": (
        "Een schoppenvrouw mag in een eigen joker.",
        "A queen of spades may replace a joker of your own.",
    ),
    "rulepage.is.pot_other_pile_cards_in_first_meld.false": (
        "De combinatie met de bovenste kaart gebruikt verder geen kaarten uit de pot.",
        "The meld with the top card uses no other cards from the pot.",
    ),
    "rulepage.is.pot_layoff_suffices.false": (
        "De bovenste kaart alleen aanleggen is niet genoeg.",
        "Merely laying the top card off is not enough.",
    ),
    "rulepage.is.pot_rest_same_turn.true": (
        "De andere kaarten uit de pot mag je dezelfde beurt gebruiken.",
        "The other cards from the pot may be used in the same turn.",
    ),
    "rulepage.is.queen_drawn_source.any": (
        "Of ze van de stapel of uit de pot kwam, maakt niet uit.",
        "It does not matter whether she came from the stock or from the pot.",
    ),
    "rulepage.is.queen_discard_two_queens.true": (
        "Wie alleen schoppenvrouwen in de hand heeft, mag er een weggooien.",
        "Whoever holds nothing but queens of spades may discard one.",
    ),
    "rulepage.is.going_out_waives_minimum.false": (
        "Ook wie in één beurt uitgaat, moet het minimum om uit te komen halen.",
        "Going out in one turn takes the minimum for coming down as well.",
    ),
    "rulepage.is.last_card_call.none": (
        "Je laatste kaart hoef je niet aan te kondigen.",
        "You need not announce your last card.",
    ),
    "rulepage.is.team_layoff.true": (
        "Bij combinaties van een teamgenoot mag je aanleggen.",
        "You may lay off on a team mate's melds.",
    ),
    # ------------------------------------------------------------------ house rules on offer
    "rulepage.offers": ("Huisregels die je kunt kiezen:", "House rules that you can choose:"),
    "rulepage.offer.strict_exit": (
        "Uitgaan mag alleen door een laatste kaart weg te gooien.",
        "You may go out only by discarding a last card.",
    ),
    "rulepage.offer.free_pot": (
        "De pot pakken mag zonder de bovenste kaart te leggen.",
        "The pot may be taken without laying its top card.",
    ),
    # ------------------------------------------------------------------ the short form
    "rulepage.short.first": (
        "Je speelt voor het eerst: neem gerust de tijd voor alle regels.",
        "You play for the first time: take your time to read all the rules.",
    ),
    "rulepage.short.same": ("Dezelfde regels als de vorige keer.", "The same rules as last time."),
    "rulepage.short.changed": ("Anders dan de vorige keer:", "Different from last time:"),
    "rulepage.short.name": (
        "Regelkaart {preset}. Typ regels voor alle regels.",
        "Rule card {preset}. Type rules to read all of it.",
    ),
}
"""Code -> (Dutch, English)."""
