"""A node: one player at one table over MQTT, with its journal, its broker and its bots."""
