"""Legality: the one place that decides whether a step is allowed and what follows from it.

Stub with the agreed surface. All functions are pure: state in, new state out; a refusal raises IllegalMove with a
reason code (spec/10-rules.md) and leaves nothing behind. The same functions judge our own moves and everybody else's.

`faces` arguments map slots to faces and extend `state.faces`: for a peer's play they are the opened cards; for
our own arranging they are our whole hand. Rules about hidden cards ("only queens of spades left") are judged on
what is known, and a whole Play is always decidable because the discard is opened.
"""
