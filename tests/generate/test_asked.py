"""Questions of a log: what is private, what asks the same, what pages repeat, how people ask; a model that quotes."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from scipy.cluster.hierarchy import fcluster, linkage

from ragassay.generate.asked.answered import ANSWERED, NO_PAGE, NOT_KNOWN, Answering
from ragassay.generate.asked.likeness import distance, habits
from ragassay.generate.asked.merging import merged, topics
from ragassay.generate.asked.personal import Cleaner
from ragassay.generate.near_duplicates import near_duplicates
from ragassay.models.scripted import ScriptedModel
from ragassay.records import NO_CONTEXT, Document, Example, Provenance
from ragassay.tasks.drafting import Review, Reviews

KNOWN = frozenset("debian buster lists org user 727708 install".split())


@pytest.mark.parametrize(
    ("asked", "cleaned"),
    [
        ("write to tom.becker@firma.example please", "write to [email] please"),
        ("is debian-user@lists.debian.org a list", "is debian-user@lists.debian.org a list"),
        ("call +49 170 1234567 or (030) 555 87 214", "call [number] or [number]"),
        ("my iban is DE89 3704 0044 0532 0130 00", "my iban is [number]"),
        ("customer 77120934, bug 727708", "customer [number], bug 727708"),
        ("from 2024-02-29 to 20240301, 10000 files", "from 2024-02-29 to 20240301, 10000 files"),
        ("key: zX81-qq20 fails", "key: [key] fails"),
        ("use ghp_k3Jd82hsLq0ZmX7vRt5WbN1cYp4", "use [key]"),
        ("see https://ann:s3cret@intra.example/wiki?token=a1b2", "see https://[link]intra.example/wiki[link]"),
        ("ping 91.198.174.192 from 127.0.0.1", "ping [IP address] from 127.0.0.1"),
        ("I live at 12 High Street", "I live at [address]"),
        ("my name is Anna Kowalska, help", "my name is [name], help"),
        ("my name is Buster", "my name is Buster"),
        ("kernel 6.1.0 on port 8080 of an rtx4090", "kernel 6.1.0 on port 8080 of an rtx4090"),
    ],
)
def test_personal_details_by_their_form(asked: str, cleaned: str) -> None:
    assert Cleaner(KNOWN).cleaned(asked) == cleaned


def test_names_by_the_parser() -> None:
    cleaner = Cleaner(KNOWN)
    asked = {"please send it to Mary Brown": 3, "does it work with Visual Studio Code?": 1}
    assert dict(cleaner.without_names(asked)) == {
        "please send it to [name]": 3,
        "does it work with Visual Studio Code?": 1,
    }
    assert cleaner.removed == Counter(name=3)


def test_questions_that_ask_the_same() -> None:
    vectors = np.array([[1, 0], [0.8, 0.6], [0, 1]], np.float32)
    asked = ["how do i hold a package", "hold a package", "who founded it"]
    # cosine .8, all terms shared .3, kinds that do not exclude each other .1: 1.2 is above 1; .6 + .1 and 0 are not
    assert merged(asked, vectors, [None, None, None]) == [[0, 1], [2]]
    # other terms, the same kind: .8 + .1, and .15 more where the same passage is nearest
    other = ["rename a package", "boats", "who founded it"]
    assert merged(other, vectors, [None, None, None]) == [[0], [1], [2]]
    assert merged(other, vectors, ["a", "a", None]) == [[0, 1], [2]]
    assert merged([], np.zeros((0, 2), np.float32), []) == []


@pytest.mark.parametrize(
    ("asked", "looked_up"),
    [
        ("how many charcters has my pasword", "how many characters has my password"),  # a letter less
        ("then Reset the passwrod", "then Reset the password"),  # two swapped
        ("qmail for Charlacters", "qmail for Charlacters"),  # another first letter; a name
        ("pasvvord resets a tableau", "pasvvord resets a tableau"),  # two slips; English words
    ],
)
def test_slips_of_the_keys_are_mended(asked: str, looked_up: str, small_corpus: Callable[..., Any]) -> None:
    known = frozenset("email characters password reset table".split())
    answering = Answering(small_corpus([]).gates, Letters(), known, {}, ScriptedModel({}), by_model=False)
    assert answering.spelled(asked) == looked_up


def test_who_and_when_are_two_questions() -> None:
    same = np.full((3, 4), 0.5, np.float32)
    assert merged(["Who founded it?", "When was it founded?", "founder"], same, [1, 1, 1]) == [[0, 2], [1]]


def test_topics_are_led_by_what_is_asked_most() -> None:
    vectors = np.array([[1, 0], [0.96, 0.28], [-0.6, 0.8], [-0.6, 0.8]], np.float32)
    # cosines .96 of the first two, 1 of the last two, below 0 between them; asked 10 and 4 times
    assert topics(vectors, [1, 9, 3, 1]) == [[1, 0], [2, 3]]
    assert topics(np.array([[1, 0], [0, 1]], np.float32), [1, 2]) == [[1], [0]]
    assert topics(np.zeros((0, 2), np.float32), []) == []


def test_equal_questions_have_topics() -> None:
    """Sums of equal vectors differ in their last bits, by which two groups are each other's nearest, or are not."""
    for seed in range(30):
        vectors = np.random.default_rng(seed).normal(size=(26, 384)).astype(np.float32)
        vectors = np.concatenate([vectors / np.linalg.norm(vectors, axis=1, keepdims=True)] * 3)
        assert sorted(place for group in topics(vectors, [1] * 78) for place in group) == list(range(78))


@pytest.mark.parametrize("seed", range(5))
def test_topics_are_those_of_average_linkage(seed: int) -> None:
    random = np.random.default_rng(seed)
    centres = random.normal(size=(6, 16))
    vectors = (centres[random.integers(0, 6, 60)] + random.normal(size=(60, 16)) * 0.8 + 1).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    own = vectors - vectors.sum(axis=0) / (60 + 20)
    cut = fcluster(linkage(own / np.linalg.norm(own, axis=1, keepdims=True), "average", "cosine"), 0.7, "distance")
    expected = {frozenset(np.flatnonzero(cut == each).tolist()) for each in set(cut.tolist())}
    assert {frozenset(group) for group in topics(vectors, [1] * 60)} == expected
    assert 3 <= len(expected) < 60


def test_pages_that_say_the_same(small_corpus: Callable[..., Any], document: Callable[..., Document]) -> None:
    said = " ".join(f"Rule {n} of the harbour says that boat {n} leaves at {n} o'clock." for n in range(12))
    pages = [
        document(f"# Rules\n\n{said}", "a.md"),
        document(f"# Copied\n\nA foreword. {said}", "b.md"),
        document("# Other\n\nNobody says anything of boats here.", "c.md"),
    ]
    (found,) = near_duplicates(small_corpus(pages).store)
    assert {place.document_id for place in found.places} == {pages[0].id, pages[1].id}
    assert found.places[0].text == found.places[1].text
    assert found.places[0].text.startswith("Rule 0 of")
    assert near_duplicates(small_corpus(pages[1:]).store) == []
    many = [document(f"# {n}\n\n{said} Number {n}.", f"{n}.md") for n in range(60)]
    assert len(near_duplicates(small_corpus(many).store)) == 59  # each page once


@pytest.mark.timeout(20)  # it took minutes where each start was tried against each end
def test_a_long_row_of_signs_is_no_key_and_does_not_hang() -> None:
    signs = "1+" * 250 + "a+" * 249
    assert Cleaner(frozenset()).cleaned(signs) == signs
    assert Cleaner(frozenset()).cleaned("token a1b2c3d4e5f6g7h8i9j0k1") == "token [key]"


def _asked(question: str, label: str | None = None) -> Example:
    provenance = Provenance(synthesizer="log", model="")
    return Example(
        id=question, question=question, answer="", context=NO_CONTEXT, references=(), keypoints=(),
        requested_label=None, verified_label=label, provenance=provenance,
    )  # fmt: skip


def test_how_people_ask() -> None:
    found = habits(
        [
            _asked("hotel price"),
            _asked("How do I apply for leave next year?"),
            _asked("who pays?"),
            _asked("my leev days"),
        ],
        frozenset({"hotel"}),
    )
    assert found["style"] == {"keywords": 0.25, "plain": 0.25, "terse": 0.25, "first_person": 0.25}
    assert found["kind"] == {"other": 0.5, "manner": 0.25, "person": 0.25}
    assert found["words"] == {"up to 3": 0.75, "up to 12": 0.25}
    assert "label" not in found
    assert habits([_asked("wher is the statoin")], frozenset())["style"] == {"typos": 1}
    assert habits([_asked("a", "summary")], frozenset())["label"] == {"summary": 1}
    assert habits([], frozenset()) == {}
    assert distance({"a": 0.5, "b": 0.5}, {"a": 1.0}) == 0.5  # half of what is asked would have to change
    assert distance({"a": 1.0}, {"b": 1.0}) == 1
    assert distance({}, {}) == 0


class Letters:
    """An encoder whose vectors count letters."""

    name, dimension = "letters", 26

    def encode(self, texts: Sequence[str]) -> Any:
        counts = [[text.count(letter) + 0.01 for letter in "abcdefghijklmnopqrstuvwxyz"] for text in texts]
        vectors = np.array(counts, np.float32).reshape(len(texts), 26)
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def review(label: str, **fields: Any) -> Reviews:
    given = {
        "own_quotes": (), "own_answer": "", "comparison": "same", "flaws": (), "verdict": "accept", "question": "",
        "answer": "", "keypoints": (), "reason": "",
    }  # fmt: skip
    return Reviews(items=(Review(number=1, label=label, **(given | fields)),))


def test_a_model_has_to_quote(small_corpus: Callable[..., Any], houses: list[Document]) -> None:
    fact = "The mill has a keeper named Moss."
    script = iter(
        [
            review("fact_single", own_quotes=(fact,), own_answer="Moss", keypoints=("Moss",)),
            review("unanswerable"),
            review("fact_single", own_quotes=("What nobody wrote.",), own_answer="Moss"),
            review("fact_single", own_answer="Moss"),
            Reviews(items=(None,)),
        ]
    )
    answering = Answering(
        small_corpus(houses).gates,
        Letters(),
        frozenset(),
        {},
        ScriptedModel({"reviews": lambda request: next(script)}),
        by_model=True,
    )
    asked = ["Who keeps the mill?"] * 5
    right, open_, invented, bare, silent = asyncio.run(answering.said_to(asked))
    assert (right.state, right.answer, right.label) == (ANSWERED, "Moss", "fact_single")
    assert [each.text for each in right.references] == [fact]
    assert (open_.state, open_.label, open_.references) == (NO_PAGE, "unanswerable", ())
    assert {invented.state, bare.state, silent.state} == {NOT_KNOWN}
    assert "stands in no passage" in invented.reason
    assert silent.label is None
