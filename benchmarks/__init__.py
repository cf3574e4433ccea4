"""Speed and memory of `wildtrace eval` and `wildtrace judge`, measured beside bounds and a peer. See README.md."""
