"""Why the rules refuse something: one sentence for each reason code of the rules (spec/10-rules.md).

These sentences take no facts, so that every caller can say them; what the numbers are stands on the rule card.
"""

REASONS: dict[str, tuple[str, str]] = {
    "too_short": ("Dat zijn te weinig kaarten voor een combinatie.", "Those are too few cards for a meld."),
    "not_a_meld": (
        "Dit is geen combinatie: leg kaarten van gelijke waarde, of een rij van één kleur.",
        "This is no meld: lay cards of equal rank, or a run in one suit.",
    ),
    "ace_wrap": (
        "De aas begint of besluit een rij; over de aas heen (heer, aas, twee) mag niet.",
        "An ace begins or ends a run; going round it (king, ace, two) is not allowed.",
    ),
    "ace_low_not_allowed": (
        "Aan deze tafel telt de aas alleen hoog, na de heer.",
        "At this table the ace is high only, after the king.",
    ),
    "ace_high_not_allowed": (
        "Aan deze tafel telt de aas alleen laag, voor de twee.",
        "At this table the ace is low only, before the two.",
    ),
    "ace_both_ends": (
        "Aan deze tafel mag één rij niet aan beide einden een aas hebben.",
        "At this table one run may not have an ace at both ends.",
    ),
    "duplicate_suit": (
        "In een set van gelijke kaarten mag elke kleur hier maar één keer voorkomen.",
        "In a set of equal ranks each suit may occur only once here.",
    ),
    "set_full": (
        "Deze set is vol: er zijn niet meer kaarten van deze waarde in het spel.",
        "This set is full: there are no more cards of this rank in the pack.",
    ),
    "run_full": (
        "Deze rij is vol: langer mag een rij niet worden.",
        "This run is full: a run may not grow any longer.",
    ),
    "needs_natural": (
        "Er zitten te weinig gewone kaarten in deze combinatie.",
        "There are too few natural cards in this meld.",
    ),
    "joker_majority": (
        "Dat zijn te veel jokers: er moeten meer gewone kaarten liggen dan jokers.",
        "Those are too many jokers: a meld needs more natural cards than jokers.",
    ),
    "joker_identity": (
        "De joker kan die kaart hier niet voorstellen.",
        "The joker cannot stand for that card here.",
    ),
    "single_natural_is_set": (
        "Eén gewone kaart met jokers geldt aan deze tafel altijd als set.",
        "One natural card with jokers always counts as a set at this table.",
    ),
    "bridge_order": (
        "De kleuren liggen niet in de afgesproken volgorde; leg de joker ergens anders.",
        "The suits are not in the agreed order; put the joker somewhere else.",
    ),
    "card_not_in_hand": (
        "Die kaart heb je niet in je hand.",
        "You do not hold that card.",
    ),
    "does_not_fit": (
        "Die kaart past daar niet.",
        "That card does not fit there.",
    ),
    "not_own_meld": (
        "Bij de combinaties van een tegenstander mag je niet aanleggen.",
        "You may not lay off on an opponent's melds.",
    ),
    "not_down": (
        "Je moet eerst zelf uitgekomen zijn.",
        "You have to come down yourself first.",
    ),
    "table_fixed": (
        "Wat op tafel ligt, blijft liggen. Aanleggen kan alleen met kaarten uit je hand.",
        "What lies on the table stays where it is. Only cards of your hand can be laid off.",
    ),
    "must_keep_discard": ("Er moet een kaart overblijven om weg te gooien.", "One card must remain for the discard."),
    "only_queen_left": (
        "Dan houd je alleen schoppenvrouwen over, en die mag je niet weggooien.",
        "That leaves only queens of spades, and those may not be discarded.",
    ),
    "swap_not_allowed": (
        "Aan deze tafel worden jokers niet omgeruild.",
        "Jokers are not exchanged at this table.",
    ),
    "swap_not_allowed_opponent": (
        "Aan deze tafel mag je alleen je eigen jokers omruilen.",
        "At this table you may exchange your own jokers only.",
    ),
    "swap_mismatch": (
        "Dit is niet de kaart die de joker voorstelt.",
        "This is not the card the joker stands for.",
    ),
    "queen_swap_opponent": (
        "Met een schoppenvrouw mag je geen joker van een ander omruilen.",
        "A queen of spades may not be exchanged for another player's joker.",
    ),
    "queen_swap_own": (
        "Met een schoppenvrouw mag je aan deze tafel geen eigen joker omruilen.",
        "At this table a queen of spades may not be exchanged for a joker of your own.",
    ),
    "below_opening_minimum": (
        "Dat is te weinig om uit te komen: haal eerst het afgesproken aantal punten.",
        "That is too little to come down with: reach the agreed number of points first.",
    ),
    "opening_joker": (
        "Om uit te komen moet je het minimum halen met combinaties zonder joker.",
        "To come down you must reach the minimum with melds without a joker.",
    ),
    "opening_single_set": (
        "Uitkomen doe je aan deze tafel met één combinatie van precies drie kaarten.",
        "At this table you come down with one meld of exactly three cards.",
    ),
    "pot_empty": (
        "De pot is leeg.",
        "The pot is empty.",
    ),
    "pot_min_hand": (
        "Je hebt te weinig kaarten in je hand om de pot te pakken.",
        "You hold too few cards to take the pot.",
    ),
    "pot_top_must_meld": (
        "Wie de pot pakt, legt de bovenste kaart meteen in een nieuwe combinatie.",
        "Whoever takes the pot lays its top card in a new meld at once.",
    ),
    "pot_no_layoff": (
        "De bovenste kaart van de pot aanleggen telt niet: er moet een nieuwe combinatie mee.",
        "Laying off the top card of the pot does not count: it needs a new meld.",
    ),
    "pot_needs_two_hand_cards": (
        "Bij de bovenste kaart van de pot horen meer kaarten uit je eigen hand.",
        "The top card of the pot needs more cards of your own hand with it.",
    ),
    "pot_other_cards": (
        "In de combinatie met de bovenste kaart mogen geen andere kaarten uit de pot.",
        "The meld with the top card may not use other cards from the pot.",
    ),
    "pot_whole_pile": (
        "De pot pak je in zijn geheel, niet een paar kaarten eruit.",
        "The pot is taken as a whole, not a few cards of it.",
    ),
    "pot_rest_locked": (
        "De andere kaarten uit de pot mag je deze beurt nog niet gebruiken.",
        "The other cards from the pot may not be used in this turn yet.",
    ),
    "open_declined": (
        "Wie de open kaart laat liggen, pakt van de stapel.",
        "Whoever leaves the open card draws from the stock.",
    ),
    "already_drawn": (
        "Je hebt deze beurt al gepakt.",
        "You have drawn in this turn already.",
    ),
    "must_draw_first": (
        "Pak eerst een kaart: van de stapel of de pot.",
        "Draw first: from the stock or the pot.",
    ),
    "turn_over": (
        "Je beurt is voorbij.",
        "Your turn is over.",
    ),
    "discard_required": ("Een beurt eindigt met een weggegooide kaart.", "A turn ends with a discard."),
    "discard_joker": ("Jokers mag je aan deze tafel niet weggooien.", "Jokers may not be discarded at this table."),
    "discard_just_taken": (
        "De kaart die je net gepakt hebt, mag je niet meteen weggooien.",
        "The card you have just taken may not be discarded at once.",
    ),
    "queen_discard": ("De schoppenvrouw mag je nu niet weggooien.", "The queen of spades may not be discarded now."),
    "no_going_out_first_turn": (
        "In je eerste beurt mag je nog niet uitgaan.",
        "You may not go out in your first turn.",
    ),
    "no_going_out_opening_turn": (
        "In de beurt waarin je uitkomt mag je nog niet uitgaan.",
        "You may not go out in the turn in which you come down.",
    ),
    "no_exchange": (
        "Aan deze tafel wordt de open kaart niet geruild.",
        "The open card is not exchanged at this table.",
    ),
    "exchange_same_card": (
        "Leg een andere kaart terug dan de kaart die je pakt.",
        "Return another card than the one you take.",
    ),
    "exchange_queen": (
        "Een schoppenvrouw mag bij het ruilen niet terug.",
        "A queen of spades may not be put back in the exchange.",
    ),
    "not_your_turn": (
        "Je bent niet aan de beurt.",
        "It is not your turn.",
    ),
    "not_enough_cards": (
        "Er zijn te weinig kaarten voor zoveel spelers; speel met meer kaartspellen.",
        "There are too few cards for so many players; use more packs.",
    ),
    "player_count": (
        "Aan een tafel zitten twee tot zeven spelers.",
        "Two to seven players sit at a table.",
    ),
    "team_size": (
        "Teams zijn even groot en hebben minstens twee spelers.",
        "Teams are equal in size and have at least two players.",
    ),
    "no_teams": (
        "Met deze regels wordt niet in teams gespeeld.",
        "These rules know no teams.",
    ),
    "tournament_full": (
        "Het toernooi is vol.",
        "The tournament is full.",
    ),
    "no_tournament": (
        "Met deze regels is er geen toernooi.",
        "These rules know no tournament.",
    ),
    "no_offence": (
        "Er is niets om iemand op te betrappen.",
        "There is nothing to catch anybody at.",
    ),
    "challenge_too_early": (
        "Wacht tot de volgende speler heeft gepakt.",
        "Wait until the next player has drawn.",
    ),
    "challenge_too_late": ("Te laat: die speler is alweer aan de beurt.", "Too late: it is that player's turn again."),
    "layoff_joker": (
        "Jokers mogen aan deze tafel niet aangelegd worden.",
        "Jokers may not be laid off at this table.",
    ),
    "layoff_opening_turn": (
        "In de beurt waarin je uitkomt mag je nog niet aanleggen.",
        "You may not lay off in the turn in which you come down.",
    ),
    "layoff_too_many": (
        "Zoveel kaarten mag je niet in één keer aanleggen.",
        "You may not lay off that many cards at once.",
    ),
    "no_such_meld": (
        "Die combinatie ligt er niet.",
        "There is no such meld.",
    ),
}
