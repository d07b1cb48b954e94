"""How likely a strict reader takes a question that the writer asked, as it stands."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from ragassay.models.small.heads import Weights
from ragassay.models.small.writer import Likelihood, asks_yes_or_no

_WORD = re.compile(r"[^\W_]+(?:[-'’.][^\W_]+)*")
_SAYS_LITTLE = re.compile(r"\b(?:have|provide|contain|include|do|offer|require|use|give|cover|mean)\?$")
"""Ends a question for whatever a sentence says of its subject: 'What does the guide provide?'"""
_CUT = re.compile(r"\b(?:of|in|on|for|to|with|from|at|by|about)\?$")
_MOST_NAMES, _MOST_STATED = 3, 40
"""Names and words beyond which more tell nothing."""
_SHORT = 4
"""Letters of a word that may stand in any title."""
WEIGHTS = Path(__file__).with_name("asked.json")


def taken(question: str, stated: str, title: str, likelihood: Likelihood) -> float:
    """The probability, in (0, 1), by weights that ``benchmarks/fit_asked.py`` learned from readers' verdicts.

    stated: the words of the passage that the answer rests on. title: of the document.
    """
    return _weights().probability(asked_features(question, stated, title, likelihood))


def asked_features(question: str, stated: str, title: str, likelihood: Likelihood) -> Mapping[str, float]:
    """Numbers of how the question is worded, and how likely the writer held it; none tells its topic."""
    words = [word.lower() for word in _WORD.findall(question)]
    in_stated, in_title = set(_WORD.findall(stated.lower())), set(_WORD.findall(title.lower()))
    names = [word for word in question.split()[1:] if word != "I" and (word[0].isupper() or re.search(r"\d", word))]
    return {
        "total": likelihood.total,
        "root_of_total": -math.sqrt(max(0.0, -likelihood.total)),
        "mean": likelihood.mean,
        "least": likelihood.least,
        "words": len(words),
        "yes_or_no": asks_yes_or_no(question),
        "names": min(len(names), _MOST_NAMES),
        "names_nothing": not names,
        "definites": words.count("the"),
        "asker": bool({"i", "my", "me"} & set(words)),
        "stated": sum(word in in_stated for word in words) / max(1, len(words)),
        "stated_words": min(len(stated.split()), _MOST_STATED),
        "comma": "," in question,
        "says_little": bool(_SAYS_LITTLE.search(question)),
        "cut": bool(_CUT.search(question)),
        "titled": bool(in_title & {word for word in words if len(word) > _SHORT}),
    }


@cache
def _weights() -> Weights:
    return Weights.read(WEIGHTS)
