"""Made documents long enough to be linked and mined: the same few people in scenes far apart, English and Chinese."""

from __future__ import annotations

FILLER = (
    "The road to Harrow Mill ran along the river, and the carts went by in the dust. Nobody spoke of "
    "the weather. The mill wheel turned slowly through the long afternoon, and the water was low "
    "under the stones.\n\n"
    "In the evening the lamps were lit in the lower village, and the inn filled with carters and "
    "farmers. They talked about the price of barley and about the new bridge at the ford.\n\n"
)
SCENES = (
    (
        '"I shall sail on Monday," said Jack Tanner. He wrote a letter to his uncle before he left. Mrs. '
        "Dean burnt the letter because she wanted Jack Tanner to go to sea.\n\n"
        "It was strange that the letter never came to Mr. Lewis. Mr. Lewis wondered why his nephew had "
        "not written. The old clerk was puzzled by the missing ledger too.\n\n"
    ),
    (
        "On 3 May 1861 the ledger was found behind the chimney at Harrow Mill. Captain Orme was ill, so "
        "the inquiry was put off; therefore nobody asked Mrs. Dean about the fire in the kitchen.\n\n"
        "If Mr. Lewis had received the letter, he would have stopped Jack Tanner at the harbour. Jack "
        "Tanner had sold the boat years before. He sailed because the captain needed a mate.\n\n"
    ),
    (
        "On 9 April 1858 Mary Lee was married to James Orme at Bristol. Mary Lee could give no proof of "
        "it, because the certificate had been lost.\n\n"
        'People were cruel to Mary Lee because the certificate was missing. "Where is the certificate?" '
        'asked Mr. Lewis. "I do not know," answered Mary Lee.\n\n'
    ),
    (
        "It turned out that Mrs. Dean had burnt the letter in the kitchen fire. She confessed to Mr. "
        "Lewis that the letter of Jack Tanner never left the house.\n\n"
        "It was found that James Orme had kept the certificate in his knapsack; that was why Mary Lee "
        "had no proof. The ledger of Harrow Mill explained the rest to Mr. Lewis.\n\n"
    ),
)
CHINESE_FILLER = (
    "\u3000\u3000话说那条大路沿着河边，车马来来往往，尘土飞扬。村中无人说起天气，水车慢慢转着，石下水浅。\n"
    "\u3000\u3000到了晚上，街上点起灯来，客店里坐满了赶车的和种田的，谈些米价，又谈那座新桥。\n"
)
CHINESE_SCENES = (
    (
        "\u3000\u3000王安说道：“我明日便去。”李福听了，心中纳闷，不知何故书信不见了。\n"
        "\u3000\u3000原来陈氏因怕王安不去，因此把书信烧了。贾宝玉笑道：“你们不知。”贾母道：“宝玉莫说。”\n"
    ),
    (
        "\u3000\u3000李福说道：“若非书信烧了，早知王安去处。”张大人说道：“账本何在？”王安道：“不知。”\n"
        "\u3000\u3000只因账本失落，所以众人疑心陈氏。宝玉道：“奇怪。”贾宝玉说道：“账本在此。”\n"
    ),
    (
        "\u3000\u3000后来李福说道：“原来书信是陈氏烧的。”张大人道：“账本可曾寻着？”宝玉说道：“在火炉里。”\n"
        "\u3000\u3000陈氏说道：“我烧了书信。”王安说道：“罢了。”贾母说道：“宝玉，去罢。”\n"
    ),
)


def english_story(fillers: int = 24) -> str:
    """Four scenes, each after `fillers` paragraphs of a countryside where nothing happens."""
    return "".join(FILLER * fillers + scene for scene in SCENES) + FILLER


def chinese_story(fillers: int = 24) -> str:
    """Three scenes in Chinese, in the same manner."""
    return "".join(CHINESE_FILLER * fillers + scene for scene in CHINESE_SCENES) + CHINESE_FILLER
