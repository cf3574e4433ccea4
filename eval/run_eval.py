"""The protocol's first script: model answers. The same as `wildtrace eval`."""

from wildtrace.cli.eval import command
from wildtrace.cli.main import run

if __name__ == "__main__":
    run(command, "run_eval.py")
