from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ragassay.errors import InputError
from ragassay.records import Document, Example, Provenance, write_jsonl
from ragassay.training.claims import read_claims
from ragassay.training.items import TextBranch
from ragassay.training.pairs import read_pairs

Learned = Callable[..., tuple[TextBranch, ...]]


def test_a_pair_becomes_prompt_and_target(pairs_file: Path) -> None:
    item = read_pairs([pairs_file]).items[3]
    assert (item.source, item.document) == ("lamps", "lamps/Guide 1")
    assert item.text == "Charge lamp 3 for 13 hours. Keep it dry."
    charge, care = item.branches
    assert charge.prompt == "Sentence: Charge lamp 3 for 13 hours.\nAnswer: 13 hours\nQuestion:"
    assert (charge.target, charge.refused) == (" How long does lamp 3 charge?", (" Does lamp 3 charge?",))
    assert care.prompt == "Sentence: Keep it dry.\nAnswer: keep it dry\nQuestion:"
    assert (care.target, care.refused) == (" What about lamp 3 and water?", ())


@pytest.fixture
def learned(pairs_file: Path, rows: Any) -> Learned:
    """What is learned of one more passage, given its fields."""

    def read(**fields: Any) -> tuple[TextBranch, ...]:
        row = {"id": "new", "text": "Charge it for 9 hours\nor more. Keep it dry. Dry lamps last.", **fields}
        items = read_pairs([pairs_file, rows.write(pairs_file.with_name("new.jsonl"), [row])]).items
        return next((item.branches for item in items if item.id == "new"), ())

    return read


CHARGE = "Charge it for 9 hours or more."


@pytest.mark.parametrize(
    ("refused", "targets"),
    [
        (["how  long is it?", "What is charged?"], (" How long is it?", " What is charged?")),
        ([], ()),
        (None, ()),
    ],
)
def test_refused_questions_stand_beside_the_one_taken(
    refused: list[str] | None, targets: tuple[str, ...], learned: Learned
) -> None:
    fact = {"quote": CHARGE, "question": "How long do I charge it?", "answer": "9 hours", "refused": refused}
    (branch,) = learned(facts=[fact])
    assert (branch.target, branch.refused) == (" How long do I charge it?", targets)


TWO = {"quotes": ["Keep it dry.", "Dry lamps last."], "question": "how do lamps last?", "answer": "Kept dry."}


def test_a_summary_is_asked_of_its_sentences_together(learned: Learned) -> None:
    (branch,) = learned(summary=TWO)
    assert branch.prompt == "Sentence: Keep it dry. Dry lamps last.\nAnswer: Kept dry.\nQuestion:"
    assert (branch.kind, branch.target, branch.quote) == ("ask", " How do lamps last?", "Keep it dry.")


def test_several_summaries(learned: Learned) -> None:
    other = {"quotes": [CHARGE, "Keep it dry."], "question": "How is it charged?", "answer": "For long, and dry."}
    assert learned(summary=[TWO, other]) == (*learned(summary=TWO), *learned(summary=other))


@pytest.mark.parametrize("wrong", [{"quotes": []}, {"quotes": ["Keep it dry.", "Keep it wet."]}, {"answer": ""}])
def test_a_summary_without_sentences_or_an_answer_or_with_a_stray_sentence_is_left_out(
    wrong: dict[str, Any], learned: Learned
) -> None:
    assert learned(summary=TWO | wrong) == ()
    assert learned(summary=[TWO, TWO | wrong]) == learned(summary=TWO)


def test_a_fact_without_an_answer_teaches_nothing(learned: Learned) -> None:
    fact = {"quote": CHARGE, "question": "How long do I charge it?", "answer": "", "refused": ["How long is it?"]}
    assert learned(facts=[fact]) == ()


def test_neither_reasoning_nor_what_a_passage_leaves_open_is_learned(learned: Learned) -> None:
    assert learned(reasoning=TWO, unanswerable={"question": "What does it cost?"}) == ()
    assert learned(reasoning=[TWO], unanswerable=[{"question": "What does it cost?"}]) == ()


@pytest.mark.parametrize(
    "fields",
    [
        {"facts": None, "summary": None},
        {"facts": [], "summary": []},
        {"summary": {}},
    ],
)
def test_fields_may_be_empty(fields: dict[str, Any], learned: Learned) -> None:
    assert learned(**fields) == ()


@pytest.mark.parametrize(
    ("fields", "answer", "target", "refused"),
    [
        ({"verdict": "good"}, "dry", " Draft 0?", ()),
        ({"verdict": "good", "refused": ["is it dry?", "Why?"]}, "dry", " Draft 0?", (" Is it dry?", " Why?")),
        ({"verdict": "mend"}, "dry", " How is lamp 0 kept?", (" Draft 0?",)),
        ({"verdict": "mend", "question": ""}, "dry", " How is lamp 0 kept?", ()),
        ({"verdict": "mend", "mended_answer": "Always dry"}, "Always dry", " How is lamp 0 kept?", (" Draft 0?",)),
        (
            {"verdict": "mend", "fault": "wrong_answer", "mended_answer": "Dry"},
            "Dry",
            " How is lamp 0 kept?",
            (" Draft 0?",),
        ),
    ],
)
def test_a_draft_teaches_the_mended_wording(
    fields: dict[str, Any], answer: str, target: str, refused: tuple[str, ...], pairs_file: Path, rows: Any
) -> None:
    draft = {"passage": "p0", "source": "tents", "title": "Guide 0", "sentence": "Keep it dry.", "before": ""}
    draft |= {"question": "Draft 0?", "answer": "dry", "mended": "How is lamp 0 kept?", **fields}
    drafts = rows.write(pairs_file.with_name("drafts.jsonl"), [draft])
    item = read_pairs([drafts, pairs_file]).items[0]  # of one passage, in whatever order the files come
    assert item.text.startswith("Charge lamp 0")
    assert item.branches[-1].prompt == f"Sentence: Keep it dry.\nAnswer: {answer}\nQuestion:"
    assert (item.branches[-1].target, item.branches[-1].refused) == (target, refused)


@pytest.mark.parametrize(
    "fields",
    [
        {"verdict": "bad"},
        {"verdict": "good", "fault": "incomplete_answer"},
        {"verdict": "good", "answer": ""},
        {"verdict": "mend"},
        {"verdict": "good", "sentence": ""},
    ],
)
def test_nothing_is_learned_without_an_answer_to_ask_for(fields: dict[str, str], pairs_file: Path, rows: Any) -> None:
    draft = {"passage": "p0", "sentence": "Keep it dry.", "question": "Draft 0?", "answer": "dry", **fields}
    drafts = rows.write(pairs_file.with_name("drafts.jsonl"), [draft])
    assert len(read_pairs([drafts, pairs_file]).items[0].branches) == 2


def test_a_stray_quote_drops_its_pair_and_is_named(tmp_path: Path, rows: Any) -> None:
    path = rows.write(
        tmp_path / "p.jsonl", [rows.pairs(number, quote="Not there." if number < 16 else None) for number in range(40)]
    )
    read = read_pairs([path])  # 16 of 80 is 20 %
    assert len(read.stray) == 16
    assert read.stray[0] == f"{path}, line 1"
    assert [len(each.branches) for each in read.items[15:17]] == [1, 2]


def test_too_many_stray_quotes_are_refused(tmp_path: Path, rows: Any) -> None:
    path = rows.write(
        tmp_path / "p.jsonl", [rows.pairs(number, quote="Not there." if number < 13 else None) for number in range(30)]
    )
    with pytest.raises(InputError, match=r"13 of 60 quotes do not occur in their passage.*line 1.*20%"):
        read_pairs([path])


def test_fewer_than_fifty_pairs_are_refused(tmp_path: Path, rows: Any) -> None:
    path = rows.write(tmp_path / "p.jsonl", [rows.pairs(number) for number in range(24)])
    with pytest.raises(InputError, match="training needs at least 50 pairs, not 48"):
        read_pairs([path])


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{", "not a file of JSON lines"),
        ("[1]", "line 1: not a JSON object"),
        ('{"text": 3, "id": "a"}', "'text' must be text"),
        ('{"text": "a", "id": "a", "facts": [{"quote": "a", "answer": "a"}]}', "line 1: 'question' must be text"),
        ('{"text": "a", "id": "a", "facts": [{"quote": "a", "question": "a"}]}', "line 1: 'answer' must be text"),
        ('{"text": "a", "id": "a", "facts": ["a"]}', "line 1: .facts. must be a list of objects"),
        ('{"claims": []}', "must be a passage \\(text, facts, summary\\) or a draft with its verdict"),
        ('{"verdict": "fine", "question": "a", "sentence": "a"}', "choose good, mend or bad"),
    ],
)
def test_what_is_no_pair_is_said_with_its_place(line: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    path.write_text(line + "\n", encoding="utf-8")
    with pytest.raises(InputError, match=said):
        read_pairs([path])


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="does not exist"):
        read_pairs([tmp_path / "none.jsonl"])


def test_a_set_of_ours_becomes_pairs(tmp_path: Path) -> None:
    text = "Charge the lamp for two hours. Keep it dry."
    document = Document(id="d", title="Lamps", source="lamps.md", text=text)
    labels = ["fact_single", "summary", "reasoning", "unanswerable"]

    def example(number: int, label: Any) -> Example:
        answerable = label != "unanswerable"
        return Example(
            id=f"q{number}",
            question=f"Question {number}?",
            answer="two hours" if answerable else "",
            context=document.span(0, len(text)),
            references=(document.span(0, 30),) if answerable else (),
            keypoints=(),
            requested_label=label,
            verified_label=None,
            provenance=Provenance(synthesizer="statements", model=""),
        )

    folder = tmp_path / "run"
    folder.mkdir()
    write_jsonl(folder / "documents.jsonl", [document])
    write_jsonl(folder / "examples.jsonl", [example(number, labels[number % 4]) for number in range(100)])
    (item,) = read_pairs([folder]).items
    assert (item.title, item.text, item.source) == ("Lamps", text, "statements")
    assert [each.target for each in item.branches[:3]] == [" Question 0?", " Question 1?", " Question 4?"]
    assert item.branches[0].prompt == "Sentence: Charge the lamp for two hours.\nAnswer: two hours\nQuestion:"
    assert len(item.branches) == 50  # neither reasoning nor what has no answer


def test_claims_get_their_labels(claims_file: Path) -> None:
    item = read_claims([claims_file]).items[0]
    assert [(each.kind, each.label) for each in item.branches] == [("paraphrase", 0), ("number", 1), ("unstated", 2)]
    assert item.branches[1].prompt == "Claim: Lamp 0 needs 17 hours.\nSupported:"
    assert item.branches[1].target == ""


def test_a_claim_without_its_verdict_is_refused(tmp_path: Path, rows: Any) -> None:
    row = rows.claims(0)
    row["claims"][1]["supported"] = "no"
    with pytest.raises(InputError, match="line 1: 'supported' of each claim must be true or false"):
        read_claims([rows.write(tmp_path / "c.jsonl", [row])])


def placed(**fields: Any) -> dict[str, Any]:
    """A draft that gives its passage and offsets: the two sentences of ``Rows.pairs(0)``."""
    return {
        "passage": "p0",
        "quotes": [[0, 27], [28, 40]],
        "question": "Draft?",
        "answer": "Dry",
        "verdict": "good",
        **fields,
    }


def test_a_draft_with_offsets_gets_the_words_of_its_passage(pairs_file: Path, rows: Any) -> None:
    drafts = rows.write(pairs_file.with_name("drafts.jsonl"), [placed(), placed(quotes=[[28, 40]])])
    for files in ([pairs_file, drafts], [drafts, pairs_file]):
        item = read_pairs(files).items[0]
        assert (item.source, item.document, item.heading) == ("tents", "tents/Guide 0", "Use")
        both, last = item.branches[-2:]
        assert both.prompt == "Sentence: Charge lamp 0 for 10 hours. Keep it dry.\nAnswer: Dry\nQuestion:"
        assert last.prompt == "Sentence: Keep it dry.\nAnswer: Dry\nQuestion:"
        assert (both.kind, both.target, last.quote) == ("ask", " Draft?", "Keep it dry.")


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"passage": "p99"}, r"drafts.jsonl, line 1: its passage 'p99' is in none of the files"),
        ({"passage": 3}, "line 1: 'passage' must be text"),
        ({"verdict": "mend", "mended": 3}, "line 1: 'mended' must be text"),
        ({"refused": "Why?"}, "line 1: 'refused' must be a list of texts"),
        ({"refused": [3]}, "line 1: 'refused' must be a list of texts"),
    ],
)
def test_a_draft_with_offsets_that_cannot_be_read(
    fields: dict[str, Any], said: str, pairs_file: Path, rows: Any
) -> None:
    drafts = rows.write(pairs_file.with_name("drafts.jsonl"), [placed(**fields)])
    with pytest.raises(InputError, match=said):
        read_pairs([pairs_file, drafts])


def test_a_draft_with_offsets_needs_the_file_of_passages(tmp_path: Path, rows: Any) -> None:
    with pytest.raises(InputError, match=r"its passage 'p0' is in none of the files; also give the file of passages"):
        read_pairs([rows.write(tmp_path / "drafts.jsonl", [placed()])])


FACT = {"quote": "A text.", "question": "Which?", "answer": "A text"}
SUMMARY = {"quotes": ["A text."], "question": "Which?", "answer": "A text"}


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"facts": {"quote": "x"}}, "'facts' must be a list of objects"),
        ({"facts": ["x"]}, "'facts' must be a list of objects"),
        ({"summary": "x"}, "'summary' must be an object"),
        ({"facts": [FACT | {"refused": "x"}]}, "'refused' must be a list of texts"),
        ({"facts": [FACT | {"refused": [3]}]}, "'refused' must be a list of texts"),
        ({"facts": [FACT | {"refused": [{"question": "x"}]}]}, "'refused' must be a list of texts"),
        ({"summary": ["x"]}, "'summary' must be a list of objects"),
        ({"summary": [SUMMARY, "x"]}, "'summary' must be a list of objects"),
        ({"summary": [SUMMARY | {"question": None}]}, "'question' must be text"),
        ({"summary": [SUMMARY | {"answer": None}]}, "'answer' must be text"),
        ({"summary": {"quotes": "x"}}, "'quotes' must be a list of texts"),
        ({"summary": {"quotes": [[0, 3]]}}, "'quotes' must be a list of texts"),
        ({"id": 3}, "'id' must be text"),
        ({"id": None}, "'id' must be text"),
    ],
)
def test_passages_of_another_shape_are_refused_with_their_place(
    fields: dict[str, Any], said: str, tmp_path: Path, rows: Any
) -> None:
    path = rows.write(tmp_path / "p.jsonl", [{"id": "a", "text": "A text.", **fields}])
    with pytest.raises(InputError) as caught:
        read_pairs([path])
    assert str(caught.value) == f"{path}, line 1: {said}"


@pytest.mark.parametrize("quotes", ["x", 3, [3], [[0]], [["0", "4"]], [[0, 4, 8]], [[0.0, 4.0]], [[True, 4]]])
def test_offsets_of_another_shape_are_refused_with_their_place(quotes: Any, tmp_path: Path, rows: Any) -> None:
    draft = {"verdict": "good", "question": "Which?", "passage": "a", "quotes": quotes}
    path = rows.write(tmp_path / "p.jsonl", [{"id": "a", "text": "A text."}, draft])
    with pytest.raises(InputError) as caught:
        read_pairs([path])
    assert str(caught.value) == f"{path}, line 2: 'quotes' must be a list of [start, end], offsets in its passage"
