"""The doctor in words: what was found, and what to do about it."""

DOCTOR: dict[str, tuple[str, str]] = {
    "doctor.name.terminal": ("Venster", "Window"),
    "doctor.name.folder": ("Map", "Folder"),
    "doctor.name.clock": ("Klok", "Clock"),
    "doctor.name.network": ("Netwerk", "Network"),
    "doctor.name.port": ("Poort", "Port"),
    "doctor.name.multicast": ("Vinden", "Finding"),
    "doctor.name.broker": ("Broker", "Broker"),
    "doctor.name.reach": ("Bereik", "Reach"),
    # ------------------------------------------------------------------ terminal
    "doctor.terminal.good": (
        "Het venster is {columns}x{lines}, met {colours} en {signs}.",
        "The window is {columns}x{lines}, with {colours} and {signs}.",
    ),
    "doctor.terminal.small": (
        "Het venster is {columns}x{lines}; dat is te klein.",
        "The window is {columns}x{lines}; that is too small.",
    ),
    "doctor.terminal.small.do": (
        "Maak het venster minstens 80 tekens breed en 24 regels hoog, of het lettertype kleiner.",
        "Make the window at least 80 columns wide and 24 lines high, or the type smaller.",
    ),
    "doctor.terminal.letters": (
        "De tekenset {encoding} kent geen kaarttekens; er komen letters voor in de plaats.",
        "The encoding {encoding} has no card signs; letters take their place.",
    ),
    "doctor.terminal.letters.do": (
        "Zet de taal van het venster op UTF-8 voor ♠♥♦♣ (bijvoorbeeld LANG=nl_NL.UTF-8).",
        "Set the locale of the window to UTF-8 for ♠♥♦♣ (for example LANG=en_GB.UTF-8).",
    ),
    "doctor.terminal.none": (
        "Dit is geen terminalvenster (een pijp, of TERM is dumb).",
        "This is no terminal window (a pipe, or TERM is dumb).",
    ),
    "doctor.terminal.none.do": (
        "Start duizenden in een gewoon terminalvenster.",
        "Start duizenden in a normal terminal window.",
    ),
    "doctor.colours.true": ("alle kleuren", "all colours"),
    "doctor.colours.256": ("256 kleuren", "256 colours"),
    "doctor.colours.16": ("16 kleuren", "16 colours"),
    "doctor.colours.none": ("geen kleuren", "no colours"),
    "doctor.signs.signs": ("kaarttekens", "card signs"),
    # ------------------------------------------------------------------ folder
    "doctor.folder.good": (
        "Spellen worden bewaard in {folder}; er is {free} vrij.",
        "Games are kept in {folder}; {free} is free.",
    ),
    "doctor.folder.full": (
        "In {folder} is nog maar {free} vrij; een lange avond kan de schijf vullen.",
        "Only {free} is free in {folder}; a long evening may fill the disk.",
    ),
    "doctor.folder.full.do": (
        "Maak ruimte; op een volle schijf stopt een spel bij de laatste bewaarde zet.",
        "Make room; on a full disk a game stops at the last move that was saved.",
    ),
    "doctor.folder.bad": (
        "In {folder} kan niets worden geschreven: {detail}.",
        "Nothing can be written in {folder}: {detail}.",
    ),
    "doctor.folder.bad.do": (
        "Geef jezelf schrijfrecht op die map, of zet DUIZENDEN_HOME op een andere.",
        "Give yourself permission to write there, or set DUIZENDEN_HOME to another folder.",
    ),
    # ------------------------------------------------------------------ clock
    "doctor.clock.good": (
        "De klok staat op {now}; het spel zelf vertrouwt op geen enkele klok.",
        "The clock says {now}; the game itself trusts no clock.",
    ),
    "doctor.clock.bad": (
        "De klok staat op {now}, en dat is eerder dan dit programma bestaat.",
        "The clock says {now}, which is before this program was made.",
    ),
    "doctor.clock.bad.do": (
        "Zet de klok goed; met een verkeerde klok staan spellen op een verkeerde datum en werkt mqtts:// niet.",
        "Set the clock; with a wrong clock games have a wrong date and mqtts:// does not work.",
    ),
    # ------------------------------------------------------------------ network
    "doctor.network.good": ("Op het thuisnetwerk: {addresses}.", "On the home network: {addresses}."),
    "doctor.network.none": (
        "Er is geen thuisnetwerk: alleen op deze computer kan gespeeld worden.",
        "There is no home network: it can be played on this computer only.",
    ),
    "doctor.network.none.do": (
        "Maak verbinding met wifi of kabel en zet een VPN uit; oefenen tegen bots kan altijd.",
        "Connect to Wi-Fi or a cable and switch a VPN off; practice against bots always works.",
    ),
    # ------------------------------------------------------------------ port
    "doctor.port.good": ("Poort {port} is vrij voor een eigen tafel.", "Port {port} is free for a table of your own."),
    "doctor.port.taken": (
        "Poort {port} is bezet; een eigen tafel neemt een andere poort.",
        "Port {port} is taken; a table of your own takes another port.",
    ),
    "doctor.port.taken.do": (
        "Niets hoeft; anderen typen dan het adres met de poort erbij, zoals het op het scherm staat.",
        "Nothing has to be done; others then type the address with its port, as the screen shows it.",
    ),
    "doctor.port.bad": (
        "Er kan op geen enkele poort geluisterd worden: {detail}.",
        "No port can be listened on: {detail}.",
    ),
    "doctor.port.bad.do": (
        "Sta Python toe om te luisteren in de firewall of beveiliging van deze computer.",
        "Allow Python to listen in the firewall or security settings of this computer.",
    ),
    # ------------------------------------------------------------------ multicast
    "doctor.multicast.good": (
        "Een proeftafel is in {seconds} s teruggevonden via {interfaces}.",
        "A trial table was found again in {seconds} s by {interfaces}.",
    ),
    "doctor.multicast.lost": (
        "Een proeftafel is niet teruggevonden, hoewel die is rondgezegd via {interfaces}.",
        "A trial table was not found again, though it was announced by {interfaces}.",
    ),
    "doctor.multicast.lost.do": (
        "Sta mDNS (UDP-poort 5353) toe in de firewall en zet een VPN uit; op adres aanschuiven kan wel.",
        "Allow mDNS (UDP port 5353) in the firewall and switch a VPN off; joining by address does work.",
    ),
    "doctor.multicast.none": (
        "Geen enkele netwerkaansluiting wil multicast versturen: tafels vinden elkaar niet vanzelf.",
        "No network interface sends multicast: tables do not find each other by themselves.",
    ),
    "doctor.multicast.none.do": (
        "Schuif aan op adres (a), of zet een VPN uit en probeer het opnieuw.",
        "Join by address (a), or switch a VPN off and try again.",
    ),
    # ------------------------------------------------------------------ broker
    "doctor.broker.good": (
        "De broker op {address} geeft alles door: 1 byte, 16 KiB, lange en bewaarde berichten (in {ms} ms).",
        "The broker at {address} delivers everything: 1 byte, 16 KiB, long and retained messages (in {ms} ms).",
    ),
    "doctor.broker.retained": (
        "De broker op {address} bewaart geen berichten; tafels daar zijn niet te zien.",
        "The broker at {address} keeps no messages; tables on it cannot be seen.",
    ),
    "doctor.broker.retained.do": (
        "Zet bewaarde berichten (retain) aan in de broker, of laat de host zijn eigen broker gebruiken.",
        "Allow retained messages in the broker, or let the host use its own broker.",
    ),
    "doctor.broker.connect": (
        "De broker op {address} is niet te bereiken: {detail}.",
        "The broker at {address} cannot be reached: {detail}.",
    ),
    "doctor.broker.connect.do": (
        "Staat de tafel nog open en klopt het adres? Sta bij de host TCP-poort {port} toe in de firewall.",
        "Is the table still open and the address right? Allow TCP port {port} in the host's firewall.",
    ),
    "doctor.broker.refused": (
        "Op {address} luistert niemand: er is daar geen broker, of een die alleen zijn eigen computer bedient.",
        "Nobody listens at {address}: there is no broker, or one that serves its own computer only.",
    ),
    "doctor.broker.refused.do": (
        "Start de broker, of laat hem op alle adressen luisteren (mosquitto: listener {port} 0.0.0.0).",
        "Start the broker, or let it listen on all addresses (mosquitto: listener {port} 0.0.0.0).",
    ),
    "doctor.broker.subscribe": (
        "De broker op {address} weigert abonnementen: {detail}.",
        "The broker at {address} refuses subscriptions: {detail}.",
    ),
    "doctor.broker.subscribe.do": (
        "Geef gebruikers van de broker lees- en schrijfrecht op dz/#.",
        "Give users of the broker the right to read and write dz/#.",
    ),
    "doctor.broker.small": (
        "De broker op {address} neemt berichten aan maar bezorgt ze niet.",
        "The broker at {address} takes messages but does not deliver them.",
    ),
    "doctor.broker.small.do": (
        "Geef gebruikers van de broker lees- en schrijfrecht op dz/#.",
        "Give users of the broker the right to read and write dz/#.",
    ),
    "doctor.broker.large": (
        "De broker op {address} laat berichten van 16 KiB vallen.",
        "The broker at {address} drops messages of 16 KiB.",
    ),
    "doctor.broker.large.do": (
        "Zet de grens voor berichten in de broker op 20480 bytes of meer.",
        "Raise the message size limit of the broker to 20480 bytes or more.",
    ),
    "doctor.broker.long": (
        "De broker op {address} laat delen van lange berichten vallen.",
        "The broker at {address} drops parts of long messages.",
    ),
    "doctor.broker.long.do": ("Verruim de wachtrijen van de broker.", "Raise the queue limits of the broker."),
    "doctor.broker.start": (
        "De eigen broker wil niet starten: {detail}.",
        "The program's own broker does not start: {detail}.",
    ),
    "doctor.broker.start.do": (
        "Kijk in {log} en meld het; aanschuiven bij een ander kan wel.",
        "See {log} and report it; joining somebody else does work.",
    ),
    # ------------------------------------------------------------------ reach
    "doctor.reach.good": (
        "De eigen broker is te bereiken op {addresses}.",
        "The program's own broker can be reached at {addresses}.",
    ),
    "doctor.reach.bad": (
        "De eigen broker is niet te bereiken op {addresses}, ook niet vanaf deze computer zelf.",
        "The program's own broker cannot be reached at {addresses}, not even from this computer itself.",
    ),
    "doctor.reach.bad.do": (
        (
            "Sta binnenkomend TCP-poort {port} toe in de firewall (Linux: sudo ufw allow {port}/tcp; Windows: sta "
            "Python toe op privénetwerken)."
        ),
        (
            "Allow incoming TCP port {port} in the firewall (Linux: sudo ufw allow {port}/tcp; Windows: allow "
            "Python on private networks)."
        ),
    ),
    # ------------------------------------------------------------------ verdict
    "doctor.health.good": ("goed", "good"),
    "doctor.health.warn": ("let op", "mind"),
    "doctor.health.bad": ("mis", "wrong"),
    "doctor.busy": ("De dokter kijkt rond …", "The doctor is looking around …"),
    "doctor.all_good": ("Alles werkt.", "Everything works."),
    "doctor.some": (
        "Er kan gespeeld worden, met wat hierboven staat in gedachten.",
        "It can be played, with the above in mind.",
    ),
    "doctor.wrong": ("Er is iets mis; hierboven staat wat je kunt doen.", "Something is wrong; see above what to do."),
}
