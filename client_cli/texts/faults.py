"""What a peer did wrong, by the prefix of the fault's code, and why a request of our own could not be taken.

The part after the slash is for developers and is shown beside the sentence, never instead of it. `fault.` entries
complete the sentence "{name}: ...".
"""

FAULTS: dict[str, tuple[str, str]] = {
    "fault.wire": (
        "stuurde een ondertekend bericht dat niet klopt van vorm.",
        "sent a signed message that is malformed.",
    ),
    "fault.body": (
        "stuurde een ondertekend bericht met een inhoud die niet kan.",
        "sent a signed message with impossible content.",
    ),
    "fault.entry": (
        "stuurde een ondertekend bericht dat niet klopt van vorm.",
        "sent a signed message that is malformed.",
    ),
    "fault.crypto": (
        "stuurde een getal dat de versleuteling niet kan gebruiken.",
        "sent a number that the encryption cannot use.",
    ),
    "fault.group": (
        "stuurde een getal dat geen geldig punt of getal van de versleuteling is.",
        "sent a number that is no valid element of the encryption.",
    ),
    "fault.commit": (
        "opende iets anders dan eerder was vastgelegd.",
        "opened something other than what had been committed to.",
    ),
    "fault.pok": (
        "kon niet bewijzen de eigen sleutel te bezitten.",
        "could not prove possession of the own key.",
    ),
    "fault.proof": (
        "schudde met een bewijs dat niet klopt: de kaarten zijn misschien verwisseld.",
        "shuffled with a proof that does not hold: cards may have been exchanged.",
    ),
    "fault.dleq": (
        "gaf een sleuteldeel van een kaart dat niet klopt.",
        "gave a wrong key share for a card.",
    ),
    "fault.deck": (
        "gaf een geschud spel door met te veel of te weinig kaarten.",
        "passed on a shuffled deck with too many or too few cards.",
    ),
    "fault.deal": (
        "gaf bij het delen sleuteldelen waar geen leesbare kaart uit komt.",
        "gave key shares at the deal that make no readable card.",
    ),
    "fault.draw": (
        "wilde een andere kaart pakken dan de volgende van de stapel.",
        "wanted to draw another card than the next of the stock.",
    ),
    "fault.card": (
        "toonde een kaart die al ergens anders ligt.",
        "showed a card that lies somewhere else already.",
    ),
    "fault.open": (
        "toonde iets anders dan eerder was vastgelegd of gedeeld.",
        "showed something other than what had been fixed or dealt.",
    ),
    "fault.ready": (
        "bevestigde een ander geschud spel dan het onze.",
        "confirmed another shuffled deck than ours.",
    ),
    "fault.end": (
        "was het niet eens over het einde van de ronde.",
        "did not agree on the end of the round.",
    ),
    "fault.seat": (
        "tekende voor andere spelers of regels dan afgesproken.",
        "signed other players or rules than agreed.",
    ),
    "fault.rules": (
        "speelde iets dat de afgesproken regels niet toestaan.",
        "played something the agreed rules do not allow.",
    ),
    "fault.log": (
        "zei iets dat niet past in het verloop van het spel.",
        "said something that does not fit the course of the game.",
    ),
    "fault.log/equivocation": (
        "ondertekende twee verschillende berichten voor dezelfde stap.",
        "signed two different messages for one and the same step.",
    ),
    "fault.log/expired": (
        "zweeg zo lang dat alle anderen tekenden niet langer te wachten.",
        "was silent for so long that all others signed not to wait any more.",
    ),
    "fault.log/left": (
        "tekende zelf voor vertrek.",
        "signed to leave.",
    ),
    "fault.log/own-entry-unknown": (
        "ondertekende eerder iets dat ons eigen dagboek niet kent: is er een oude reservekopie teruggezet?",
        "once signed something our own journal does not know: was an old backup put back?",
    ),
    "fault.session": (
        "zei iets op een moment waarop dat niet kan.",
        "said something at a moment where it cannot be said.",
    ),
    "fault.audit": (
        "kon na de ronde niet verantwoorden hoe er geschud is.",
        "could not account for the shuffle after the round.",
    ),
    "fault.verdict": (
        "ondertekende een andere score of een ander oordeel dan het onze.",
        "signed another score or verdict than ours.",
    ),
    "fault.other": (
        "hield zich niet aan de afspraken van het spel.",
        "did not keep to the protocol of the game.",
    ),
    "refused.other": (
        "Dat kan nu niet.",
        "That cannot be done now.",
    ),
}
