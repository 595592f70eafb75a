"""What the application needs from the outside world: one Protocol per file, no code.

Every method is asynchronous, may be cancelled at any await, and raises only errors of :mod:`bot.errors`.
"""
