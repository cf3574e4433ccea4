"""Headings: those that the file declares, and lines of their own that number a part or stand out as its title."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from wildtrace.construct.ingest.draft import Block, Draft, Options

_ORDINALS = (
    "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|"
    "eighteen|nineteen|twenty|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last"
)
_NUMBER = rf"(?:[IVXLC]+|\d{{1,3}}|(?:the\s+)?(?:{_ORDINALS})(?:[ -](?:{_ORDINALS}))?|[A-Z])"
# A part by its word and number, with or without a title behind it; the words from the greatest part to the smallest.
_WORDED = re.compile(
    rf"(?P<number>(?P<word>volume|vol\.|book|part|chapter|chap\.|canto|act|letter|stave|lecture|appendix|section|sect\."
    r"|scene|article)"
    rf"\s+{_NUMBER})(?:\s*[.:—–-]+\s*|\s+|$)(?P<title>.*)",
    re.IGNORECASE | re.DOTALL,
)
_RANKS = {"volume": 1, "vol.": 1, "book": 2, "part": 2, "section": 5, "sect.": 5, "scene": 5, "article": 5}
_CHAPTER_RANK = 4
_CHINESE = re.compile(
    r"(?P<number>第[〇零一二三四五六七八九十百千两兩0-9０-９]{1,7}(?P<word>[卷部集編编篇回章节節折出]))"
    r"(?P<title>[\s\u3000:：]*.*)",
    re.DOTALL,
)
_CHINESE_RANKS = {"卷": 1, "部": 1, "集": 1, "編": 2, "编": 2, "篇": 2, "节": 5, "節": 5}
_CHINESE_ALONE = re.compile(r"楔子|序章?|自序|引子|尾[声聲]|後?后?记|跋|凡例")
_DECIMAL = re.compile(r"(?P<number>\d{1,2}(?:\.\d{1,2}){1,4})\.?[ \t]+(?P<title>[A-Z\u4e00-\u9fff].*)", re.DOTALL)
_COUNTED = re.compile(r"(?P<number>(?:\d{1,2}|[IVXLC]+)\.?)(?:[ \t]+(?P<title>[A-Z\"“].*))?", re.DOTALL)
_NAMED = re.compile(
    r"(?:preface|introduction|introductory|prologue|epilogue|foreword|afterword|(?:table of )?contents|conclusions?|"
    r"summary|abstract|appendix|glossary|index|errata|acknowledg\w+|bibliography|references|notes|findings|dedication|postscript)[.:]?",
    re.IGNORECASE,
)
_LONGEST = 120
_LONGEST_CHINESE = 60
_MOST_LINES = 4
_PROSE_END = re.compile(r"[,;，；、]$")
_SENTENCES = re.compile(r"[.!?]\s+[A-Z].*[.!?]$|[。！？；].*[。！？]|(?:\b[a-z]+[ \n]+){6}", re.DOTALL)
_CAPITALS_SHARE = 0.9


def find_sections(draft: Draft, options: Options) -> Draft:
    """This draft with its headings; a paragraph that is one becomes one, outside of matter."""
    del options
    matter = [(block.start, block.end) for block in draft.blocks if block.kind == "matter"]
    blocks = list(draft.blocks)
    text = draft.text
    declared = [block.level for block in blocks if block.kind == "heading"]
    base = max(declared, default=0)
    for at, block in enumerate(blocks):
        if block.kind not in ("paragraph", "item") or block.end - block.start > 2 * _LONGEST:
            continue
        if any(start <= block.start < end for start, end in matter):
            continue
        rank = _rank(text[block.start : block.end], stands_alone=_stands_alone(text, block))
        if rank:
            # Ranks of words lie below what the file itself declares only where it declares any.
            blocks[at] = block._replace(kind="heading", level=base + rank if base else rank, mark="")
        elif block.kind == "paragraph" and (split := _first_line(block, text)) is not None:
            blocks[at : at + 1] = [split[0]._replace(level=base + split[0].level if base else split[0].level)]
            blocks.append(split[1])
    blocks.sort(key=lambda each: (each.start, -each.end))
    return replace(draft, blocks=tuple(_dense(blocks)))


def _first_line(block: Block, text: str) -> tuple[Block, Block] | None:
    """A heading and the paragraph beneath it, where a paragraph's first line is a numbered part's."""
    end = text.find("\n", block.start, block.end)
    if end < 0:
        return None
    line = text[block.start : end].rstrip()
    rank = _rank(line, stands_alone=False) if len(line) <= _LONGEST else 0
    start = end + 1 + len(text[end + 1 : block.end]) - len(text[end + 1 : block.end].lstrip())
    if not rank or start >= block.end:
        return None
    return Block("heading", block.start, block.start + len(line), rank), block._replace(start=start)


def _stands_alone(text: str, block: Block) -> bool:
    """Whether blank lines, or nothing, are around a block."""
    return (
        text[max(0, block.start - 2) : block.start].strip(" \t\u3000") in ("", "\n\n", "\n")
        and text[block.end : block.end + 2].strip(" \t\u3000") in ("", "\n\n", "\n")
        and "\n\n" in text[max(0, block.start - 40) : block.start] + text[block.end : block.end + 40]
    )


def _rank(words: str, *, stands_alone: bool) -> int:  # noqa: PLR0911 - a kind of heading a line
    """The rank of a heading, 1 for the greatest part; 0 for what is none."""
    words = words.strip()
    lines = words.count("\n") + 1
    if not words or len(words) > _LONGEST or lines > _MOST_LINES or _PROSE_END.search(words):
        return 0
    chinese = _CHINESE.fullmatch(words)
    if chinese is not None:
        is_title = len(words) <= _LONGEST_CHINESE and not re.search(r"[。！？]", words)
        return _CHINESE_RANKS.get(chinese["word"], _CHAPTER_RANK) if is_title else 0
    if _CHINESE_ALONE.fullmatch(words):
        return _CHAPTER_RANK
    worded = _WORDED.fullmatch(words)
    if worded is not None and _is_title(worded["title"] or ""):
        return _RANKS.get(worded["word"].lower(), _CHAPTER_RANK)
    decimal = _DECIMAL.fullmatch(words)
    if decimal is not None and lines == 1 and _is_title(decimal["title"]):
        return _CHAPTER_RANK + decimal["number"].count(".")
    if not stands_alone:
        return 0
    if _NAMED.fullmatch(words):
        return _CHAPTER_RANK
    counted = _COUNTED.fullmatch(words)
    if counted is not None and lines <= 2:
        title = counted["title"] or ""
        is_roman = not counted["number"][0].isdigit()
        if (is_roman and not title and counted["number"] != "I") or (title and _is_title(title) and _is_capital(title)):
            return _CHAPTER_RANK
    return _CHAPTER_RANK if _is_capital(words) and len(words) > 3 and not words.startswith(("[", "(", "_", "*")) else 0


def _is_title(title: str) -> bool:
    """Whether what stands behind a number can be a title: no sentence, and not the lower-case rest of one."""
    title = title.strip()
    if not title:
        return True
    if _SENTENCES.search(title):
        return False
    first = next((character for character in title if character.isalpha()), "")
    ends_sentence = title.endswith((".", "!", "?", "。"))
    return not first.islower() and (not ends_sentence or len(title.split()) <= 8)


def _is_capital(words: str) -> bool:
    letters = [character for character in words if character.isalpha()]
    return (
        len(letters) > 2
        and sum(map(str.isupper, letters)) >= _CAPITALS_SHARE * len(letters)
        and not words.endswith((",", ";"))
    )


def _dense(blocks: list[Block]) -> Iterator[Block]:
    """Headings with levels from 1 on without gaps."""
    levels = {
        level: at for at, level in enumerate(sorted({each.level for each in blocks if each.kind == "heading"}), 1)
    }
    for block in blocks:
        yield block._replace(level=levels[block.level]) if block.kind == "heading" else block


def numbering_of(heading: str) -> str:
    """What numbers a heading (`CHAPTER I`, `1.2`, `第一回`); empty where nothing does."""
    words = heading.strip()
    for pattern in (_CHINESE, _WORDED, _DECIMAL, _COUNTED):
        match = pattern.fullmatch(words)
        if match is not None:
            return match["number"].rstrip(".")
    return ""
