"""Statistics from score tables and items, one file each: its table, what stands behind each number, and its figure.

What several of them need stands in `base`, `slices`, `criteria`, `strata`, `plots` and `numeric`; none imports another.
`STATISTICS` lists them in the order in which a report shows them; the studies and the comparison have commands of their
own (docs/statistics.md).
"""

from wildtrace.diagnose import (
    access,
    compare,
    complexity,
    composition,
    evidence_visible,
    expert,
    families,
    flags,
    floor,
    funnel,
    geometries,
    geometry_tiers,
    judge_means,
    judges,
    leaderboard,
    lengths,
    loss,
    loss_patterns,
    loss_positions,
    relabel,
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
    judge_means.STATISTIC,
    access.STATISTIC,
    loss_patterns.STATISTIC,
    loss_positions.STATISTIC,
    loss.STATISTIC,
    lengths.STATISTIC,
    flags.STATISTIC,
    composition.STATISTIC,
    floor.STATISTIC,
    complexity.STATISTIC,
    funnel.STATISTIC,
    expert.STATISTIC,
    evidence_visible.STATISTIC,
    relabel.STATISTIC,
    compare.STATISTIC,
)
