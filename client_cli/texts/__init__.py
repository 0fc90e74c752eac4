"""Every sentence a person can read, in Dutch and English, as plain tables.

Only data lives here: a code, the Dutch sentence, the English one. `{names}` are facts that the caller fills in.
`client_cli.messages` is the one way to read these tables; a test proves that both languages are complete and
use the same facts.
"""
