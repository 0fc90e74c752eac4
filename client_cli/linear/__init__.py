"""The client as plain lines: every line is appended and makes sense alone, every choice is a number or a word.

For screen readers, braille displays, pipes and dumb terminals. The state and its meaning are those of the full screen
(`client_cli.model`); here is only how it is told (`told`), what a typed line means (`understood`), and a thin shell.
"""
