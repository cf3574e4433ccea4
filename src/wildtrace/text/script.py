"""Which script a text is written in, by the protocol's rule and beyond it.

The protocol's rule (section 3) decides the cap: more than 20 ideographs of U+4E00..U+9FFF among the first 4,000 code
points. It leaves out kana, hangul and the extension blocks; `is_other_cjk` notices those, for a warning (rule 7).
"""

from __future__ import annotations

import re
from typing import Final

HEAD: Final = 4000
THRESHOLD: Final = 20

# Compiled when a document is looked at: most commands look at none.
_IDEOGRAPH: Final = r"[\u4e00-\u9fff]"
_OTHER_CJK: Final = (
    r"[\u3040-\u30ff\u31f0-\u31ff\uff66-\uff9f"  # kana
    r"\u1100-\u11ff\u3130-\u318f\uac00-\ud7af"  # hangul
    r"\u3400-\u4dbf\uf900-\ufaff\U00020000-\U000323af]"  # ideographs outside the protocol's range
)


def is_cjk(text: str) -> bool:
    """Whether the cjk cap holds for this document (protocol, section 3)."""
    return len(re.findall(_IDEOGRAPH, text[:HEAD])) > THRESHOLD


def is_other_cjk(text: str) -> bool:
    """Whether the text is written in a CJK script that the protocol's rule does not see."""
    return not is_cjk(text) and len(re.findall(_OTHER_CJK, text[:HEAD])) > THRESHOLD
