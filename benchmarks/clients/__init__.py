"""The programs `wildtrace` is measured against, each run as a process of its own."""
