"""How often a judge is asked; the panel's arithmetic stands in `scores.aggregate`."""

from __future__ import annotations

from typing import Final

# A judge is asked once and, where its reply is of no use, at most twice again in a run (rule 24).
SAMPLES: Final = 3
