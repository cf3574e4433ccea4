"""The protocol's first script: model answers. The same as `wildtrace eval`."""

from wildtrace.__main__ import run
from wildtrace.cli.eval import command

if __name__ == "__main__":
    run(command, "run_eval.py")
