"""Text of scanned pages, recognised from their pictures (extra ``ocr``)."""

from __future__ import annotations

from bisect import bisect
from functools import cache
from math import inf
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ragassay.documents.parsed import Piece, clean_characters
from ragassay.documents.pdf_layout import Chunk
from ragassay.models.small.runtime import import_onnxruntime

_PIXELS, _POINTS = 1_600, 842
"""Of a page's longer side, as of A4. More pixels take longer and keep no more words in type of 9 to 12 points."""
_SIZE = 8.0
"""Of the usual line: at most that of the body where other pages have text, so that it is no heading there."""
_FEWEST_BESIDE, _COLUMN_CHARS = 8, 30
"""Pairs of lines side by side, and characters of each, from which two columns are of prose and not of a table."""


class _Text(NamedTuple):
    """A stretch of text, in points from the left and from the page's first line."""

    left: float
    right: float
    middle: float
    height: float
    text: str


def recognise(data: bytes, number: int) -> list[Chunk]:
    """Return the text of a page of a PDF, counted from 0, in reading order."""
    import pypdfium2

    page = pypdfium2.PdfDocument(data)[number]
    found = _recogniser()(page.render(scale=_PIXELS / max(page.get_size())).to_numpy())
    texts = _in_order(_straight(np.asarray(found.boxes) * (_POINTS / _PIXELS), found.txts)) if found.txts else []
    usual = np.median([text.height for text in texts] or [1])
    sizes = [_SIZE * max(1, round(2 * text.height / usual) / 2) for text in texts]  # no better known than by halves
    pieces = [Piece(clean_characters(f"{text.text} ")) for text in texts]
    return [Chunk(text.left, -text.middle, *rest) for text, *rest in zip(texts, sizes, pieces, strict=True)]


@cache
def _recogniser() -> Any:
    """Load the models that lie in the package. One thread: there is a process for each core."""
    import_onnxruntime()  # it sends no telemetry
    import rapidocr

    models = Path(rapidocr.__file__).parent / "models"
    settings: dict[str, Any] = {
        "Global.log_level": "critical",
        "Global.text_score": 0.75,  # what stands on its head has 0.6, what can be read 0.9
        "Global.use_cls": False,  # would turn lines that stand on their heads, and some others
        "EngineConfig.onnxruntime.intra_op_num_threads": 1,
        "Rec.rec_batch_num": 1,  # in a batch all are as wide as the widest
    }
    for part in ("Det", "Rec"):
        settings[f"{part}.model_path"] = str(next(models.glob(f"*_{part.lower()}_*.onnx")))
    return rapidocr.RapidOCR(params=settings)


def _straight(corners: Any, texts: tuple[str, ...]) -> list[_Text]:
    """Put texts straight; leave out what stands sideways. corners: (texts, 4, 2), clockwise from the upper left."""
    across, down = corners[:, 1] - corners[:, 0], corners[:, 3] - corners[:, 0]
    slant = np.median(np.arctan2(across[:, 1], across[:, 0]))
    x, y = corners @ (np.cos(slant), np.sin(slant)), (corners @ (-np.sin(slant), np.cos(slant))).mean(axis=1)
    parts = x.min(axis=1), x.max(axis=1), y - y.min(), np.hypot(*down.T)
    straight = map(_Text, *(part.tolist() for part in parts), texts)
    return [text for text in straight if text.right - text.left > text.height or len(text.text) < 3]


def _in_order(texts: list[_Text]) -> list[_Text]:
    """Return texts line by line; two columns of prose one after the other, down to what goes across them."""
    prose = [text for text in texts if len(text.text) >= _COLUMN_CHARS]
    beside = [(one, other) for one in prose for other in prose if abs(one.middle - other.middle) < one.height / 2]
    gaps = [(one.right, other.left) for one, other in beside if one.right < other.left]
    count, gutter = max([(sum(right < x < left + 5 for right, left in gaps), x - 5) for _, x in gaps], default=(0, 0.0))
    if count < _FEWEST_BESIDE:
        gutter = inf
    across = sorted(text.middle for text in texts if text.left < gutter < text.right - 10)
    texts = sorted(texts, key=lambda text: (bisect(across, text.middle), text.left >= gutter, text.middle))
    lines = [texts[:1]]
    for text in texts[1:]:
        if abs(text.middle - lines[-1][0].middle) > text.height / 4:
            lines.append([])
        lines[-1].append(text)
    return [text for line in lines for text in sorted(line)]
