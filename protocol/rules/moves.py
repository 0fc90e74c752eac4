"""The door to move generation: what a seat could do with its cards, and what would be best.

Everything here proposes; `engine` alone decides. All results are in a fixed order and follow from the arguments only.
"""

from .moves_best import Laydown, laydown, opening_reach
from .moves_fits import Fit, what_fits
from .moves_steps import layoffs, melds, next_steps, pot_is_closed, pot_is_free, pot_melds, swaps

__all__ = [
    "Fit",
    "Laydown",
    "laydown",
    "layoffs",
    "melds",
    "next_steps",
    "opening_reach",
    "pot_is_closed",
    "pot_is_free",
    "pot_melds",
    "swaps",
    "what_fits",
]
