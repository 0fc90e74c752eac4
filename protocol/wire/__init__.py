"""Canonical bytes: the codec, the limits and the signed entry."""
