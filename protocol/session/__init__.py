"""The table: one replicated, deterministic state machine over a log of signed entries."""
