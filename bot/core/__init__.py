"""The path of one message: pipeline, dispatch, sessions."""
