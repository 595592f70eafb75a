"""The composition root: the one place where everything is joined.

``places`` says where things live, ``application`` builds the parts once, ``turns`` builds a pipeline per settings
snapshot, ``longterm`` keeps the connection to LightRAG, ``entry_points`` opens the receivers.
"""
