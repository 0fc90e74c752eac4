"""The rule card in words: topics and one sentence for each rule as agreed."""

RULE_CARD: dict[str, tuple[str, str]] = {
    "rule.topic.deck": ("Kaarten en spelers", "Cards and players"),
    "rule.topic.melds": ("Combinaties", "Melds"),
    "rule.topic.jokers": ("Jokers", "Jokers"),
    "rule.topic.opening": ("Uitkomen en aanleggen", "Coming down and laying off"),
    "rule.topic.turn": ("De beurt", "The turn"),
    "rule.topic.queen": ("Schoppenvrouw", "Queen of spades"),
    "rule.topic.end": ("Uitgaan", "Going out"),
    "rule.topic.score": ("Punten", "Points"),
    "rule.topic.house": ("Andere huisregels", "Other house rules"),
    "rule.other": ("{key}: {now} (gewoonlijk {was}).", "{key}: {now} (usually {was})."),
    "rule.deck": (
        "{packs} kaartspellen met {jokers} jokers: {size} kaarten.",
        "{packs} packs with {jokers} jokers: {size} cards.",
    ),
    "rule.deck_twos": (
        "{packs} kaartspellen zonder jokers, {size} kaarten; elke twee is een joker.",
        "{packs} packs without jokers, {size} cards; every two is a joker.",
    ),
    "rule.hand_size": (
        "Ieder krijgt {count} kaarten; één kaart ligt open.",
        "Everybody gets {count} cards; one card is turned up.",
    ),
    "rule.players": ("Met {least} spelers.", "For {least} players."),
    "rule.players_from": ("Vanaf {least} spelers.", "For {least} players or more."),
    "rule.players_meant": (
        "Bedoeld voor {usual} spelers; aan deze tafel mag het met {least} tot {most}.",
        "Meant for {usual} players; this table allows {least} to {most}.",
    ),
    "rule.players_here": (
        "Aan deze tafel mag het met {least} tot {most} spelers.",
        "This table allows {least} to {most} players.",
    ),
    "rule.players_between": ("Met {least} tot {most} spelers.", "For {least} to {most} players."),
    "rule.starter.random": ("Het lot bepaalt wie begint.", "Who begins is drawn by lot."),
    "rule.starter.left_of_dealer": (
        "De speler links van de gever begint.",
        "The player at the dealer's left begins.",
    ),
    "rule.next_starter.rotate": (
        "Elke ronde begint de volgende speler.",
        "Each round the next player begins.",
    ),
    "rule.next_starter.random": (
        "Elke ronde bepaalt het lot opnieuw wie begint.",
        "Each round it is drawn anew who begins.",
    ),
    "rule.exchange.none": (
        "Er wordt vooraf niet om de open kaart geruild.",
        "There is no exchange for the open card beforehand.",
    ),
    "rule.exchange.starter_begins": (
        "Vooraf mag ieder om de beurt de open kaart ruilen, tot iemand past; dan begint de eerste speler.",
        (
            "Beforehand everybody in turn may exchange the open card, until somebody passes; then the first "
            "player begins."
        ),
    ),
    "rule.exchange.decliner_draws": (
        "Vooraf mag ieder om de beurt de open kaart ruilen; wie past, pakt van de stapel en begint.",
        "Beforehand everybody in turn may exchange the open card; whoever passes draws from the stock and begins.",
    ),
    "rule.teams": ("Teams van {count}, om en om gezeten.", "Teams of {count}, seated alternately."),
    "rule.team_out.one": ("De ronde eindigt als één speler uit is.", "The round ends when one player goes out."),
    "rule.team_out.all": (
        "De ronde eindigt als een heel team uit is.",
        "The round ends when a whole team is out.",
    ),
    "rule.meld": (
        "Minstens {count} kaarten: gelijke waarde (set) of opvolgend in één kleur (rij).",
        "At least {count} cards: of equal rank (set) or in sequence in one suit (run).",
    ),
    "rule.ace_both": (
        "Een aas ligt voor de twee of na de heer, ook aan beide einden van één rij; heer, aas, twee mag niet.",
        "An ace lies before the two or after the king, even at both ends of one run; king, ace, two is no run.",
    ),
    "rule.ace_either": (
        "Een aas ligt voor de twee of na de heer, niet aan beide einden van één rij; heer, aas, twee mag niet.",
        "An ace lies before the two or after the king, not at both ends of one run; king, ace, two is no run.",
    ),
    "rule.ace_low": ("Een aas ligt alleen voor de twee.", "An ace lies before the two only."),
    "rule.ace_high": ("Een aas ligt alleen na de heer.", "An ace lies after the king only."),
    "rule.set_same_suit": (
        "In een set mag een kleur vaker voorkomen; een set heeft hoogstens {most} kaarten.",
        "A set may hold a suit more than once; it has {most} cards at most.",
    ),
    "rule.set_other_suits": (
        "In een set zijn alle kleuren verschillend.",
        "In a set all suits are different.",
    ),
    "rule.joker_majority": (
        "In elke combinatie liggen meer gewone kaarten dan jokers.",
        "Every meld has more natural cards than jokers.",
    ),
    "rule.joker_free": (
        "In elke combinatie ligt minstens één gewone kaart; de rest mogen jokers zijn.",
        "Every meld has at least one natural card; the rest may be jokers.",
    ),
    "rule.naturals": (
        "Een combinatie heeft minstens {count} gewone kaarten.",
        "A meld has at least {count} natural cards.",
    ),
    "rule.run_max": (
        "Een rij heeft hoogstens {most} kaarten.",
        "A run has {most} cards at most.",
    ),
    "rule.single_natural": (
        "Eén gewone kaart met jokers is altijd een set.",
        "One natural card with jokers is always a set.",
    ),
    "rule.swap_never": (
        "Een gelegde joker blijft liggen: omruilen kan niet.",
        "A joker on the table stays there: it cannot be exchanged.",
    ),
    "rule.swap_all": (
        "Elke joker op tafel kun je omruilen, ook die van een ander; hij komt in je hand.",
        "Any joker on the table can be exchanged, another player's too; it comes to your hand.",
    ),
    "rule.swap_own": (
        "Alleen je eigen jokers kun je omruilen; ze komen in je hand.",
        "Only your own jokers can be exchanged; they come to your hand.",
    ),
    "rule.swap_match.exact": (
        "Een joker ruil je om met precies de kaart die hij voorstelt.",
        "A joker is exchanged for exactly the card that it stands for.",
    ),
    "rule.swap_match.missing_suit": (
        ("Een joker in een set ruil je om met een kleur die er nog niet ligt, of als ze er alle vier liggen met elke."),
        "A joker in a set is exchanged for a suit that does not lie there yet; when all four lie there, for any.",
    ),
    "rule.swap_match.exact_bridge": (
        ("De kleuren in een set volgen ruiten, harten, schoppen, klaver, ruiten: dat bepaalt waar de joker voor ligt."),
        ("The suits of a set follow diamonds, hearts, spades, clubs, diamonds: that tells what the joker stands for."),
    ),
    "rule.swap_down": (
        "Een joker omruilen mag pas als je uitgekomen bent.",
        "A joker may be exchanged only once you are down.",
    ),
    "rule.swap_queen": (
        "Met een schoppenvrouw mag je geen joker van een ander omruilen.",
        "A queen of spades may not be exchanged for another player's joker.",
    ),
    "rule.opening": (
        "Om uit te komen leg je in één beurt minstens {points} punten.",
        "To come down you lay at least {points} points in one turn.",
    ),
    "rule.opening_none": (
        "Uitkomen mag met elke combinatie; er is geen minimum.",
        "You may come down with any meld; there is no minimum.",
    ),
    "rule.opening_set": (
        "Uitkomen doe je met één combinatie van precies drie kaarten; meer mag pas de beurt erna.",
        "You come down with one meld of exactly three cards; more only from the next turn on.",
    ),
    "rule.opening_joker": ("Jokers tellen daarvoor mee.", "Jokers count towards it."),
    "rule.opening_no_joker": (
        "Combinaties met een joker tellen daarvoor niet mee.",
        "Melds with a joker do not count towards it.",
    ),
    "rule.layoff.own": ("Aanleggen mag alleen bij je eigen combinaties.", "You may lay off on your own melds only."),
    "rule.layoff.team": (
        "Aanleggen mag alleen bij je eigen combinaties en die van je teamgenoten.",
        "You may lay off on your own melds and your team mates' only.",
    ),
    "rule.layoff.any": (
        "Aanleggen mag bij de combinaties van iedereen.",
        "You may lay off on anybody's melds.",
    ),
    "rule.layoff_later": (
        "In de beurt waarin je uitkomt mag je nog niet aanleggen.",
        "Not in the turn in which you come down.",
    ),
    "rule.turn": (
        "Een beurt: pak een kaart of de pot, leg wat je wilt, en gooi één kaart weg.",
        "A turn: draw a card or take the pot, lay what you like, and discard one card.",
    ),
    "rule.pot_free": (
        "De pot mag je altijd pakken, maar dan wel helemaal.",
        "You may always take the pot, but then all of it.",
    ),
    "rule.pot_meld": (
        "Wie de pot pakt, legt de bovenste kaart meteen in een nieuwe combinatie.",
        "Whoever takes the pot lays its top card in a new meld at once.",
    ),
    "rule.pot_meld_hand": (
        (
            "Wie de pot pakt, legt de bovenste kaart meteen in een nieuwe combinatie met minstens {count} "
            "kaarten uit de hand."
        ),
        "Whoever takes the pot lays its top card at once in a new meld with at least {count} cards of the hand.",
    ),
    "rule.pot_layoff": (
        "De bovenste kaart van de pot aanleggen is ook goed.",
        "Laying the top card of the pot off will do as well.",
    ),
    "rule.pot_down": ("De pot pakken mag pas als je uitgekomen bent.", "Only when you are down."),
    "rule.pot_min": (
        "De pot pakken mag alleen met minstens {count} kaarten in de hand.",
        "Only with at least {count} cards in hand.",
    ),
    "rule.pot_first": (
        "Wie een ronde begint, mag in die beurt de open kaart zomaar pakken.",
        "Whoever begins a round may simply take the open card in that turn.",
    ),
    "rule.stock_out": (
        "Is de stapel op, dan schudden jullie samen de hele pot: dat wordt de nieuwe stapel.",
        "When the stock is empty, everybody together shuffles the whole pot: it becomes the new stock.",
    ),
    "rule.queen.never": ("De schoppenvrouw mag je niet weggooien.", "The queen of spades may not be discarded."),
    "rule.queen.last_card": (
        "De schoppenvrouw mag je alleen als laatste kaart weggooien.",
        "The queen of spades may be discarded as your last card only.",
    ),
    "rule.queen.last_card_drawn_this_turn": (
        "De schoppenvrouw mag je alleen als laatste kaart weggooien, en alleen als je haar deze beurt pakte.",
        "The queen of spades may be discarded as your last card only, and only if you took her in this turn.",
    ),
    "rule.queen_points": (
        "Op tafel telt ze 100, in de hand {penalty} eraf.",
        "On the table she counts 100, in hand {penalty} against you.",
    ),
    "rule.out_discard": (
        "Uitgaan kan alleen door je laatste kaart weg te gooien.",
        "You can go out only by discarding your last card.",
    ),
    "rule.out_soft": (
        "Uitgaan kan door je laatste kaart te leggen, aan te leggen of weg te gooien.",
        "You go out by laying your last card down or off, or by discarding it.",
    ),
    "rule.out_not_first": ("Niet in je eerste beurt.", "Not in your first turn."),
    "rule.out_not_opening": (
        "Niet in de beurt waarin je uitkomt.",
        "Not in the turn in which you come down.",
    ),
    "rule.last_card.extra_card": (
        "Wie na het weggooien nog één kaart heeft, zegt “laatste kaart”; wie betrapt wordt, pakt er een bij.",
        "Whoever has one card left after the discard calls “last card”; who is caught not calling draws one more.",
    ),
    "rule.last_card.points": (
        (
            "Wie na het weggooien nog één kaart heeft, zegt “laatste kaart”; wie betrapt wordt, verliest "
            "{points} punten."
        ),
        (
            "Whoever has one card left after the discard calls “last card”; who is caught not calling loses "
            "{points} points."
        ),
    ),
    "rule.values": (
        "Een twee telt {deuce}, drie tot en met negen tellen 5, tien tot en met heer 10, een aas altijd 20.",
        "A two counts {deuce}, three to nine count 5, ten to king 10, an ace always 20.",
    ),
    "rule.pips": (
        ("Een twee telt {deuce}, drie tot en met negen tellen hun cijfer, tien tot en met heer 10, een aas altijd 20."),
        "A two counts {deuce}, three to nine count their pips, ten to king 10, an ace always 20.",
    ),
    "rule.values_even": (
        "Twee tot en met negen tellen 5, tien tot en met heer 10, een aas altijd 20.",
        "Two to nine count 5, ten to king 10, an ace always 20.",
    ),
    "rule.pips_even": (
        "Twee tot en met negen tellen hun cijfer, tien tot en met heer 10, een aas altijd 20.",
        "Two to nine count their pips, ten to king 10, an ace always 20.",
    ),
    "rule.joker_points": ("Een joker telt {points}.", "A joker counts {points}."),
    "rule.round_score": (
        "Een ronde levert de punten van je combinaties op, min die van je hand.",
        "A round earns the points of your melds, minus those of your hand.",
    ),
    "rule.target": (
        "Na de ronde waarin iemand {target} punten haalt is het uit; wie dan de meeste heeft, wint.",
        "It ends after the round in which somebody reaches {target} points; whoever has the most then, wins.",
    ),
    "rule.tie.shared": ("Wie samen bovenaan staan, winnen samen.", "Those who share the highest score win together."),
    "rule.tie.extra_round": (
        "Staan er meer gelijk bovenaan, dan volgt nog een ronde.",
        "When several share the highest score, another round follows.",
    ),
    "rule.net": (
        "Aan het eind zie je ook ieders verschil met het gemiddelde van de anderen.",
        "In the end everybody's difference from the others' average is shown as well.",
    ),
    # ------------------------------------------------------------------ only told where a table deviates
    "rule.now.aborted_winner_excludes_leaver.false": (
        "Wie een spel afbreekt, kan het toch winnen.",
        "Whoever breaks off a game can still win it.",
    ),
    "rule.now.aborted_winner_excludes_leaver.true": (
        "Wie een spel afbreekt, kan het niet winnen.",
        "Whoever breaks off a game cannot win it.",
    ),
    "rule.now.resign.ends_game": (
        "Gaat iemand weg, dan is het spel uit.",
        "When somebody leaves, the game ends.",
    ),
    "rule.now.resign.play_on": (
        "Gaat iemand weg, dan vervalt de ronde en spelen de anderen door met hun punten, zolang er twee over zijn.",
        "When somebody leaves, the round is void and the others play on with their points, as long as two are left.",
    ),
    "rule.now.discard_card_just_taken_allowed.false": (
        "De kaart die je net pakte, mag je niet meteen weggooien.",
        "The card you have just taken may not be discarded at once.",
    ),
    "rule.now.discard_joker_allowed.false": ("Jokers mag je niet weggooien.", "Jokers may not be discarded."),
    "rule.now.duplicate_in_run.true": (
        "In een rij mag dezelfde kaart tweemaal voorkomen.",
        "A run may hold the same card twice.",
    ),
    "rule.now.exchange_may_return_queen.true": (
        "Bij het ruilen mag een schoppenvrouw terug.",
        "A queen of spades may be returned in the exchange.",
    ),
    "rule.now.exchange_return_other_card.false": (
        "Bij het ruilen mag dezelfde kaart terug.",
        "The very same card may be returned in the exchange.",
    ),
    "rule.now.final_score.own_total": (
        "Alleen je eigen punten tellen, niet het verschil met de anderen.",
        "Your own points alone count, not the difference from the others.",
    ),
    "rule.now.going_out_first_turn.true": (
        "Uitgaan mag ook in je eerste beurt.",
        "You may go out in your first turn too.",
    ),
    "rule.now.going_out_opening_turn.true": (
        "Uitgaan mag ook in de beurt waarin je uitkomt.",
        "You may go out in the turn in which you come down too.",
    ),
    "rule.now.going_out_waives_minimum.true": (
        "Wie in één keer uitgaat, hoeft het minimum niet te halen.",
        "Whoever goes out in one go need not reach the minimum.",
    ),
    "rule.now.joker_points.none": (
        "Er zijn geen jokers die punten tellen.",
        "There are no jokers that count points.",
    ),
    "rule.now.joker_swap_match.exact": (
        "Een joker in een set staat voor één bepaalde kaart.",
        "A joker in a set stands for one certain card.",
    ),
    "rule.now.joker_swap_match.exact_bridge": (
        "De kleur van een joker in een set volgt uit de bridgevolgorde.",
        "The suit of a joker in a set follows from the order of the bridge.",
    ),
    "rule.now.joker_swap_match.missing_suit": (
        "Een joker in een set staat voor een kleur die er nog niet ligt.",
        "A joker in a set stands for a suit that does not lie there yet.",
    ),
    "rule.now.joker_swap_match.none": (
        "Een joker in een set staat alleen voor de waarde.",
        "A joker in a set stands for the rank only.",
    ),
    "rule.now.joker_swap_requires_being_down.false": (
        "Een joker omruilen mag ook als je nog niet uitgekomen bent.",
        "Jokers may be exchanged before you are down.",
    ),
    "rule.now.jokers_in_deck.0": (
        "Er wordt zonder jokers gespeeld.",
        "There are no jokers in the pack.",
    ),
    "rule.now.laying_may_leave_only_queens.false": (
        "Je mag niet zo leggen dat je alleen schoppenvrouwen overhoudt.",
        "You may not lay so that only queens of spades remain in your hand.",
    ),
    "rule.now.laying_may_leave_only_queens.one_if_discardable": (
        "Na het leggen mag je één schoppenvrouw overhouden, als je haar mag weggooien.",
        "Laying may leave you one queen of spades, if you may discard her.",
    ),
    "rule.now.layoff_cards_per_action": (
        "Je legt hoogstens {now} kaarten tegelijk aan.",
        "At most {now} cards are laid off at a time.",
    ),
    "rule.now.layoff_joker.false": (
        "Jokers mogen niet aangelegd worden.",
        "Jokers may not be laid off.",
    ),
    "rule.now.layoff_requires_being_down.false": (
        "Aanleggen mag ook als je nog niet uitgekomen bent.",
        "You may lay off before you are down.",
    ),
    "rule.now.opening_joker.not_counted": (
        "Jokers tellen bij het uitkomen niet mee.",
        "Jokers do not count for coming down.",
    ),
    "rule.now.opening_several_melds.false": (
        "Uitkomen doe je met één combinatie.",
        "You come down with one meld.",
    ),
    "rule.now.pot_first_turn_free.false": (
        "Ook in de eerste beurt van een ronde geldt voor de pot de gewone regel.",
        "In the first turn of a round the pot follows the usual rule too.",
    ),
    "rule.now.pot_min_hand.0": (
        "De pot pakken mag met elk aantal kaarten in de hand.",
        "The pot may be taken with any number of cards in hand.",
    ),
    "rule.now.pot_opening_counts.all": (
        "Wie met de pot uitkomt, mag alle kaarten ervan meetellen.",
        "Whoever comes down with the pot may count all its cards.",
    ),
    "rule.now.pot_opening_counts.top_and_hand": (
        "Wie met de pot uitkomt, telt alleen de bovenste kaart en de eigen hand.",
        "Whoever comes down with the pot counts its top card and the own hand only.",
    ),
    "rule.now.pot_other_pile_cards_in_first_meld.true": (
        "In de combinatie met de bovenste kaart mogen meer kaarten uit de pot.",
        "The meld with the top card may use more cards from the pot.",
    ),
    "rule.now.pot_requires_being_down.false": (
        "De pot pakken mag ook als je nog niet uitgekomen bent.",
        "The pot may be taken before you are down.",
    ),
    "rule.now.pot_rest_same_turn.false": (
        "De andere kaarten uit de pot mag je pas de volgende beurt gebruiken.",
        "The other cards from the pot may be used from the next turn on only.",
    ),
    "rule.now.queen_discard_two_queens.false": (
        "Ook wie alleen schoppenvrouwen heeft, mag er geen weggooien.",
        "Even a hand of nothing but queens of spades may discard none.",
    ),
    "rule.now.queen_drawn_source.stock": (
        "De schoppenvrouw moet dan deze beurt van de stapel gekomen zijn, niet uit de pot.",
        "The queen of spades must then have come from the stock in this turn, not from the pot.",
    ),
    "rule.now.queen_swap_opponent_joker.false": (
        "Met een schoppenvrouw mag je geen joker van een ander omruilen.",
        "A queen of spades may not be exchanged for another player's joker.",
    ),
    "rule.now.queen_swap_opponent_joker.true": (
        "Ook met een schoppenvrouw mag je een joker van een ander omruilen.",
        "A queen of spades may be exchanged for another player's joker too.",
    ),
    "rule.now.queen_swap_own_joker.false": (
        "Met een schoppenvrouw mag je geen eigen joker omruilen.",
        "A queen of spades may not be exchanged for a joker of your own.",
    ),
    "rule.now.single_natural_is_set.false": (
        "Eén gewone kaart met jokers mag ook een rij zijn.",
        "One natural card with jokers may be a run too.",
    ),
    "rule.now.team_going_out.all": (
        "Een team is pas uit als al zijn spelers uit zijn.",
        "A team is out only when all its players are.",
    ),
    "rule.now.team_layoff.false": (
        "Bij combinaties van een teamgenoot mag je niet aanleggen.",
        "You may not lay off on a team mate's melds.",
    ),
    "rule.now.teams_allowed.false": (
        "Er wordt niet in teams gespeeld.",
        "There are no teams.",
    ),
    "rule.now.teams_allowed.true": (
        "In teams spelen mag.",
        "Playing in teams is allowed.",
    ),
    "rule.now.tournament.false": ("Met deze regels is er geen toernooi.", "No tournament is played with these rules."),
    "rule.now.tournament.true": (
        "Met deze regels kan ook een toernooi gespeeld worden.",
        "A tournament can be played with these rules.",
    ),
    "rule.now.turn_time_limit_hours": (
        "Een beurt mag hoogstens {now} uur duren.",
        "A turn may take {now} hours at most.",
    ),
    "rule.now.turn_time_limit_hours.none": (
        "Een beurt mag zo lang duren als nodig is.",
        "A turn may take as long as it needs.",
    ),
    "rule.now.wild_two_may_be_two.false": (
        "Een twee die joker is, kan geen twee voorstellen.",
        "A two that is a joker cannot stand for a two.",
    ),
    "rule.now.last_card_penalty_points": (
        "De straf bij “laatste kaart” is {now} punten.",
        "The penalty at “last card” is {now} points.",
    ),
}
