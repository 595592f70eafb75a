"""One module per kind of document, loaded by the worker once it is confined: each reads a file into sections."""
