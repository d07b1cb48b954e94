"""How much of what was retrieved the references use: chunk by chunk, and character by character."""

from __future__ import annotations

from collections.abc import Sequence


def chunk_attribution(chunks: Sequence[str], sentences: Sequence[str]) -> float:
    """Share of the retrieved chunks from which a reference takes a sentence that no chunk before gave, in [0, 1].

    A chunk that only repeats what stands in better placed ones is not used. 0 when nothing was retrieved.
    chunks: texts, best first. sentences: of all references.
    Ours: Galileo's chunk attribution asks a model whether a chunk had a part in the answer; known references tell.
    """
    wanted = set(sentences)
    used = 0
    for chunk in chunks:
        given = {sentence for sentence in wanted if sentence in chunk}
        used += bool(given)
        wanted -= given
    return used / len(chunks) if chunks else 0.0


def chunk_utilisation(chunks: Sequence[str], sentences: Sequence[str]) -> float:
    """Share of the retrieved characters that stand in a sentence of a reference, in [0, 1], white space left out.

    Every character counts once in each chunk that holds it, however many sentences overlap there, which sets it apart
    from the effective information rate; in a chunk that is there again it counts no more. 0 when nothing was retrieved.
    chunks: texts. sentences: of all references.
    Ours: Galileo's chunk utilisation asks a model how much of a chunk went into the answer; known references tell.
    """
    total = sum(map(_solid, chunks))
    used = sum(_solid(each[start:end]) for each in dict.fromkeys(chunks) for start, end in _covered(each, sentences))
    return used / total if total else 0.0


def _covered(chunk: str, sentences: Sequence[str]) -> list[tuple[int, int]]:
    """(start, end) of the stretches of a chunk in which sentences stand, in order and apart."""
    found = sorted((start, start + len(sentence)) for sentence in sentences if (start := chunk.find(sentence)) >= 0)
    merged: list[tuple[int, int]] = []
    for start, end in found:
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _solid(text: str) -> int:
    return sum(map(len, text.split()))
