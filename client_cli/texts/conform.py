"""What the conformance kit tells: what it waits for, and what was seen where a requirement did not hold.

`conform.why.` entries follow a requirement's number and a colon.
"""

CONFORM: dict[str, tuple[str, str]] = {
    "conform.join": (
        "{number}/{total} {scenario}: wacht tot jouw programma aanschuift bij tafel {table} op {broker}",
        "{number}/{total} {scenario}: waiting for your program to join table {table} on {broker}",
    ),
    "conform.host": (
        "{number}/{total} {scenario}: wacht tot jouw programma op {broker} een tafel opent met twee vrije stoelen",
        "{number}/{total} {scenario}: waiting for your program to host a table on {broker} with two free seats",
    ),
    "conform.start": (
        "{number}/{total} {scenario}: wij zitten aan tafel {table}; wacht tot jouw programma het spel begint",
        "{number}/{total} {scenario}: we sit at table {table}; waiting for your program to begin the game",
    ),
    "conform.held": ("voldaan: {musts}", "held: {musts}"),
    "conform.broken": ("GESCHONDEN {must}: {why}", "BROKEN {must}: {why}"),
    "conform.nobody": (
        "Er kwam niemand: aan deze tafel is niets gespeeld.",
        "Nobody came: nothing was played at this table.",
    ),
    "conform.not-started": (
        "Het spel is niet begonnen: aan deze tafel is niets gespeeld.",
        "The game did not begin: nothing was played at this table.",
    ),
    "conform.seats": (
        "Die tafel heeft geen twee vrije stoelen: aan deze tafel is niets gespeeld.",
        "That table does not have two free seats: nothing was played at this table.",
    ),
    "conform.unseen": ("Nergens te zien geweest: {musts}", "Not observed at any table: {musts}"),
    "conform.passed": (
        "Alles wat te zien was is voldaan: {musts} eisen aan {tables} tafels.",
        "Everything that could be observed held: {musts} requirements at {tables} tables.",
    ),
    "conform.failed": (
        "Geschonden: {musts}. Wat elke eis zegt staat in spec/, bij haar nummer.",
        "Broken: {musts}. What each requirement says is in spec/, under its number.",
    ),
    "conform.no_scenario": (
        "Er is geen tafel {name}. Dit zijn ze: {names}",
        "There is no table {name}. These are: {names}",
    ),
    "conform.only": ("Tafel {name} kan alleen met {way}.", "Table {name} can only be played with {way}."),
    "conform.wait": ("--wait is een aantal seconden boven nul.", "--wait is a number of seconds above zero."),
    "conform.three": ("Er zijn drie tot zeven stoelen nodig.", "It takes three to seven seats."),
    "conform.why.form": (
        "op zijn kanaal m stond iets wat geen geldige boeking is ({code})",
        "something on its channel m was no valid entry ({code})",
    ),
    "conform.why.message": (
        "op zijn kanaal {channel} stond iets wat daar geen geldig bericht is ({code})",
        "something on its channel {channel} was no valid message there ({code})",
    ),
    "conform.why.not-begun": (
        "na het begin heeft het de tafel niet aangekondigd als begonnen",
        "after the start it did not announce the table as begun",
    ),
    "conform.why.contradicts": (
        "twee verschillende boekingen voor stap {step} ({kind})",
        "two different entries for step {step} ({kind})",
    ),
    "conform.why.head": (
        "{kind} van stap {step} heeft een andere kop dan het logboek",
        "{kind} of step {step} has another head than the log",
    ),
    "conform.why.early": (
        "{kind} van stap {step} kwam voordat stoel {seat} in de stap ervoor had gesproken",
        "{kind} of step {step} came before seat {seat} had spoken in the step before it",
    ),
    "conform.why.waits": (
        "het wachtte in stap {step} op de anderen voordat het {kind} zei",
        "in step {step} it waited for the others before it said {kind}",
    ),
    "conform.why.fault": (
        "zijn boeking van stap {step} is fout ({code})",
        "its entry of step {step} is false ({code})",
    ),
    "conform.why.masks": (
        "in stap {step} kwam een kaart uit het schudden zoals hij erin ging",
        "in step {step} a card came out of the shuffle as it went in",
    ),
    "conform.why.place": (
        "een levensteken toonde bij stap {step} een andere kop dan het logboek",
        "a heartbeat showed another head at step {step} than the log has",
    ),
    "conform.why.no-heartbeat": ("er kwam geen geldig levensteken", "there was no valid heartbeat"),
    "conform.why.stamp": (
        "het nummer ({epoch}, {count}) is voor twee berichten gebruikt",
        "the number ({epoch}, {count}) was used for two messages",
    ),
    "conform.why.again": (
        "een geheim van tafel {other} is opnieuw gebruikt",
        "a secret of table {other} was used again",
    ),
    "conform.why.stuck": (
        "bij stap {step} kwam het spel tot stilstand: het was jouw programma dat nog moest spreken",
        "the game came to rest at step {step}: it was your program that still had to speak",
    ),
    "conform.why.no-end": (
        "de ronde is niet uitgespeeld; het logboek eindigt bij stap {step}",
        "the round was not played to its end; the log ends at step {step}",
    ),
    "conform.why.no-void": (
        "stoel {seat} loog in stap {step}, en er kwam geen VOID",
        "seat {seat} lied in step {step}, and no VOID came",
    ),
    "conform.why.named": (
        "zijn VOID noemde niet alleen de stoel die loog (genoemd: {seats})",
        "its VOID did not name just the seat that lied (named: {seats})",
    ),
    "conform.why.goes-on": (
        "het sprak nog ({kind} van stap {step}) toen het had moeten zwijgen",
        "it still spoke ({kind} of step {step}) when it had to be silent",
    ),
    "conform.why.not-shown": (
        "het zond de twee boekingen van stap {step} niet allebei aan iedereen",
        "it did not send both entries of step {step} to everybody",
    ),
    "conform.why.took": (
        "het nam een boeking met een andere kop aan ({kind} van stap {step} volgde)",
        "it took an entry at another head ({kind} of step {step} followed)",
    ),
    "conform.why.no-answer": (
        "op een vraag vanaf stap {step} kwam geen antwoord",
        "a request from step {step} was not answered",
    ),
    "conform.why.answer": (
        "het antwoord op een vraag vanaf stap {step} was niet precies wat ontbrak",
        "the answer to a request from step {step} was not exactly what was missing",
    ),
    "conform.why.no-start": (
        "wie aan de tafel zit en opnieuw om het begin vroeg, kreeg het niet",
        "a player of the table who asked for the start again did not get it",
    ),
    "conform.why.no-refusal": (
        "wie na het begin nog wilde aanschuiven, kreeg geen weigering",
        "whoever wanted to sit down after the start was not refused",
    ),
    "conform.why.no-look": (
        "wie mee wilde kijken, kreeg het begin niet",
        "whoever wanted to look on did not get the start",
    ),
    "conform.why.sat-down": (
        "het speelde mee ({kind}) in een ander spel dan was aangekondigd",
        "it played along ({kind}) in another game than was announced",
    ),
}
