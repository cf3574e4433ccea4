"""The protocol's second script: rubric scores. The same as `wildtrace judge`."""

from wildtrace.cli.judge import command
from wildtrace.cli.main import run

if __name__ == "__main__":
    run(command, "run_judge.py")
