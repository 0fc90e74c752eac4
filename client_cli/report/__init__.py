"""The report that `duizenden verify --html` writes: one page for a family, from verified games alone.

Pure: replays in, text out. The page is one file without scripts or links, and shows only what was verified.
"""

from .facts import GameFacts, facts_of
from .many import Unread, overview
from .page import report

__all__ = ["GameFacts", "Unread", "facts_of", "overview", "report"]
