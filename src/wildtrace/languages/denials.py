"""Whether what stands before a cue denies, or leaves open, the relation that the cue would state.

`It was not caused by the frost`, `he denied that the leak had caused it`, `no failure contributed to it`, `whether
fatigue contributed` and 并不是因为 state no cause. What is denied of one end does: `because the valve was not shut`,
`she did not come because she was ill` (mostly the reason why she stayed away), `not only because`.
"""

from __future__ import annotations

import re
from typing import Final

_NEAR: Final = 80
"""How far back the words that govern a cue are looked for, in code points."""
_NOT: Final = r"(?:\b(?:not|never|neither|nor|hardly|scarcely|cannot)|n['’]t)"
_DEGREE: Final = (
    r"(?:in any (?:way|sense|degree)|at all|by any means|so much|certainly|clearly|directly|entirely|wholly|mainly"
    r"|chiefly|primarily|necessarily|really|probably|possibly|apparently|thus|therefore|itself|alone|have|has|had|be"
    r"|been|was|were|is|are|being|in|to|any|way)"
)
_DENIED: Final = re.compile(rf"{_NOT}(?:\s+{_DEGREE})*\s*$", re.IGNORECASE)
# `He wanted to go but could not because he was injured` leaves out the verb that it denies.
_ELLIPSIS: Final = re.compile(
    r"\b(?:could|can|did|do|does|would|will|should|might|must)(?:\s+not|n['’]t)\s*$|\b(?:ca|wo)n['’]t\s*$",
    re.IGNORECASE,
)
_WITHOUT_PURPOSE: Final = re.compile(rf"{_NOT}(?:\s+[\w-]+){{0,4}}\s*$", re.IGNORECASE)
_OPEN: Final = re.compile(
    r"\b(?:whether|den(?:y|ies|ied|ying)\b[^.;:]*\bthat|(?:reject|dismiss|disput|disprov|rul)\w*\b[^.;:]*\bthat"
    r"|no\s+(?:evidence|indication|proof|suggestion)\b[^.;:]*\bthat"
    r"|(?:not|never|nor)\b[^.;:]{0,30}\b(?:established|proved|proven|shown|clear|known|believe|believed|consider"
    r"|considered|find|found|think|thought|suppose|supposed|conclude|concluded|say|said)\s+that"
    r"|if|unless)\s[^,.;:]*$",
    re.IGNORECASE,
)
_UNREAL: Final = re.compile(r"^\W*(?:had\s+(?!to\b)|nor\b)", re.IGNORECASE)
_NOBODY: Final = re.compile(
    r"(?:^|\b(?:that|and|but|which)\b|[,;:])\W*(?:no|none\s+of|neither|nothing|nobody)\b[^,;:]*$", re.IGNORECASE
)
_CHINESE: Final = re.compile("(?:不是|并非|並非|不[单單]?|非|未必|未必是|[岂豈]是?|[难難]道是?|莫非是?)$")
_NOT_ONLY: Final = re.compile("(?:不[单單但仅僅只止]是?|非[但独獨])$")


def is_denied(text: str, start: int, at: int, *, verb: bool) -> bool:
    """Whether the words of an English sentence from `start` deny or leave open what the cue at `at` states.

    `verb` says that the cue's subject stands before it (`caused`, `led to`): no subject, no cause.
    """
    before = text[max(start, at - _NEAR) : at]
    if _OPEN.search(before) or _UNREAL.match(text[start:at]):
        return True
    if verb:
        return _DENIED.search(before) is not None or _NOBODY.search(before) is not None
    return _DENIED.search(before) is not None and _ELLIPSIS.search(before) is None


def is_denied_purpose(text: str, start: int, at: int) -> bool:
    """Whether the words before a cue of purpose say that what would serve it was not done, or leave that open."""
    return (
        is_denied(text, start, at, verb=True) or _WITHOUT_PURPOSE.search(text[max(start, at - _NEAR) : at]) is not None
    )


def is_denied_in_chinese(text: str, at: int) -> bool:
    """Whether a Chinese cue at `at` is denied by what stands right before it (并不是因为); 不但因为 states it."""
    before = text[max(0, at - 4) : at]
    return _CHINESE.search(before) is not None and _NOT_ONLY.search(before) is None
