"""Chinese sentences and clauses, and what a clause needs to be understood alone."""

from __future__ import annotations

import re

from ragassay.text import sentences

HAN = "\u3400-\u4dbf\u4e00-\u9fff"
_OPENING, _CLOSING = "（(《“「『【[", "）)》”」』】]"
_PAIRS = dict(zip(_OPENING, _CLOSING, strict=True))
POINTING = re.compile(
    r"这|那[^么]|该(?!公司)|此(?!外)|其(?!他|中|它|实|次)|上述|前述|前者|后者|上文|下文|如下|以下|以上|它|[他她](?!人|们)|他们|她们|它们"
    r"|我(?!国)|你|您|咱|本(?:文|章|节|页|段|表|图|案|院|手册|指南)|同年|同月|同日|当年|当日|当天|当月|次年|次日|翌|去年|今年|明年|上年|后来|双方|两者|二者|之一$"
)
"""Words that need a sentence, a table or a reader beside them."""


def sentences_of(text: str) -> list[str]:
    """The sentences of a text; a line break ends one too."""
    return sentences(text)


def clauses(sentence: str) -> list[str]:
    """The stretches of a sentence between commas, semicolons and colons outside brackets and quotation marks.

    Without the marks themselves and without the final stop; ``（2023）`` and ``《红楼梦，续》`` stay whole.
    """
    found: list[str] = []
    start, waiting = 0, ""
    for place, sign in enumerate(sentence):
        if waiting:
            waiting = "" if sign == waiting else waiting
        elif sign in _PAIRS and _PAIRS[sign] in sentence[place:]:
            waiting = _PAIRS[sign]
        elif sign in "，；：。！？,;" and not _inside_number(sentence, place):
            found.append(sentence[start:place])
            start = place + 1
    found.append(sentence[start:])
    return [clause.strip() for clause in found if clause.strip()]


def _inside_number(sentence: str, place: int) -> bool:
    return (
        sentence[place] == "," and sentence[place - 1 : place].isdigit() and sentence[place + 1 : place + 2].isdigit()
    )


def balanced(text: str) -> bool:
    """Whether every bracket and quotation mark has its partner."""
    return all(text.count(opening) == text.count(closing) for opening, closing in _PAIRS.items())
