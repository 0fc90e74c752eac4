"""The lobby: everything before the first card and after the last one, full screen.

`state` and `model` decide what is shown and asked (pure); `views` draw it; `scout`, `errands` and `controller` talk to
the network and the disk; `app` owns the terminal. Nothing here plays: a table that begins is given to `client_cli.app`.
"""
