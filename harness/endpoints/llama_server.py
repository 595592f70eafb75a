"""Runs llama.cpp's server until its standard input ends; prints its address.

Run by the Python of the command's own environment: ``python llama_server.py MODEL.gguf WINDOW``.
"""

from __future__ import annotations

import sys

import xllamacpp


def main(model: str, window: int) -> None:
    """Serve one conversation at a time, as on a machine of one's own."""
    params = xllamacpp.CommonParams()
    params.model.path = model
    params.model_alias = {"tiny-random"}
    params.n_ctx = window
    params.n_parallel = 1
    params.cpuparams.n_threads = 1
    params.cpuparams_batch.n_threads = 1
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.use_jinja = True
    params.endpoint_props = True
    params.warmup = False
    server = xllamacpp.Server(params)
    print(server.listening_address, flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
