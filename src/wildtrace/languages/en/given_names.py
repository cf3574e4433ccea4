"""Given names that tell a man from a woman, for persons of whom the text itself says too little."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from wildtrace.languages.en.names import FEMALE_TITLES, MALE_TITLES

_MALE_WORDS = """
    john william thomas robert james george henry edward richard charles joseph samuel david daniel peter paul arthur
    albert alfred frederick francis philip stephen simon andrew anthony walter herbert hugh harold ralph roger edmund
    oliver oscar leonard lewis louis martin matthew mark luke michael nicholas patrick gilbert godfrey geoffrey gerald
    ernest eric edgar edwin eugene felix guy gregory jacob jasper jerome jonathan joshua julian laurence lawrence lionel
    maurice nathaniel neville noel norman owen percy reginald rupert sebastian sidney sydney silas timothy tobias victor
    vincent wilfred adam adrian alan alexander algernon ambrose archibald aubrey augustus austin barnaby basil benjamin
    bernard bertram cecil christopher claude clement clifford conrad cornelius cuthbert cyril denis dominic donald
    douglas duncan ebenezer eustace evan everett ezra ferdinand gabriel gordon gustave hans hector horace horatio
    humphrey isaac ivan jack tom dick harry bob bill jim joe ned sam ben will frank fred mijnheer
"""
_FEMALE_WORDS = """
    mary elizabeth anne anna ann jane margaret sarah catherine katherine ellen emily emma alice helen louisa harriet
    charlotte caroline frances fanny julia eleanor eleanore ethel edith eliza florence grace hannah hester isabel
    isabella janet jessie joan josephine judith kate laura lavinia lilian lily lucy lydia mabel madeline maria marian
    marianne martha matilda maud mildred minnie miriam nancy nora olive olivia patience penelope phoebe phyllis
    priscilla rachel rebecca rhoda rosa rosalind rosamond rose ruth selina sophia sophy susan sybil theresa ursula
    victoria violet viola virginia winifred winny adela adelaide agatha agnes amelia amy angela annie antonia audrey
    augusta barbara beatrice bertha bessie blanche bridget cecilia cecily celia charity christina clara clarissa
    constance cora cordelia deborah diana dinah dolly dora dorothy ella elsie esther eugenia eva evelyn flora gertrude
    gwendolen harriett henrietta hilda honor ida irene jemima jenny lizzie lottie millicent molly peggy polly mevrouw
    countess duchess baroness marchioness
"""
MALE: Final = frozenset(_MALE_WORDS.split())
FEMALE: Final = frozenset(_FEMALE_WORDS.split())


def gender_of(names: Sequence[str]) -> str | None:
    """`male` or `female` where a title in a person's names says so, else where the first of them is a given name."""
    for words in (name.lower().split() for name in names):
        if len(words) > 1 or words[0] in FEMALE_TITLES:
            told = _told(words[0], MALE_TITLES, FEMALE_TITLES)
            if told is not None:
                return told
    return _told(names[0].lower().split()[0], MALE, FEMALE) if names else None


def _told(word: str, male: frozenset[str], female: frozenset[str]) -> str | None:
    return "male" if word in male else "female" if word in female else None
