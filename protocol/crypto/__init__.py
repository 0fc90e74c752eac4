"""The card cryptography dz1 (spec/20-crypto.md). Knows nothing of the rules of the game."""
