"""What the screen looks like: functions from UiState to styled text for a given width and height.

Views decide nothing and keep nothing: the same state and size always give the same lines, which is why a resize
can never leave anything behind. They know prompt-toolkit only by its plain fragments (style, text).
"""
