"""A scripted endpoint that reads perfectly.

It notes the clues of trails that people wrote, proposes those trails and decoys, and verifies and judges by the same
knowledge. Decoys, one of each kind a trail: clues side by side, reversed edges, a restatement for a second clue, and a
quote with one changed word.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.endpoint import Answer, Asked, whole
from wildtrace.construct.pieces import sentence_ranges
from wildtrace.construct.segment import segment
from wildtrace.construct.workspace import Holding, open_workspace
from wildtrace.endpoints.config import RunConfig, parse_config
from wildtrace.types import Source, Structure, Trail

FACT = re.compile(r"^(?:FROM: |TO: )?([fp][0-9a-f.]+) \| [^|]* \| .*?\(clue (\w+)\)", re.MULTILINE)
ROLES = ("reader", "proposer", "verifier", "critic")


def workspace_of(folder: Path, texts: Mapping[str, str]) -> dict[str, str]:
    """A workspace that holds these texts as they are, by title; their source ids."""
    ids = {}
    with open_workspace(folder, create=True) as workspace:
        for title, text in texts.items():
            path = folder.parent / f"{title}.txt"
            path.write_text(text, encoding="utf-8", newline="")
            source = source_of(title, text)
            windows = tuple(segment(text, source.id, source.tier))
            workspace.put(Holding(source, str(path), text, Structure(), windows, {}, {}))
            ids[title] = source.id
    return ids


def source_of(title: str, text: str) -> Source:
    """A source as ingesting would describe it."""
    import hashlib  # noqa: PLC0415 - of no other use here

    digest = hashlib.sha256(text.encode()).hexdigest()
    return Source(
        digest[:16], f"{title}.txt", title, None, "en", "Latn", "utf-8", "L0", len(text) // 3, len(text), digest, digest
    )


def config_of(*urls: str, **settings: Any) -> RunConfig:
    """A configuration whose four roles are served by these endpoints."""
    shared = {"model": "scripted", "backoff_s": 0.01, "stream": False, **settings}
    endpoints = [{"base_url": url, **shared} for url in urls]
    table = {"base_url": urls[0], "model": "x", "roles": dict.fromkeys(ROLES, endpoints)}
    return parse_config(table, "config.json")


@dataclass
class PerfectReader:
    """The script for one document: `trails` as in tests/gold; `asked` counts prompts."""

    text: str
    trails: Sequence[Mapping[str, Any]]
    decoys: bool = True
    asked: Counter[str] = field(default_factory=Counter)
    longest: Counter[str] = field(default_factory=Counter)
    _quotes: dict[str, tuple[int, int]] = field(default_factory=dict)
    _edges: set[tuple[str, str, str]] = field(default_factory=set)
    _wholes: dict[frozenset[str], str] = field(default_factory=dict)
    _beside: dict[str, list[str]] = field(default_factory=dict)
    _firsts: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        ranges = sentence_ranges(self.text, Structure())
        starts = {start: number for number, (start, _) in enumerate(ranges)}
        for number, trail in enumerate(self.trails):
            for clue in trail["clues"]:
                self._quotes[self.key(number, clue["id"])] = (clue["start"], clue["end"])
            self._edges |= {
                (self.key(number, one), self.key(number, other), kind) for one, other, kind in trail["edges"]
            }
            self._wholes[frozenset(self.key(number, clue["id"]) for clue in trail["clues"])] = trail["geometry"]
            self._firsts.add(self.key(number, trail["clues"][0]["id"]))
            first = trail["clues"][0]["start"]
            at = next((starts[start] for start in sorted(starts) if start >= first), 0)
            near = ranges[at : at + len(trail["clues"])]
            self._beside[str(number)] = [f"t{number}n{place}" for place in range(len(near))]
            self._quotes.update(zip(self._beside[str(number)], near, strict=True))

    @staticmethod
    def key(number: int, clue: str) -> str:
        """A name that no other clue of the document has."""
        return f"t{number}{clue}"

    def __call__(self, asked: Asked) -> Answer:
        """The reply to one prompt."""
        prompt = asked.prompt
        self.asked[prompt] += 1
        role = prompt.partition("\n")[0].removeprefix("ROLE: ")
        self.longest[role] = max(self.longest[role], len(prompt))
        said: dict[str, Any] = getattr(self, f"_{role}")(prompt)
        return whole(json.dumps(said, ensure_ascii=False), usage={"prompt_tokens": 100, "completion_tokens": 10})

    def _reader(self, prompt: str) -> dict[str, Any]:
        if "WINDOW_TEXT:" not in prompt:
            return {"same_claim": [], "same_referent": []}
        offset = int(re.search(r"^WINDOW_OFFSET: (\d+)", prompt, re.MULTILINE)[1])  # type: ignore[index]
        window = prompt.partition("WINDOW_TEXT:\n")[2].rpartition("\nEND OF WINDOW_TEXT")[0]
        facts = []
        for key, (start, end) in self._quotes.items():
            if offset <= start < offset + len(window):
                quote = self.text[start:end]
                facts.append({"id": key, "quote": quote, "gist": f"What is told here (clue {key})", "kind": "event"})
                if self.decoys and key in self._firsts:
                    facts.append(
                        {"id": f"{key}again", "quote": quote, "gist": f"The same, told anew (clue {key}again)"}
                    )
                    facts.append(
                        {"id": f"{key}bad", "quote": changed(quote), "gist": f"What nobody said (clue {key}bad)"}
                    )
        return {"cast": [], "facts": facts, "links": [], "opens": [], "closes": [], "summary": "A piece."}

    def _proposer(self, prompt: str) -> dict[str, Any]:
        ids = {key: fact for fact, key in FACT.findall(prompt)}
        trails = []
        for number, trail in enumerate(self.trails):
            if self.decoys:
                trails += self._decoys_of(number, trail, ids)
            trails.append(self._proposal(number, trail, ids, trail["edges"]))
        return {"trails": [trail for trail in trails if trail is not None]}

    def _proposal(
        self, number: int, trail: Mapping[str, Any], ids: Mapping[str, str], edges: Sequence[Any], **swapped: str
    ) -> dict[str, Any] | None:
        names = {clue["id"]: ids.get(self.key(number, clue["id"])) for clue in trail["clues"]} | swapped
        if None in names.values():
            return None
        sided = trail["geometry"] in ("comparative", "counterfactual")
        return {
            "geometry": trail["geometry"],
            "clues": [
                {"fact": names[clue["id"]], "role": clue["role"], "side": str(clue["group"]) if sided else ""}
                for clue in trail["clues"]
            ],
            "edges": [
                {"from": names[one], "to": names[other], "type": kind, "why": "so"} for one, other, kind in edges
            ],
            "answer": f"Trail {number}: {trail.get('question') or '; '.join(clue['role'] for clue in trail['clues'])}",
            "hedge": "",
            "needs": {},
        }

    def _decoys_of(self, number: int, trail: Mapping[str, Any], ids: Mapping[str, str]) -> list[dict[str, Any] | None]:
        first, second = (clue["id"] for clue in trail["clues"][:2])
        own = self.key(number, first)
        near = [ids.get(key, "") for key in self._beside[str(number)]]
        beside = dict(zip((clue["id"] for clue in trail["clues"]), near, strict=False))
        reverse = [(other, one, kind) for one, other, kind in trail["edges"]]
        return [
            self._proposal(number, trail, ids, trail["edges"], **beside),
            self._proposal(number, trail, ids, reverse),
            self._proposal(number, trail, ids, trail["edges"], **{second: ids.get(f"{own}again", "")}),
            self._proposal(number, trail, ids, trail["edges"], **{first: ids.get(f"{own}bad", f"{own}bad")}),
        ]

    def _verifier(self, prompt: str) -> dict[str, Any]:
        ends = [re.search(rf"^{side}: .*?\(clue (\w+)\)", prompt, re.MULTILINE) for side in ("FROM", "TO")]
        one, other = (end[1] if end else "" for end in ends)
        kind = re.search(r"^TYPE: (\w+)", prompt, re.MULTILINE)[1]  # type: ignore[index]
        symmetric = kind in ("same_entity", "same_attribute", "contrasts", "compares_with")
        quotes = [self.text[slice(*self._quotes[key])] for key in (one, other) if key in self._quotes]
        if (one, other, kind) in self._edges or (symmetric and (other, one, kind) in self._edges):
            return {"verdict": "stated", "quotes": quotes, "type": "", "reversed": False}
        if (other, one, kind) in self._edges:
            return {"verdict": "wrong", "quotes": [], "type": "", "reversed": True}
        restated = one.removesuffix("again") == other.removesuffix("again")
        return {"verdict": "restates" if restated else "wrong", "quotes": [], "type": "", "reversed": False}

    def _critic(self, prompt: str) -> dict[str, Any]:
        clues = prompt.partition("\nCLUES ")[2].partition("\nEDGES")[0]
        keys = frozenset(key for _, key in FACT.findall(clues))
        geometry = re.search(r"^GEOMETRY: (\w+)", prompt, re.MULTILINE)[1]  # type: ignore[index]
        if self._wholes.get(keys) == geometry:
            return {"verdict": "accept", "reason": "each clue is needed", "interest": 4, "passages": [], "look_up": []}
        return {"verdict": "reject", "reason": "no trail that a person wrote", "interest": 1}


def changed(quote: str) -> str:
    """The quote with one word, or one character of Chinese, changed."""
    words = quote.split(" ")
    if len(words) > 3:
        return " ".join([*words[:2], "never", *words[3:]])
    return f"{quote[:2]}不{quote[3:]}"


def is_whole(found: Trail, trail: Mapping[str, Any]) -> bool:
    """Whether a trail is the one that a person wrote: its geometry, each of its clues once, no other."""
    places = [
        next((clue["id"] for clue in trail["clues"] if (own.start or 0) <= clue["start"] < (own.end or 0)), None)
        for own in found.clues
    ]
    return found.geometry == trail["geometry"] and sorted(map(str, places)) == sorted(c["id"] for c in trail["clues"])
