"""Duizenden's protocol: rules, card cryptography, wire format and table session, without any I/O."""
