"""The protocol's second script: rubric scores. The same as `wildtrace judge`."""

from wildtrace.__main__ import run
from wildtrace.cli.judge import command

if __name__ == "__main__":
    run(command, "run_judge.py")
