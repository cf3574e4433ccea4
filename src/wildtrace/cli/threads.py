"""One thread for numpy's linear algebra, for commands that compute statistics: imported before numpy is.

The products are thin, and threads that wait for each other by spinning burn many times the work's CPU on a busy
machine. Whoever sets OPENBLAS_NUM_THREADS keeps their own number.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
