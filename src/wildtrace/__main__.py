"""`python -m wildtrace` is the `wildtrace` command."""

from wildtrace.cli.main import run

if __name__ == "__main__":
    run()
