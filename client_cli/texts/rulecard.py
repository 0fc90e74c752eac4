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
        "De open kaart wordt vooraf niet geruild.",
        "The open card is not exchanged beforehand.",
    ),
    "rule.exchange.starter_begins": (
        "Vooraf mag ieder om de beurt de open kaart ruilen, tot iemand past.",
        "Beforehand everybody in turn may exchange the open card, until somebody passes.",
    ),
    "rule.exchange.decliner_draws": (
        "Vooraf mag ieder de open kaart ruilen; wie past, pakt van de stapel en begint.",
        "Beforehand everybody may exchange the open card; whoever passes draws and begins.",
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
        "De aas ligt voor de twee of na de heer, desnoods aan beide einden van een rij.",
        "The ace lies before the two or after the king, even at both ends of one run.",
    ),
    "rule.ace_either": (
        "De aas ligt voor de twee of na de heer, niet aan beide einden van één rij.",
        "The ace lies before the two or after the king, not at both ends of one run.",
    ),
    "rule.ace_low": ("De aas ligt alleen voor de twee.", "The ace lies before the two only."),
    "rule.ace_high": ("De aas ligt alleen na de heer.", "The ace lies after the king only."),
    "rule.set_same_suit": (
        "In een set mag dezelfde kleur meermaals voorkomen; hoogstens {most} kaarten.",
        "A set may hold one suit more than once; {most} cards at most.",
    ),
    "rule.set_other_suits": (
        "In een set zijn alle kleuren verschillend.",
        "In a set all suits are different.",
    ),
    "rule.joker_majority": (
        "In elke combinatie zijn de gewone kaarten in de meerderheid.",
        "In every meld the natural cards are the majority.",
    ),
    "rule.joker_free": (
        "Er is minstens één gewone kaart per combinatie; jokers naar believen.",
        "Each meld has at least one natural card; jokers as you like.",
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
    "rule.swap_never": ("Een gelegde joker blijft liggen.", "A joker on the table stays there."),
    "rule.swap_all": (
        "Elke joker op tafel kun je omruilen; hij komt in je hand.",
        "Any joker on the table can be exchanged; it comes to your hand.",
    ),
    "rule.swap_own": (
        "Alleen je eigen jokers kun je omruilen; ze komen in je hand.",
        "Only your own jokers can be exchanged; they come to your hand.",
    ),
    "rule.swap_match.exact": (
        "Ruilen doe je met precies de kaart die de joker voorstelt.",
        "It takes exactly the card that the joker stands for.",
    ),
    "rule.swap_match.missing_suit": (
        "In een set ruil je met een kleur die er nog niet ligt.",
        "In a set it takes a suit that does not lie there yet.",
    ),
    "rule.swap_match.exact_bridge": (
        "In een set volgt de kleur van de joker uit de bridgevolgorde.",
        "In a set the joker's suit follows from the order of the bridge.",
    ),
    "rule.swap_down": ("Ruilen mag pas als je uitgekomen bent.", "You may exchange only once you are down."),
    "rule.swap_queen": (
        "Een schoppenvrouw mag niet in de joker van een ander.",
        "The queen of spades may not replace another player's joker.",
    ),
    "rule.opening": (
        "Uitkomen doe je met minstens {points} punten.",
        "Coming down takes at least {points} points.",
    ),
    "rule.opening_none": (
        "Uitkomen mag met elke combinatie; er is geen minimum.",
        "You may come down with any meld; there is no minimum.",
    ),
    "rule.opening_set": (
        "Uitkomen doe je met één set van drie.",
        "You come down with one set of three.",
    ),
    "rule.opening_joker": ("Jokers tellen daarvoor mee.", "Jokers count towards it."),
    "rule.opening_no_joker": ("Jokers tellen daarvoor niet mee.", "Jokers do not count towards it."),
    "rule.layoff.own": (
        "Aanleggen doe je bij je eigen combinaties.",
        "You lay off on your own melds.",
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
        "Pak een kaart, leg wat je wilt, en leg één kaart weg.",
        "Draw, lay what you like, and discard one card.",
    ),
    "rule.pot_free": (
        "De hele pot pakken mag altijd.",
        "The whole pot may always be taken.",
    ),
    "rule.pot_meld": (
        "De pot pak je door de bovenste kaart meteen in een nieuwe combinatie te leggen.",
        "The pot is taken by laying its top card in a new meld at once.",
    ),
    "rule.pot_meld_hand": (
        "De pot pak je door de bovenste kaart te leggen met {count} kaarten uit je hand.",
        "The pot is taken by laying its top card with {count} cards from your hand.",
    ),
    "rule.pot_layoff": (
        "De bovenste kaart aanleggen is ook goed.",
        "Laying the top card off will do as well.",
    ),
    "rule.pot_down": ("De pot pakken mag pas als je uitgekomen bent.", "Only when you are down."),
    "rule.pot_min": (
        "De pot pakken mag alleen met minstens {count} kaarten in de hand.",
        "Only with at least {count} cards in hand.",
    ),
    "rule.pot_first": (
        "De allereerste beurt van een ronde mag de open kaart vrij pakken.",
        "The very first turn of a round may take the open card freely.",
    ),
    "rule.stock_out": (
        "Is de stapel op, dan wordt de pot opnieuw geschud, door iedereen.",
        "When the stock is empty the pot is shuffled again, by everybody.",
    ),
    "rule.queen.never": ("De schoppenvrouw mag niet weg.", "The queen of spades may not be discarded."),
    "rule.queen.last_card": (
        "De schoppenvrouw mag alleen weg als laatste kaart.",
        "The queen of spades may be discarded as your last card only.",
    ),
    "rule.queen.last_card_drawn_this_turn": (
        "De schoppenvrouw mag alleen weg als laatste kaart, net gepakt.",
        "The queen of spades may be discarded only as a last card just drawn.",
    ),
    "rule.queen_points": (
        "Op tafel telt ze 100, in de hand {penalty} eraf.",
        "On the table she counts 100, in hand {penalty} against you.",
    ),
    "rule.out_discard": (
        "Uitgaan doe je door je laatste kaart weg te leggen.",
        "You go out by discarding your last card.",
    ),
    "rule.out_soft": (
        "Uitgaan mag ook door je laatste kaart te leggen of aan te leggen.",
        "You may also go out by laying your last card down or off.",
    ),
    "rule.out_not_first": ("Niet in je eerste beurt.", "Not in your first turn."),
    "rule.out_not_opening": (
        "Niet in de beurt waarin je uitkomt.",
        "Not in the turn in which you come down.",
    ),
    "rule.last_card.extra_card": (
        "Zeg “laatste kaart”; wie betrapt wordt, pakt er een bij.",
        "Call “last card”; whoever is caught draws one more.",
    ),
    "rule.last_card.points": (
        "Zeg “laatste kaart”; wie betrapt wordt, verliest {points} punten.",
        "Call “last card”; whoever is caught loses {points} points.",
    ),
    "rule.values": (
        "Een twee telt {deuce} punten, 3 t/m 9 elk 5, tien t/m heer 10, een aas 20.",
        "A two counts {deuce} points, 3 to 9 count 5 each, ten to king 10, an ace 20.",
    ),
    "rule.pips": (
        "Een twee telt {deuce} punten, 3 t/m 9 hun eigen cijfer, tien t/m heer 10, een aas 20.",
        "A two counts {deuce} points, 3 to 9 their own number, ten to king 10, an ace 20.",
    ),
    "rule.joker_points": ("Een joker telt {points}.", "A joker counts {points}."),
    "rule.round_score": (
        "Rondescore: eigen combinaties min wat je in je hand houdt.",
        "Round score: your melds minus what remains in your hand.",
    ),
    "rule.target": (
        "Wie na een ronde de meeste punten heeft, en minstens {target}, wint.",
        "Whoever has the most points after a round, and at least {target}, wins.",
    ),
    "rule.tie.shared": ("Bij gelijke stand winnen ze samen.", "A tie is won together."),
    "rule.tie.extra_round": ("Bij gelijke stand volgt een extra ronde.", "A tie is played off in another round."),
    "rule.net": (
        "Getoond wordt ook het verschil met het gemiddelde van de anderen.",
        "The difference from the others' average is shown as well.",
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
    "rule.now.discard_card_just_taken_allowed.false": (
        "De kaart die je net pakte mag niet meteen weg.",
        "The card you have just taken may not be discarded at once.",
    ),
    "rule.now.discard_joker_allowed.false": (
        "Jokers mogen niet weg.",
        "Jokers may not be discarded.",
    ),
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
        "De eigen punten tellen, zonder vergelijking met de anderen.",
        "Your own points count, without comparison with the others.",
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
        "Wie in één beurt uitgaat, hoeft het minimum niet te halen.",
        "Whoever goes out in one turn need not reach the minimum.",
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
        "Na het leggen mogen niet alleen schoppenvrouwen overblijven.",
        "Laying may not leave only queens of spades.",
    ),
    "rule.now.laying_may_leave_only_queens.one_if_discardable": (
        "Na het leggen mag één schoppenvrouw overblijven, als die weg mag.",
        "Laying may leave one queen of spades if she may be discarded.",
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
        "Ook met alleen schoppenvrouwen in de hand mag er geen weg.",
        "Even a hand of nothing but queens of spades may discard none.",
    ),
    "rule.now.queen_drawn_source.stock": (
        "De schoppenvrouw moet dan net van de stapel gepakt zijn.",
        "The queen of spades must then just have come from the stock.",
    ),
    "rule.now.queen_swap_opponent_joker.false": (
        "Een schoppenvrouw mag niet in de joker van een ander.",
        "A queen of spades may not replace another player's joker.",
    ),
    "rule.now.queen_swap_opponent_joker.true": (
        "Een schoppenvrouw mag ook in de joker van een ander.",
        "A queen of spades may replace another player's joker too.",
    ),
    "rule.now.queen_swap_own_joker.false": (
        "Een schoppenvrouw mag niet in een eigen joker.",
        "A queen of spades may not replace a joker of your own.",
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
    "rule.now.tournament.false": (
        "Er is geen toernooi mee te spelen.",
        "No tournament is played with these rules.",
    ),
    "rule.now.tournament.true": (
        "Er is een toernooi mee te spelen.",
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
