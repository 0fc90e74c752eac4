"""The rules of the game: faces, melds, legality, scores. Knows nothing of cryptography or networks."""
