"""A short document of our own with seven trails, one a geometry, whose clues stand far apart."""

from __future__ import annotations

from typing import Any

SENTENCES = {
    "lamp": "The keeper of Veldt light wrote on the second of March that the oil had come a week late and was thin.",
    "rope": "The signal rope of the pilot boat was spliced in February by a boy who had never spliced one before.",
    "order": "The harbour board had ordered in the autumn that no boat should go out while the light was dark.",
    "wreck": "On the night of the tenth of March the barque Hester struck the outer bar with all her people.",
    "dark": "Between eleven and one that night nobody on the quay could see the light at all.",
    "parted": "The rope parted at the splice before the pilot boat had made forty yards.",
    "sister": "The Anna, which came to that bar in the same wind a year before, lay off until the light was lit.",
    "safe": "Not a plank of the Anna was lost, for her master trusted no harbour that he could not see.",
    "bell": "Had the old bell on the mole been rung, said the pilot, the Hester would have heard it and stood off.",
    "sold": "The bell had been sold in January to pay for the new oil store.",
    "clerk": "The clerk of the board, a man with a burnt hand, signed for every barrel that came by the road.",
    "burnt": "A man with a burnt hand bought lamp oil by the gallon at Harrow, said the grocer, with board money.",
    "thin": "A chemist found that the oil left in the lamp was half water.",
    "hand": "Only one man in the parish, the doctor said, had been dressed for a burnt hand that spring.",
}
FILLER = (
    "Cart {n} came along the river road in the dust. Carter {n} spoke of no weather. Mill {n} turned slowly all the "
    "afternoon, and stone {n} was dry. Lamp {n} was lit in the lower village.\n\n"
)
TEXT = "".join(
    "".join(FILLER.format(n=20 * place + number) for number in range(20)) + sentence + "\n\n"
    for place, sentence in enumerate(SENTENCES.values())
) + FILLER.format(n=1000)

_TRAILS: tuple[tuple[str, str, str], ...] = (
    ("causal", "lamp rope wreck", "lamp>wreck causes, rope>wreck causes"),
    ("forward", "lamp dark wreck", "lamp>dark causes, dark>wreck causes"),
    ("comparative", "wreck/a dark/a sister/b safe/b", "wreck>sister contrasts, dark>wreck causes, sister>safe causes"),
    ("temporal", "wreck sister sold", "sister>sold precedes, sold>wreck precedes"),
    ("abductive", "thin burnt clerk", "burnt>thin explains, burnt>clerk explains"),
    (
        "counterfactual",
        "bell/alternative sold/actual order/actual",
        "bell>sold alternative_of, sold>order same_attribute",
    ),
    ("intersection", "clerk burnt hand", "clerk>burnt same_entity, burnt>hand same_entity"),
)


def small_trails() -> list[dict[str, Any]]:
    """The trails in the form of tests/gold."""
    return [_trail(*trail) for trail in _TRAILS]


def _trail(geometry: str, clues: str, edges: str) -> dict[str, Any]:
    rows = []
    for name, _, side in (clue.partition("/") for clue in clues.split()):
        start = TEXT.index(SENTENCES[name])
        rows.append({"id": name, "role": name, "group": side, "start": start, "end": start + len(SENTENCES[name])})
    triples = []
    for edge in edges.split(", "):
        ends, kind = edge.split(" ")
        triples.append([*ends.split(">"), kind])
    return {"geometry": geometry, "clues": rows, "edges": triples}
