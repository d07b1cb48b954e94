"""A small RAG system: paragraphs of a handbook, ranked by BM25; the best sentence of the best paragraph answers."""

import math
import re
from collections import Counter
from pathlib import Path

HANDBOOK = Path(__file__).parent / "handbook"
TOP_K = 3
K1, B = 1.5, 0.75
STOP_WORDS = set(
    "a an and are at be by can do does for from how i in is it may of on or the to what when where".split()
)


def words(text: str) -> list[str]:
    """Lower-case words without the ending of the plural, and without those that stand in every text."""
    return [word.removesuffix("s") for word in re.findall(r"[a-z0-9]+", text.lower()) if word not in STOP_WORDS]


def paragraphs() -> list[dict[str, str]]:
    """Every paragraph but the headings, with the file that it is from."""
    return [
        {"text": text.strip(), "document_id": path.name}
        for path in sorted(HANDBOOK.glob("*.md"))
        for text in path.read_text("utf-8").split("\n\n")
        if not text.startswith("#")
    ]


PARAGRAPHS = paragraphs()
COUNTS = [Counter(words(each["text"])) for each in PARAGRAPHS]
MEAN_LENGTH = sum(each.total() for each in COUNTS) / len(COUNTS)
FREQUENCY = Counter(word for each in COUNTS for word in each)


def rarity(word: str) -> float:
    """Inverse document frequency."""
    return math.log(1 + (len(COUNTS) - FREQUENCY[word] + 0.5) / (FREQUENCY[word] + 0.5))


def score(question: list[str], counts: Counter[str]) -> float:
    """BM25 of a paragraph (Robertson and Zaragoza 2009)."""
    length = K1 * (1 - B + B * counts.total() / MEAN_LENGTH)
    return sum(rarity(word) * counts[word] * (K1 + 1) / (counts[word] + length) for word in question)


def retrieve(question: str) -> list[dict[str, str]]:
    """The best paragraphs, best first."""
    asked = words(question)
    places = sorted(range(len(PARAGRAPHS)), key=lambda place: score(asked, COUNTS[place]), reverse=True)
    return [PARAGRAPHS[place] for place in places[:TOP_K]]


def answer(question: str) -> dict[str, object]:
    """The answer and what it rests on."""
    found = retrieve(question)
    sentences = re.split(r"(?<=[.;])\s+", found[0]["text"])
    best = max(sentences, key=lambda sentence: len(set(words(sentence)) & set(words(question))))
    return {"answer": best, "contexts": found}
