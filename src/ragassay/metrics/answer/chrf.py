"""chrF: which stretches of characters of a reference an answer has."""

from __future__ import annotations

from typing import NamedTuple
from unicodedata import normalize

import numpy as np
import numpy.typing as npt

from ragassay.metrics.answer.declared import compared, of_texts

Int64Array = npt.NDArray[np.int64]

CHARACTER_ORDER = 6  # Popovic 2015, section 2, and sacreBLEU's default
BETA = 2  # recall counts twice as much: chrF2
_FIRST = np.array([True])
_NARROW = 10  # bits: six such characters fit into one number
_HALF = 3  # characters of which one number is made; two numbers hold a whole stretch


def chrf(answer: str, reference: str) -> float:
    """F2 of the mean precision and mean recall over stretches of 1 to 6 characters, in [0, 1].

    White space is taken out, case counts; orders that are longer than either text are left out. sacreBLEU's chrF2
    (no word order, no eps smoothing) divided by 100. Right for Chinese as it is. Texts are in Unicode's NFC.
    Raises ValueError for texts of tens of millions of characters.
    Source: Popovic 2015; Post 2018 (sacreBLEU).
    """
    said, wanted = ("".join(normalize("NFC", text).split()) for text in (answer, reference))
    orders = min(CHARACTER_ORDER, len(said), len(wanted))
    if not orders:
        return 0.0
    precision = recall = 0.0
    for order, matched in enumerate(_matches(said, wanted)[:orders], start=1):
        precision += matched / (len(said) - order + 1) / orders
        recall += matched / (len(wanted) - order + 1) / orders
    weighted = BETA**2 * precision + recall
    return (1 + BETA**2) * precision * recall / weighted if weighted else 0.0


def _matches(said: str, wanted: str) -> list[int]:
    """For each order the stretches in both texts, each as often as it stands in both.

    Every place of both texts is given by the six characters from there on, as numbers. Once these are sorted, equal
    stretches of any order stand side by side.
    """
    gap = "\0" * CHARACTER_ORDER
    signs = np.frombuffer(f"{said}{gap}{wanted}{gap}".encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    left = np.concatenate([np.arange(len(text), -CHARACTER_ORDER, -1) for text in (said, wanted)])
    places = np.flatnonzero(left > 0)
    near, far, width, far_only = _numbers(signs, places)
    order = np.argsort(far)
    near, far, left, is_said = near[order], far[order], left[places][order], (places < len(said))[order]
    shared = []
    for count in range(1, CHARACTER_ORDER + 1):
        is_near = count <= _HALF and not far_only
        keys = near >> (_HALF - count) * width if is_near else far >> (CHARACTER_ORDER - count) * width
        starts = np.flatnonzero(np.concatenate((_FIRST, keys[1:] != keys[:-1])))
        whole = left >= count
        in_said, in_wanted = np.add.reduceat(np.array((is_said & whole, ~is_said & whole), dtype=np.int64), starts, 1)
        shared.append(int(np.minimum(in_said, in_wanted).sum()))
    return shared


class _Numbers(NamedTuple):
    """near, far: three and six characters from each place as one number each, in alphabetical order.

    width: bits of a character. far_only: whether the bits of ``far`` are those of all its six characters.
    """

    near: Int64Array
    far: Int64Array
    width: int
    far_only: bool


def _numbers(signs: npt.NDArray[np.uint32], places: Int64Array) -> _Numbers:
    """Three are put together bit by bit; six as well where 60 bits hold them, as they do in most languages of Europe.

    Otherwise the rank of the first three among all such comes before the next three. Raises ValueError where 63 bits do
    not hold that.
    """
    if signs.max() < 1 << _NARROW:
        ids = signs.astype(np.int64)
        triples = (ids[:-2] << 2 * _NARROW) | (ids[1:-1] << _NARROW) | ids[2:]
        near = triples[places]
        return _Numbers(near, (near << _HALF * _NARROW) | triples[places + _HALF], _NARROW, True)
    alphabet, inverse = np.unique(signs, return_inverse=True)
    width = len(alphabet).bit_length()
    if _HALF * width + len(signs).bit_length() > 63:
        raise ValueError(f"{len(signs)} characters, {len(alphabet)} of them different, are too many for chrF")
    triples = (inverse[:-2] << 2 * width) | (inverse[1:-1] << width) | inverse[2:]
    _, ranks = np.unique(triples, return_inverse=True)
    return _Numbers(triples[places], (ranks[places] << _HALF * width) | triples[places + _HALF], width, False)


METRICS = (compared("chrf", chrf, "Popovic 2015; sacreBLEU (Post 2018)", of_texts(chrf)),)
