"""The agreed rules as one frozen value. (fields are filled in from the rules matrix)"""
from __future__ import annotations
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSet:
    """Everything about the rules that may differ between tables."""
