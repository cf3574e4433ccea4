"""What the English narrative beside a speech says of its speaker: `said Jack`, `she answered`, `Then Jack said,`.

Behind a speech the verb of saying stands at once, before or after its subject. Before a speech the subject is the last
one that opens a clause before the verb (`He turned to Julia and said`: he). A sentence that does something right before
a speech (`Brown smiled. "No."`) hints at the speaker.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from wildtrace.construct.extract.participants import Found
from wildtrace.languages.speech import SPEECH_VERBS

Kind = Literal["named", "pronoun", "noun", "narrator", "beat"]
_BEHIND: Final = 120
_AHEAD: Final = 260
_VERB_REACH: Final = 70
_ADVERB = r"(?:\w+ly|then|at last|at length|now|only|also|again|still|once|once more|had|just|even|could|here)"
_VERB: Final = re.compile(rf"\b(?:{SPEECH_VERBS})\b")
_INVERTED: Final = re.compile(
    rf"(?:\w+ly\s+)?(?:{SPEECH_VERBS})\b(?:\s+(?:\w+ly|out|back|again|then|in))?\s+"
    r"(?:(?P<pronoun>I|he|she)\b|(?P<noun>(?:the|his|her|my|our|a|an|another|that)\s+[^,.;:!?\"“”—]{2,40})"
    r"|(?:(?:old|poor|young|little|good|honest|dear)\s+)?(?=[A-Z]))"
)
_STRAIGHT: Final = re.compile(
    rf"(?:(?P<pronoun>I|he|she)|(?P<noun>(?:the|his|her|my|our)\s+[\w’'-]+(?:\s+[\w’'-]+)?))\s+"
    rf"(?:{_ADVERB}\s+)*(?:{SPEECH_VERBS})\b"
)
_REPLY = r"\s+(?:[\w-]+\s+){0,2}(?:answer|reply|rejoinder|response|retort|comment|remark|question|greeting)\b"
_WAS: Final = re.compile(
    rf"was\s+(?:(?P<pronoun>his|her|my){_REPLY}|(?P<noun>the\s+[^,.;]{{2,30}}[’'])s{_REPLY}|(?=[A-Z]))"
)
_HIS_REPLY: Final = re.compile(rf"[’']s?{_REPLY}")
_THEN_VERB: Final = re.compile(rf"(?:,[^,\"“”]{{1,60}},)?\s+(?:{_ADVERB}\s+)*(?:{SPEECH_VERBS})\b")
_BEFORE_CLAUSE = r"(?:and|but|when|while|as|then|that|for|so|till|until|before|after|if|because)(?:\s+then)?\s+"
_CLAUSE_PRONOUN: Final = re.compile(rf"(?:\A[\s_]*|[.!?;]\s+|,\s+|\b{_BEFORE_CLAUSE})(?P<pronoun>I|[Hh]e|[Ss]he)\b")
_OPENS_CLAUSE: Final = re.compile(rf"(?:\A|[.!?;:\"”“—]|,\s+(?:{_BEFORE_CLAUSE})?|\b{_BEFORE_CLAUSE})[\s_]*\Z")
_WORD: Final = re.compile(r"[^\W\d_]+")
_MENTIONS_BACK: Final = 40
_ADJECTIVES: Final = re.compile(r"(?:the|that|our|my)\s+(?:(?!of\b|to\b|with\b|from\b)[a-z-]+\s+){0,2}")
_NOUN_SUBJECT: Final = re.compile(r"(?:The|His|Her|A|An|One|My|Our|That|This)\s[a-z]")
_AT_OPENING: Final = re.compile(r"(?:(?<!\bMr)(?<!\bMrs)(?<!\bDr)[.!?][\"”’)]*|[\"”])\s+(?:(?:But|And|Then|So)\s+)?\Z")
_SENTENCE: Final = re.compile(r"[.!?][\"”’)]*\s+(?=[A-Z])")
_TITLES: Final = ("Mr", "Mrs", "Dr", "St", " M", "Capt", "Col")
_FEMALE_WORDS = """
    wife widow woman lady girl mother daughter sister aunt nurse maid housekeeper landlady queen countess duchess
    hostess governess niece grandmother dame damsel lass stepmother maiden spinster princess
"""
_MALE_WORDS = """
    man boy gentleman carpenter captain lawyer detective officer soldier father husband uncle brother son lad fellow
    sailor clerk squire parson priest vicar rector curate king prince duke earl baron lord butler coachman footman
    gaoler jailer policeman constable sergeant inspector judge magistrate host landlord nephew grandfather monk abbe
    porter guard banker blacksmith smith farmer thief ruffian villain janizary turnkey
"""
_NEUTRAL_WORDS = "stranger visitor other doctor servant speaker person child witness prisoner voice fugitive newcomer"
_PERSONS: Final = frozenset(f"{_FEMALE_WORDS} {_MALE_WORDS} {_NEUTRAL_WORDS}".split())
_FEMALE_NOUNS: Final = frozenset(_FEMALE_WORDS.split())
_MALE_NOUNS: Final = frozenset(_MALE_WORDS.split())


@dataclass(frozen=True, slots=True)
class Tag:
    """What one place says of a speaker: by name (`entity`), a pronoun or noun (`gender`), as the narrator, or a beat.

    The entity of a pronoun is the subject that opens its sentence.
    """

    kind: Kind
    entity: int | None = None
    gender: str | None = None


NARRATOR: Final = Tag("narrator")
_PRONOUNS: Final = {
    "I": NARRATOR, "he": Tag("pronoun", gender="male"), "she": Tag("pronoun", gender="female"),
    "He": Tag("pronoun", gender="male"), "She": Tag("pronoun", gender="female"),
}  # fmt: skip


_OWNERS: Final = {"his": _PRONOUNS["he"], "her": _PRONOUNS["she"], "my": NARRATOR}


def tag_behind(text: str, persons: Sequence[Found], starts: Sequence[int], start: int, end: int) -> Tag | None:
    """What the narrative says that begins at `start`, right behind a speech."""
    end = min(end, start + _BEHIND)
    while start < end and text[start] in " \n\t,.;:…—–-_’'":
        start += 1
    if start >= end:
        return None
    if text[start].isupper():
        return _named_then_verb(text, persons, starts, start, end)
    if text.startswith("was ", start):
        return _reply(text, persons, starts, start, end)
    match = _INVERTED.match(text, start, end) or _STRAIGHT.match(text, start, end)
    return _subject_of(text, persons, starts, match) if match is not None else None


def _subject_of(text: str, persons: Sequence[Found], starts: Sequence[int], match: re.Match[str]) -> Tag:
    """What the subject of a verb of saying tells: a pronoun, a noun, a name."""
    if match["pronoun"]:
        return _PRONOUNS[match["pronoun"]]
    if match["noun"]:
        entity = _described(text, persons, starts, match.start("noun"), match.end("noun"))
        return Tag("named", entity) if entity is not None else Tag("noun", gender=noun_gender(match["noun"]))
    entity = _starting(persons, starts, match.end())
    if entity is None:
        entity = _namesake(text, persons, starts, match.end())
    return Tag("noun") if entity is None else Tag("named", entity)


def _reply(text: str, persons: Sequence[Found], starts: Sequence[int], start: int, end: int) -> Tag | None:
    """What `was his quiet answer` says, or `was Tod's answer`."""
    match = _WAS.match(text, start, end)
    if match is None:
        return None
    if match["pronoun"]:
        return _OWNERS[match["pronoun"]]
    if match["noun"]:
        return Tag("noun", gender=noun_gender(match["noun"]))
    place = bisect_left(starts, match.end())
    if place == len(persons) or starts[place] != match.end():
        return None
    _, behind, entity = persons[place]
    ends = behind - 2 if text[behind - 2 : behind] in ("'s", "’s") else behind
    return Tag("named", entity) if _HIS_REPLY.match(text, ends, end) else None


def _named_then_verb(text: str, persons: Sequence[Found], starts: Sequence[int], start: int, end: int) -> Tag | None:
    place = bisect_left(starts, start)
    if place < len(persons) and starts[place] == start:
        _, behind, entity = persons[place]
        return Tag("named", entity) if _THEN_VERB.match(text, behind, end) else None
    match = _STRAIGHT.match(text, start, end)
    return NARRATOR if match is not None and match["pronoun"] == "I" else None


def _starting(persons: Sequence[Found], starts: Sequence[int], place: int) -> int | None:
    """The person whose mention begins at `place`."""
    at = bisect_left(starts, place)
    return persons[at][2] if at < len(persons) and starts[at] == place else None


def _namesake(text: str, persons: Sequence[Found], starts: Sequence[int], place: int) -> int | None:
    """The one person mentioned near before of whose name the word at `place` is part (`Abel`, of Abel Crew)."""
    word = _WORD.match(text, place)
    if word is None:
        return None
    last = bisect_left(starts, place)
    found = {
        entity
        for start, end, entity in persons[max(0, last - _MENTIONS_BACK) : last]
        if word[0] in text[start:end].split()
    }
    return found.pop() if len(found) == 1 else None


def _described(text: str, persons: Sequence[Found], starts: Sequence[int], start: int, end: int) -> int | None:
    """The person that a noun phrase ends in the name of (`the little Chief`)."""
    at = bisect_left(starts, start)
    if at == len(persons) or starts[at] >= end:
        return None
    whole = persons[at][1] >= end and _ADJECTIVES.fullmatch(text, start, starts[at]) is not None
    return persons[at][2] if whole else None


def noun_gender(noun: str) -> str | None:
    """The gender of a noun with its article, by its first word that has one (`the carpenter's wife`: female)."""
    words = [word.strip("’'s") if word.endswith(("'s", "’s")) else word for word in noun.lower().split()[1:4]]
    female = any(word in _FEMALE_NOUNS for word in words)
    male = any(word in _MALE_NOUNS for word in words)
    return "female" if female else "male" if male else None


def tag_before(text: str, persons: Sequence[Found], starts: Sequence[int], start: int, end: int) -> Tag | None:
    """What the narrative says that ends at `end`, right before a speech; a beat where it only does something."""
    start = max(start, end - _AHEAD)
    while end > start and text[end - 1].isspace():
        end -= 1
    if end <= start:
        return None
    last = text[end - 1]
    verbs = list(_VERB.finditer(text, max(start, end - _VERB_REACH), end))
    if verbs and (last in ",:—-–" or verbs[-1].end() == end):
        return _clause_subject(text, persons, starts, start, verbs[-1].start())
    if last in ":—":
        return _clause_subject(text, persons, starts, _last_sentence(text, start, end), end)
    return _beat(text, persons, starts, _last_sentence(text, start, end), end) if last in ".!?…" else None


def tag_in_sentence(text: str, persons: Sequence[Found], starts: Sequence[int], start: int, end: int) -> Tag | None:
    """What a sentence of its own says that leads from one speech into the next (`Then Mr. Lewis said,`)."""
    last = text[start:end].rstrip()[-1:]
    if last not in (",", ":", "—"):
        return None
    begin = _last_sentence(text, start, end)
    return tag_before(text, persons, starts, begin, end) if begin > start else None


def ends_on_noun(text: str, start: int, end: int) -> bool:
    """Whether the last sentence of a paragraph has a person without a name for its subject (`The stranger turned`)."""
    begin = _last_sentence(text, start, end)
    if _NOUN_SUBJECT.match(text, begin, end) is None:
        return False
    words = text[begin : min(end, begin + 40)].lower().split()[1:4]
    return any(word.strip(",.’'s") in _PERSONS or word in _PERSONS for word in words)


def opens_clause(text: str, start: int, at: int) -> bool:
    """Whether a mention at `at` opens a clause of the narrative that begins at `start`."""
    return _OPENS_CLAUSE.search(text[max(start, at - 16) : at]) is not None


def opens_sentence(text: str, start: int, at: int) -> bool:
    """Whether a mention at `at` opens a sentence of the narrative that begins at `start`."""
    return at == start or _AT_OPENING.search(text, max(start, at - 6), at) is not None


def _last_sentence(text: str, start: int, end: int) -> int:
    """Where the last sentence of `text[start:end]` begins."""
    begin = start
    for match in _SENTENCE.finditer(text, max(start, end - _AHEAD), end - 1):
        if not text.endswith(_TITLES, start, match.start()):
            begin = match.end()
    return begin


def _clause_subject(text: str, persons: Sequence[Found], starts: Sequence[int], start: int, end: int) -> Tag | None:
    """The last subject that opens a clause of `text[start:end]`, which ends before the verb."""
    found: Tag | None = None
    place = -1
    for match in _CLAUSE_PRONOUN.finditer(text[start:end]):
        found, place = _PRONOUNS[match["pronoun"]], start + match.start("pronoun")
    for at, behind, entity in reversed(persons[bisect_left(starts, start) : bisect_left(starts, end)]):
        if _is_subject(text, start, at, behind, end):
            return Tag("named", entity) if at > place or found is None else replace(found, entity=entity)
    return found


def _is_subject(text: str, start: int, at: int, behind: int, end: int) -> bool:
    """Whether a mention opens a clause, or stands right before the verb (`the Judge, who at last said`)."""
    if opens_clause(text, start, at):
        return True
    return end - behind < 24 and re.fullmatch(rf",?\s*(?:who\s+)?(?:{_ADVERB}\s+)*", text[behind:end]) is not None


def _beat(text: str, persons: Sequence[Found], starts: Sequence[int], start: int, end: int) -> Tag | None:
    """The person whose name opens the last sentence before a speech."""
    entity = _starting(persons, starts, start)
    if entity is not None:
        return Tag("beat", entity)
    if _NOUN_SUBJECT.match(text, start, end):
        return Tag("noun", gender=noun_gender(text[start : min(end, start + 40)]))
    word = text[start : min(end, start + 4)].split(" ", maxsplit=1)[0]
    return Tag("beat", gender=_PRONOUNS[word].gender) if word in ("He", "She") else None
