"""The only shell, one file per flow: order of stages, resume, concurrency, progress."""
