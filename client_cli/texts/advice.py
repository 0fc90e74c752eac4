"""What would be legal instead of what the rules have just refused, with the numbers of this table's rule card.

Each belongs to a reason code of the rules and follows its sentence (`reasons.py`). A reason that says by itself what
works has none.
"""

ADVICE: dict[str, tuple[str, str]] = {
    "too_short": ("Een combinatie telt minstens {least} kaarten.", "A meld has at least {least} cards."),
    "duplicate_suit": ("Laat de dubbele weg.", "Leave out the double one."),
    "set_full": ("Bewaar de kaart, of gooi hem weg.", "Keep the card, or discard it."),
    "run_full": ("Begin er een nieuwe combinatie mee.", "Begin a new meld with it."),
    "needs_natural": ("Het moeten er minstens {naturals} zijn.", "There must be at least {naturals}."),
    "joker_majority": ("Neem een gewone kaart in plaats van een joker.", "Take a natural card instead of a joker."),
    "joker_identity": ("Laat de joker een andere kaart voorstellen.", "Let the joker stand for another card."),
    "does_not_fit": (
        "Aan een rij past de volgende kaart van die kleur, aan een set een kaart van die waarde.",
        "A run takes the next card of its suit, a set a card of its rank.",
    ),
    "not_own_meld": ("Leg aan bij combinaties van jezelf.", "Lay off on melds of your own."),
    "not_down": ("Leg eerst {minimum} punten aan combinaties.", "Lay melds of {minimum} points first."),
    "must_keep_discard": ("Leg een kaart minder.", "Lay one card less."),
    "only_queen_left": ("Houd nog een andere kaart over.", "Keep another card as well."),
    "swap_mismatch": ("Omruilen kan alleen met precies die kaart.", "Only exactly that card can be exchanged."),
    "below_opening_minimum": (
        "Dat is {minimum}: leg er nog een combinatie bij, of neem terug.",
        "That is {minimum}: lay another meld with it, or take back.",
    ),
    "opening_joker": ("Dat is {minimum} punten.", "That is {minimum} points."),
    "pot_empty": ("Pak van de stapel.", "Draw from the stock."),
    "pot_min_hand": (
        "Het moeten er minstens {pot_hand} zijn; pak van de stapel.",
        "You need at least {pot_hand}; draw from the stock.",
    ),
    "pot_top_must_meld": (
        "Kies kaarten die met de bovenste een combinatie vormen, of pak van de stapel.",
        "Choose cards that form a meld with the top one, or draw from the stock.",
    ),
    "pot_no_layoff": ("Kies er kaarten uit je hand bij.", "Choose cards of your hand with it."),
    "pot_needs_two_hand_cards": ("Het moeten er minstens {pot_cards} zijn.", "There must be at least {pot_cards}."),
    "pot_other_cards": ("Neem daarvoor kaarten uit je hand.", "Take cards of your hand for it."),
    "pot_whole_pile": ("Pak de hele pot, of van de stapel.", "Take the whole pot, or draw from the stock."),
    "pot_rest_locked": ("In je volgende beurt mag het.", "In your next turn you may."),
    "already_drawn": ("Leg kaarten, of gooi er een weg.", "Lay cards, or discard one."),
    "discard_required": ("Kies een kaart en gooi die weg.", "Choose a card and discard it."),
    "discard_joker": ("Gooi een andere kaart weg.", "Discard another card."),
    "discard_just_taken": ("Gooi een andere kaart weg.", "Discard another card."),
    "queen_discard": (
        "Gooi een andere kaart weg; haar kun je wel leggen.",
        "Discard another card; she can be laid.",
    ),
    "no_going_out_first_turn": ("Houd een kaart over.", "Keep a card."),
    "no_going_out_opening_turn": ("Houd een kaart over.", "Keep a card."),
    "exchange_queen": ("Kies een andere kaart.", "Choose another card."),
    "layoff_joker": ("Leg gewone kaarten aan.", "Lay off natural cards."),
    "layoff_opening_turn": ("In je volgende beurt mag het.", "In your next turn you may."),
    "layoff_too_many": ("Leg er hoogstens {layoff} aan.", "Lay off {layoff} at most."),
    "no_such_meld": ("Kies een combinatie die op tafel ligt.", "Choose a meld that lies on the table."),
}
