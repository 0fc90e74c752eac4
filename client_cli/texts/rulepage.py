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
        "Combinaties met een joker tellen voor dat minimum mee.",
        "Melds with a joker count towards that minimum.",
    ),
    "rulepage.opening_no_joker": (
        "Combinaties met een joker tellen voor dat minimum niet mee.",
        "Melds with a joker do not count towards that minimum.",
    ),
    "rulepage.layoff_later": (
        "In de beurt waarin je uitkomt mag je nog niet aanleggen.",
        "You may not lay off in the turn in which you come down.",
    ),
    "rulepage.pot_down": (
        "De pot pakken mag pas als je uitgekomen bent.",
        "You may take the pot only once you are down.",
    ),
    "rulepage.pot_min": (
        "De pot pakken mag alleen met minstens {count} kaarten in je hand.",
        "You may take the pot only with at least {count} cards in your hand.",
    ),
    "rulepage.out_not_first": ("Uitgaan mag niet in je eerste beurt.", "You may not go out in your first turn."),
    "rulepage.out_not_opening": (
        "Uitgaan mag niet in de beurt waarin je uitkomt.",
        "You may not go out in the turn in which you come down.",
    ),
    "rulepage.queen_points": (
        "De schoppenvrouw telt op tafel 100 punten; in je hand kost ze je {penalty} punten.",
        "The queen of spades counts 100 points on the table; in your hand she costs you {penalty} points.",
    ),
    "rulepage.deck": (
        "Je speelt met {packs} kaartspellen en {jokers} jokers: samen {size} kaarten.",
        "You play with {packs} packs and {jokers} jokers: {size} cards in all.",
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
        "Na elke ronde krijg je de punten van je combinaties op tafel, min die van de kaarten in je hand.",
        "After each round you get the points of your melds on the table, minus those of the cards in your hand.",
    ),
    # ------------------------------------------------------------------ what no table changes
    "rulepage.aim": (
        "Leg combinaties op tafel en speel je hand leeg: wat ligt levert punten op, wat je vasthoudt kost punten.",
        "Lay melds on the table and empty your hand: what lies there earns points, what you hold costs points.",
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
        "What lies on the table stays: melds are not moved, split or taken back.",
    ),
    "rulepage.joker_declared": (
        "Wie een joker legt, zegt welke kaart hij voorstelt.",
        "Whoever lays a joker says which card it stands for.",
    ),
    "rulepage.swapped_counts": (
        "De kaart waarmee je een joker omruilt, telt voor wie de combinatie heeft.",
        "The card that replaces a joker counts for the owner of the meld.",
    ),
    "rulepage.whole_pot": ("De pot pak je altijd helemaal.", "The pot is always taken as a whole."),
    "rulepage.round_ends": (
        "De ronde eindigt meteen als iemand uit is.",
        "The round ends at once when somebody is out.",
    ),
    "rulepage.stalemate": (
        (
            "De ronde eindigt ook als de pot nog eens geschud moet worden en er sinds het schudden niets gelegd "
            "of omgeruild is."
        ),
        (
            "The round also ends when the pot has to be shuffled again and nothing was laid or exchanged since "
            "the last time."
        ),
    ),
    "rulepage.joker_itself": (
        "Een joker telt als joker, welke kaart hij ook voorstelt.",
        "A joker counts as a joker, whatever card it stands for.",
    ),
    "rulepage.negative": ("Punten kunnen ook onder nul komen.", "Points may also fall below zero."),
    "rulepage.no_bonus": ("Uitgaan levert zelf geen punten op.", "Going out itself earns no points."),
    "rulepage.aborted": (
        "Wordt het spel afgebroken, dan wint wie na de vorige ronde voorstond.",
        "When the game is broken off, whoever led after the previous round wins.",
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
        "Bij een rij kun je aan beide einden aanleggen.",
        "You may lay off at both ends of a run.",
    ),
    "rulepage.is.layoff_run_ends.false": (
        "Bij een rij kun je aan de einden niet aanleggen.",
        "You may not lay off at the ends of a run.",
    ),
    "rulepage.is.layoff_joker.true": ("Een joker mag je aanleggen.", "A joker may be laid off."),
    "rulepage.is.queen_swap_own_joker.true": (
        "Met een schoppenvrouw mag je ook een eigen joker omruilen.",
        "A queen of spades may be exchanged for a joker of your own too.",
    ),
    "rulepage.is.pot_other_pile_cards_in_first_meld.false": (
        "In de combinatie met de bovenste kaart komen geen andere kaarten uit de pot.",
        "The meld with the top card uses no other cards from the pot.",
    ),
    "rulepage.is.pot_layoff_suffices.false": (
        "De bovenste kaart van de pot alleen aanleggen is niet genoeg.",
        "Merely laying the top card of the pot off is not enough.",
    ),
    "rulepage.is.pot_rest_same_turn.true": (
        "De andere kaarten uit de pot mag je dezelfde beurt al gebruiken.",
        "The other cards from the pot may be used in the same turn.",
    ),
    "rulepage.is.queen_drawn_source.any": (
        "Een schoppenvrouw uit de pot geldt ook als deze beurt gepakt.",
        "A queen of spades from the pot counts as taken in this turn as well.",
    ),
    "rulepage.is.queen_discard_two_queens.true": (
        "Wie twee of meer schoppenvrouwen heeft en verder niets, mag er een weggooien.",
        "Whoever holds two or more queens of spades and nothing else may discard one.",
    ),
    "rulepage.is.going_out_waives_minimum.false": (
        "Ook wie in één keer uitgaat, moet het minimum halen.",
        "Going out in one go takes the minimum as well.",
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
        "Altijd een laatste kaart weggooien om uit te gaan.",
        "Always discard a last card to go out.",
    ),
    "rulepage.offer.free_pot": ("De pot is altijd vrij te pakken.", "The pot may always be taken."),
    "rulepage.offer.play_on": (
        "Gaat iemand weg, dan spelen de anderen door.",
        "When somebody leaves, the others play on.",
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
