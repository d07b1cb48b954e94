"""Word lists of the embedded model: ``lexicon.toml``, and months, numbers and scales by their values."""

from __future__ import annotations

import tomllib
from importlib.resources import files

_LISTS: dict[str, str] = tomllib.loads(files(__package__).joinpath("lexicon.toml").read_text("utf-8"))
STOP_WORDS = frozenset(_LISTS["stop_words"].split())
QUESTION_WORDS = frozenset(_LISTS["question_words"].split())
NEGATIONS = frozenset(_LISTS["negations"].split())
SAME_MEANING = tuple(tuple(line.split()) for line in _LISTS["same_meaning"].strip().split("\n"))
IRREGULAR_FORMS: dict[str, str] = {
    form: base for base, *forms in map(str.split, _LISTS["irregular_forms"].strip().split("\n")) for form in forms
}
MONTHS: dict[str, int] = {
    name: number
    for number, names in enumerate(
        "january jan,february feb,march mar,april apr,may,june jun,july jul,august aug,september sept sep,october oct,"
        "november nov,december dec".split(","),
        start=1,
    )
    for name in names.split()
}
_ONES = (
    "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen "
    "nineteen twenty"
)
NUMBER_WORDS: dict[str, int] = {
    **{word: value for value, word in enumerate(_ONES.split(), start=2)},
    **{
        word: 10 * value for value, word in enumerate("thirty forty fifty sixty seventy eighty ninety".split(), start=3)
    },
}
"""Cardinals in words. ``one`` is left out: it is a pronoun more often than a number."""
SCALES: dict[str, float] = {
    "hundred": 1e2,
    "thousand": 1e3,
    "k": 1e3,
    "million": 1e6,
    "mn": 1e6,
    "m": 1e6,
    "billion": 1e9,
    "bn": 1e9,
    "b": 1e9,
    "trillion": 1e12,
    "万": 1e4,
    "亿": 1e8,
}
