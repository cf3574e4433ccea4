"""What a source can be read for without a model: a rehearsal of the flow and a scaffold for people, not a substitute.

`offline_reading` notes what the source's own words state, `offline_trails` joins what such a statement licenses. Both
leave out what takes understanding: what is implied, what is said of somebody by a pronoun, why a thing matters, whether
another passage tells the answer in other words. Every trail is `unverified` and is never promoted. Most sources have
none: three reports, the 9/11 report and two Chinese novels had none by the rules that are left.
"""

from wildtrace.construct.offline.reading import offline_reading
from wildtrace.construct.offline.trails import offline_trails

__all__ = ["offline_reading", "offline_trails"]
