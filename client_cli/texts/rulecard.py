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
    "rule.house": ("huisregel", "house rule"),
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
        "Twee {deuce}, 3 t/m 9 vijf, tien t/m heer 10, aas 20.",
        "Twos {deuce}, 3 to 9 five, ten to king 10, aces 20.",
    ),
    "rule.pips": (
        "Twee {deuce}, 3 t/m 9 hun cijfer, tien t/m heer 10, aas 20.",
        "Twos {deuce}, 3 to 9 their pips, ten to king 10, aces 20.",
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
}
