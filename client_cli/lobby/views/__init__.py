"""Drawings of the lobby: functions from the state to cells. No decision is made here and nothing is asked of a node."""
