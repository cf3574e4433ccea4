"""`python -m wildtrace` is the `wildtrace` command."""

import signal

# Until the command runs there is nothing to save: Ctrl-C ends the process at once, without a traceback of imports.
if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, signal.SIG_DFL)

from wildtrace.cli.main import run

__all__ = ["run"]

if __name__ == "__main__":
    run()
