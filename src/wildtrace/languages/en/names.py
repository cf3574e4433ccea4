"""Mentions of English names: runs of capitalised words with the titles before them, and what a title says.

Which of the runs are names is decided over the whole document (`build.extract.entities`); here is only what one place
shows. A run at the start of a sentence may begin with an ordinary word, so its place is told.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

Words = tuple[str, ...]
Mention = tuple[int, int, Words, bool]
"""A run of capitalised words: its start, its end, the name in it, whether it opens a sentence with just that name."""

_MALE_TITLES_WORDS = """
    mr sir lord master captain capt colonel col major general lieutenant lieut sergeant squire uncle father
    brother king prince duke earl count baron baronet monsieur m herr don esquire parson pope bishop reverend
    rev judge grandfather abbe gen sergt
"""
MALE_TITLES: Final = frozenset(_MALE_TITLES_WORDS.split())
_MARRIED_TITLES_WORDS = """
    mrs madame madam mme lady dame duchess countess baroness queen dowager
"""
MARRIED_TITLES: Final = frozenset(_MARRIED_TITLES_WORDS.split())
MAIDEN_TITLES: Final = frozenset(["miss", "mademoiselle", "mdlle", "ms", "sister", "princess"])
FEMALE_TITLES: Final = MARRIED_TITLES | MAIDEN_TITLES | frozenset(["aunt", "mother", "grandmother", "nurse"])
_NEUTRAL_TITLES_WORDS = """
    dr doctor prof professor president secretary senator inspector hon honourable honorable cousin old young
"""
NEUTRAL_TITLES: Final = frozenset(_NEUTRAL_TITLES_WORDS.split())
TITLES: Final = MALE_TITLES | FEMALE_TITLES | NEUTRAL_TITLES
NOBLE_TITLES: Final = frozenset("sir lord king prince duke earl count baron baronet".split())  # noqa: SIM905
LEARNED_TITLES: Final = frozenset("dr doctor prof professor president secretary senator inspector".split())  # noqa: SIM905
"""Titles of men and women alike, but of none who is called Mrs. or Miss."""
_LEANING_WORDS = """
    mr mrs ms miss dr prof st m mme mdlle rev reverend hon honourable honorable sir capt col gen lieut sergt old young
"""
LEANING_TITLES: Final = frozenset(_LEANING_WORDS.split())
"""Titles that name nobody without a name behind them, as `the Captain` may."""
SHIP_PREFIXES: Final = frozenset("MV SS RMS HMS USS USNS TSS FV HMAS HMCS HMNZS".split())  # noqa: SIM905

NICKNAMES: Final = {
    "jack": "john", "johnny": "john", "bob": "robert", "bobby": "robert", "robin": "robert", "bill": "william",
    "billy": "william", "will": "william", "willy": "william", "tom": "thomas", "tommy": "thomas", "dick": "richard",
    "harry": "henry", "hal": "henry", "jim": "james", "jem": "james", "jemmy": "james", "jimmy": "james",
    "joe": "joseph", "ned": "edward", "ted": "edward", "teddy": "edward", "sam": "samuel", "dan": "daniel",
    "ben": "benjamin", "charley": "charles", "charlie": "charles", "fred": "frederick", "frank": "francis",
    "george": "george", "georgy": "george", "mike": "michael", "nat": "nathaniel", "nick": "nicholas",
    "kate": "catherine", "kitty": "catherine", "cathy": "catherine", "lizzy": "elizabeth", "lizzie": "elizabeth",
    "eliza": "elizabeth", "betsy": "elizabeth", "bess": "elizabeth", "beth": "elizabeth", "peggy": "margaret",
    "maggie": "margaret", "meg": "margaret", "molly": "mary", "polly": "mary", "mamie": "mary", "nelly": "ellen",
    "nell": "ellen", "nancy": "anne", "annie": "anne", "fanny": "frances", "hetty": "hester", "sally": "sarah",
    "susy": "susan", "susie": "susan", "dolly": "dorothy", "tony": "anthony", "alf": "alfred", "andy": "andrew",
    "archie": "archibald", "bertie": "herbert", "rosy": "rose", "jenny": "jane", "janey": "jane", "hatty": "harriet",
}  # fmt: skip

_ORGANISATION_WORDS_WORDS = """
    company co corporation limited ltd commission council committee railway railways railroad department
    ministry bureau authority agency association society bank university college office board institute service
    army navy police congress senate house administration group line lines union club party convention code
    parliament embassy legation consulate admiralty treasury airlines airways academy corps battalion regiment brigade
    federation foundation league trust guard inc plc
"""
ORGANISATION_WORDS: Final = frozenset(_ORGANISATION_WORDS_WORDS.split())
_PLACE_WORDS_WORDS = """
    street road lane square hall court cottage house farm park bridge river lake bay harbour harbor port island
    islands reef channel cape point mount mountain valley county city town village church abbey castle inn
    hotel station north south east west avenue place yard airport quai rue boulevard hôtel château faubourg
"""
PLACE_WORDS: Final = frozenset(_PLACE_WORDS_WORDS.split())
_LEADING = "quai rue boulevard hôtel hotel château faubourg place lake cape"
LEADING_PLACE_WORDS: Final = frozenset(_LEADING.split())
"""Those that stand before the name of the place."""
_PARTS_WORDS = "north south east west northern southern eastern western new great upper lower"
PARTS_OF_PLACES: Final = frozenset(_PARTS_WORDS.split())
"""Those that make one place of another (`South America`)."""
LONE_PLACE_WORDS: Final = frozenset("quai rue boulevard hôtel hotel château faubourg street avenue".split())  # noqa: SIM905
"""Those that are nobody's name."""
CALENDAR_WORDS: Final = frozenset("year day eve night week lent michaelmas whitsuntide whitsun".split())  # noqa: SIM905
"""What the names of days and feasts end in."""

# Words that open sentences, exclaim or address; a run of capitals made of these alone is no name.
_ORDINARY_WORDS = """
    the a an and but or nor for so yet if as at by in of on to up from with without when where while what who
    whom whose which why how that this these those there then than thus he she it i we you they him her his its
    my your our their me us them is was were are be been am do did does had has have will would shall should
    can could may might must not no yes oh ah o eh well now here after before since because though although
    until till once never ever every each all any some many most much more less few several one two three four
    five six seven eight nine ten first second third both either neither such another other others only even
    just still again perhaps indeed however therefore moreover besides meanwhile instead nothing something
    anything everything nobody somebody anybody everybody let come go look see say said tell good dear poor
    little old young great sir madam ma'am miss mr mrs god heaven lord good-bye thank thanks please hush hark
    alas hallo halloa hullo hello what's it's that's i'm i'll i've i'd don't didn't can't won't isn't you're
    he's she's they're we're there's chapter book part figure fig table section page appendix note illustration
    january february march april june july august september october november december monday tuesday wednesday
    thursday friday saturday sunday christmas easter english french german latin dutch american british italian
    spanish russian indian japanese chinese european according during under over between about above through
    frenchman frenchmen frenchwoman englishman englishmen englishwoman irishman irishmen scotchman scotsman welshman
    dutchman dutchmen cornish scottish scotch irish welsh european europeans african asian australian canadian greek
    turkish swiss swedish danish norwegian austrian prussian portuguese mexican americans germans italians russians
    spaniards excellency majesty highness lordship ladyship
    upon into also like hers ours mine yours whether being having right rt very messrs heavens goodness gracious sabbath
"""
ORDINARY: Final = frozenset(_ORDINARY_WORDS.split())
_NATIONAL_WORDS = """
    english french german dutch american british italian spanish russian indian japanese chinese european african
    australian canadian scottish irish welsh greek turkish swiss swedish danish norwegian austrian
"""
NATIONAL: Final = frozenset(_NATIONAL_WORDS.split())
"""Words that say whose something is, and name nothing by themselves."""

_DOTTED_TITLES = "Mrs Mr Dr Capt Col Gen Lieut Rev Rt Hon St M Mme Mdlle Prof Sergt".split()  # noqa: SIM905
_DOTTED = "|".join(rf"(?<={title}\.)" for title in _DOTTED_TITLES)
_SMALL = "a-zà-öø-ÿāăąćčďđēęěğīłńňōőœřśşšţťūůűźżž"
_BIG = "A-ZÀ-ÖØ-ÞĆČĎĐĒŁŃŌŒŘŚŞŠŤŪŹŻŽ"
_TAIL = (
    rf"(?:[{_SMALL}]+(?:[{_BIG}][{_SMALL}]+)?(?:['’][{_BIG}{_SMALL}]+)?(?:-[{_BIG}][{_SMALL}]+)*"
    rf"|['’][{_BIG}][{_SMALL}]+|[A-Z]{{1,6}}\b)"
)
_WORD = rf"[{_BIG}]{_TAIL}"
_JOIN = r"(?:[^\S\n]+|[^\S\n]*\n[^\S\n]*)"
_STACKED = rf"(?:(?:{'|'.join(_DOTTED_TITLES)})\.{_JOIN})"
# The full stop comes first, since it is what most words lack.
_TITLED = rf"(?:rs|r|apt|ol|en|ieut|ev|on|t|me|dlle|rof|ergt)?\.(?:{_DOTTED}){_JOIN}{_STACKED}{{0,3}}{_WORD}"
_NEXT = rf"{_STACKED}{{0,3}}{_WORD}"
# The first character alone is looked for; what stands before it is checked behind it: many times quicker.
_RUN: Final = re.compile(
    rf"[{_BIG}](?<![\w’'-].)(?:{_TITLED}|{_TAIL})(?:{_JOIN}"
    rf"(?:(?:of the|of|de la|de|du|von|van|le|al){_JOIN}(?!Mr|Mrs|Miss|Dr|Sir|Lady|Capt|Col|M\.))?{_NEXT}){{0,4}}"
)
_BEFORE_OPENING: Final = " \t\n\r\f\"“‘'([_*"
_ENDS: Final = frozenset('.!?:;—-”’"…')
_POSSESSIVE: Final = re.compile(r"['’]s?$")
_NUMERAL: Final = re.compile("[IVXLC]+")
_CONTRACTED: Final = re.compile(r"n't$|'(?:ll|d|ve|m|re)$")


@lru_cache(maxsize=512)
def mentions(text: str) -> tuple[Mention, ...]:
    """The runs of capitalised words that hold a name, in order; none reaches across a paragraph's end.

    Remembered, since a document's stretches are surveyed first and read later.
    """
    found: list[Mention] = []
    for match in _RUN.finditer(text):
        words, whole = _name_of(match[0])
        if words:
            start, end = match.span()
            # Mostly a word stands before a name, which needs no closer look.
            inside = text[start - 1 : start].isspace() and text[start - 2 : start - 1].isalpha()
            found.append((start, end, words, whole and not inside and _opens(text, start)))
    return tuple(found)


def _opens(text: str, at: int) -> bool:
    """Whether a sentence opens at `at`, be it behind a quotation mark."""
    if text[max(0, at - 2) : at - 1].isalpha() and text[at - 1].isspace():
        return False
    before = text[max(0, at - 4) : at].rstrip(_BEFORE_OPENING)
    return not before or before[-1] in _ENDS


@lru_cache(maxsize=1 << 16)
def _name_of(run: str) -> tuple[Words, bool]:
    """The name in a run, and whether it is all of the run."""
    words = tuple(_plain(run).split())
    name = name_words(words)
    return name, name == words


def name_words(words: Words) -> Words:
    """A run of capitalised words without ordinary words at its ends and without a possessive ending."""
    first, last = 0, len(words)
    while last > first and _is_ordinary(words[last - 1]):
        last -= 1
    while first < last and _is_ordinary(words[first]) and not _leads(words[first:last]):
        first += 1
    if "of" in words[first:last] and words[first].lower() in TITLES:
        last = words.index("of", first)
    if first == last or (last - first == 1 and first > 0 and _NUMERAL.fullmatch(words[first])):
        return ()
    return (*words[first : last - 1], bare(words[last - 1]))


def _leads(words: Words) -> bool:
    """Whether an ordinary word begins a name all the same: a title, or whose an organisation is (`British Embassy`)."""
    first = words[0].lower()
    return len(words) > 1 and (first in TITLES or (first in NATIONAL and words[-1].lower() in ORGANISATION_WORDS))


def _is_ordinary(word: str) -> bool:
    lowered = word.lower()
    return lowered in ORDINARY or len(word) < 2 or ("'" in word and _CONTRACTED.search(lowered) is not None)


def _plain(run: str) -> str:
    return run.replace("’", "'").replace(".", "")


def gender_of_title(word: str) -> str | None:
    """`male` or `female` where a title says so."""
    lowered = word.lower()
    if lowered in MALE_TITLES:
        return "male"
    return "female" if lowered in FEMALE_TITLES else None


def bare(word: str) -> str:
    """A word without a possessive ending."""
    return _POSSESSIVE.sub("", word) if word.endswith(("'s", "s'")) else word
