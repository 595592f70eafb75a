"""The composition root: the one place where everything is joined.

``building`` opens the store and makes the parts, ``features`` has every feature add itself, ``pipeline`` builds what
the settings in force decide, ``telegram`` makes a channel of the bot, ``entry_points`` opens the ways in.
"""
