"""Statistics from score tables and items: one file each, `compute(...) -> Table`, pure.

`STATISTICS` lists them in the order in which a report shows them.
"""

from wildtrace.diagnose import (
    compare,
    families,
    geometries,
    geometry_tiers,
    judges,
    leaderboard,
    tiers,
    variance,
)
from wildtrace.diagnose.base import Statistic

STATISTICS: tuple[Statistic, ...] = (
    leaderboard.STATISTIC,
    tiers.STATISTIC,
    geometries.STATISTIC,
    geometry_tiers.STATISTIC,
    families.STATISTIC,
    variance.STATISTIC,
    judges.STATISTIC,
    compare.STATISTIC,
)
