"""Words that state a relation between two clauses, in English and Chinese: the table, and one expression that finds it.

A cue says which relation it states and where its first end stands: `after` means that the clause behind the cue is the
cause, the earlier event or the explanation (`X because Y`), `before` that the clause in front of it is (`X, therefore
Y`). Left out on purpose: words that mostly mean something else (`since`, `as`, `while`, 而, 则).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Literal, NamedTuple

from wildtrace.languages.tries import matches, phrase_pattern

Relation = Literal[
    "causes",
    "enables",
    "conditional",
    "counterfactual",
    "explains",
    "contrasts",
    "compares_with",
    "precedes",
    "puzzles",
]
Side = Literal["before", "after"]


class Cue(NamedTuple):
    """A cue in a text: what it states, where the relation's first end stands, and the cue's own range."""

    relation: Relation
    first: Side
    start: int
    end: int


_ENGLISH: dict[tuple[Relation, Side], str] = {
    ("causes", "after"): """
        because|because of|owing to|due to|caused by|on account of|as a result of|in consequence of|was the result of
        |were the result of|the consequence of|attributable to|attributed to|resulted from|arose from|arising from
        |brought about by|for the reason that|thanks to|inasmuch as|seeing that|was produced by|triggered by
        |for he|for she|for they|for I|for we|for it was|for there|since he|since she|since they""",
    ("causes", "before"): """
        therefore|consequently|as a result,|in consequence,|accordingly|for this reason|for that reason|on that account
        |hence|led to|leading to|resulted in|resulting in|gave rise to|brought about|caused the|caused a|caused him
        |caused her|caused them|causing|which caused|which made|so that|so as to cause|with the result that
        |the result was|the consequence was|contributed to|drove him to|drove her to|was thus|were thus|so he|so she
        |so they|so I|so we""",
    ("enables", "before"): """
        enabled|enabling|allowed him|allowed her|allowed the|allowing|made it possible|permitted the|in order to
        |in order that|so as to|for the purpose of|with a view to|gave him the opportunity|gave her the opportunity""",
    ("conditional", "after"): "if|unless|provided that|in case|on condition that|as long as|in the event of",
    ("counterfactual", "after"): """
        would have|could have|might have|should have|ought to have|would not have|wouldn't have|could not have|if only
        |had it not been|had he not|had she not|had they not|had not been for|had he been|had she been|had they been
        |had it been|had there been|but for the|were it not for|would never have|need not have|had they done so""",
    ("explains", "after"): """
        the reason was|the reason for|the reason why|the reason that|the explanation|explained that|explains
        |it turned out|turned out to be|it transpired|it appeared that|it proved|proved to be|the truth was|the fact was
        |accounted for|accounts for|it was found that|was found to have|were found to have|it was discovered|found out
        |came to light|the secret|confessed|the real cause|it emerged that
        |it is likely|most likely|was likely|were likely|probably|suggests that|suggested that
        |indicates that|indicated that
        |consistent with|evidence that|associated with|investigation found|investigators found|commission found
        |concluded that|determined that|it was established|was later found|was subsequently found
        |it was afterwards|revealed|had in fact|had really been|all along""",
    ("contrasts", "before"): """
        however|whereas|nevertheless|nonetheless|on the other hand|on the contrary|in contrast|although|though|despite
        |in spite of|notwithstanding|instead of|rather than|instead,|unlike|yet the|even so""",
    ("compares_with", "before"): """
        compared with|compared to|in comparison|similar to|similarly|likewise|the same as|as much as|more than|less than
        |greater than|higher than|lower than|larger than|smaller than|better than|worse than|older than|younger than
        |equal to|resembled|resembling|identical""",
    ("precedes", "after"): """
        after|afterwards|later|subsequently|following the|previously|earlier|years before|years ago|days before
        |months before|weeks before|the night before|the day before|once upon""",
    ("precedes", "before"): "before|until|thereupon|prior to|whereupon|no sooner",
    ("puzzles", "before"): """
        strange|strangely|mystery|mysterious|puzzled|inexplicable|unaccountable|unaccountably|could not understand
        |couldn't understand|wondered why|wondered how|wondered what|no one knew|nobody knew|could not make out
        |unknown|unexplained|suspicious|suspicion|suspected|could not account|not known why|for no apparent reason
        |unaware|unclear|unexpected|unexpectedly|abnormal|abnormally|not noticed|not detected|did not notice
        |did not detect|did not identify|no explanation|failed to notice|failed to detect|not identified
        |unusual|disappeared|vanished|missing""",
}
_CHINESE: dict[tuple[Relation, Side], str] = {
    (
        "causes",
        "after",
    ): "因为|因為|由于|由於|只因|皆因|都因|总因|總因|缘因|緣因|多因|因是|为的是|為的是|缘是|緣是|因他|因我",
    ("causes", "before"): """
        所以|因此|因而|故而|是以|于是|於是|以致|以至于|致使|遂致|故此|因之|使得|弄得|害得|惹得|激得|逼得|吓得|嚇得
        |气得|氣得|急得|结果|結果|从此|從此""",
    ("enables", "before"): "以便|以免|好教|好叫|好让|好讓|为了|為了|才得|方得|方能|才能|便于|便於|使之|免得|省得",
    ("conditional", "after"): "如果|若是|倘若|假如|假若|要是|倘或|倘然|只要|除非|若不|如若|若要",
    ("counterfactual", "after"): """
        若非|要不是|若不是|倘不是|幸亏|幸虧|幸得|多亏|多虧|亏得|虧得|早知|不然|否则|否則|本该|本該|本当|本當|本应|本應|原该|原該
        |险些|險些|几乎|幾乎|差点|差點|假使|倘使|何至于|何至於|悔不""",
    ("explains", "after"): """
        原来|原來|方知|才知|始知|方晓|方曉|才晓|才曉|其实|其實|究其|缘故|緣故|的原因|之故|敢是|却是因|卻是因|实系|實係
        |供认|供認|招认|招認|说明白|明白了|缘由|緣由""",
    ("explains", "before"): "怪道|怪不得|难怪|難怪",
    (
        "contrasts",
        "before",
    ): "但是|可是|然而|虽然|雖然|虽说|雖說|不料|谁知|誰知|反而|反倒|却说不|不想|哪知|那知|岂知|豈知|偏偏",
    (
        "compares_with",
        "before",
    ): "相比|比起|不如|好比|如同|一般无二|一般無二|强似|強似|胜似|勝似|相仿|相同|一样|一樣|比他|比我",
    (
        "precedes",
        "after",
    ): "先前|从前|從前|当初|當初|以前|昔日|昔年|早先|起先|前日|昨日|昨夜|前年|去年|前番|那年|当年|當年",
    (
        "precedes",
        "before",
    ): "之后|之後|以后|以後|后来|後來|随后|隨後|随即|隨即|次日|第二天|过了|過了|不一时|不一時|少顷|少頃|不多时|不多時",
    ("puzzles", "before"): """
        奇怪|不知何|不知为|不知為|纳闷|納悶|疑心|疑惑|诧异|詫異|蹊跷|蹊蹺|古怪|不解|不见了|不見了|失踪|失蹤|可疑|猜疑
        |何故|缘何|緣何|为何|為何|莫非|不知去向""",
}


def _phrases(table: dict[tuple[Relation, Side], str]) -> dict[str, tuple[Relation, Side]]:
    return {
        " ".join(phrase.split()).lower(): meaning
        for meaning, phrases in table.items()
        for phrase in phrases.split("|")
        if phrase
    }


_MEANINGS = {**_phrases(_ENGLISH), **_phrases(_CHINESE)}


@cache
def cue_pattern(*, chinese: bool) -> re.Pattern[str]:
    """The expression that finds the cues of a language; English ones also where they begin a sentence."""
    if chinese:
        return re.compile(phrase_pattern(_phrases(_CHINESE)))
    return re.compile(rf"\b(?:{phrase_pattern(english_phrases())})(?!\w)")


def english_phrases() -> list[str]:
    """The English cues, also as they are written at the beginning of a sentence."""
    written = {re.sub(r"\bi$", "I", phrase) for phrase in _phrases(_ENGLISH)}
    capitalised = {phrase[0].upper() + phrase[1:] for phrase in written}
    return [*written, *capitalised]


def cues(text: str, places: Iterable[int] | None = None, *, chinese: bool) -> Iterator[Cue]:
    """The cues of a text, in order; `places` are all at which one may begin, where these are known."""
    for match in matches(cue_pattern(chinese=chinese), text, 0, len(text), places):
        relation, side = _MEANINGS[match[0] if chinese else " ".join(match[0].lower().split())]
        yield Cue(relation, side, match.start(), match.end())
