"""What figures are drawn from, on values worked by hand."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from ragassay.records import NO_CONTEXT, Critique, Example, Prediction, Provenance, Score
from ragassay.report import figures, set_figures
from ragassay.report.figures import Priced, front_of


def example(number: int, label: str, rating: int | None, kind: str | None = None) -> Example:
    return Example(
        id=f"q{number}",
        question="?",
        answer="",
        context=NO_CONTEXT,
        references=(),
        keypoints=(),
        requested_label="summary",
        verified_label=label,  # type: ignore[arg-type]
        provenance=Provenance(synthesizer="statements" if number % 2 else "simple", model=""),
        question_type=kind,
        critiques=(Critique(name="feasibility", value=rating, reason=""),),
    )


def score(number: int, metric: str, value: float | None) -> Score:
    return Score(example_id=f"q{number}", system="s", metric=metric, value=value)


def test_ratings_are_means_of_those_that_are_there() -> None:
    examples = [
        example(0, "summary", 4),
        example(1, "summary", 2),
        example(2, "summary", None),
        example(3, "reasoning", 5),
    ]
    groups, ((name, means),) = set_figures.profile(examples, "label")
    assert (groups, name) == (["summary", "reasoning"], "feasibility")
    assert (means["summary"].value, means["summary"].n, means["summary"].total) == (3, 2, 3)
    assert means["reasoning"].value == 5
    assert set_figures.profile(examples, "synthesizer")[0] == ["simple", "statements"]


def test_keypoint_shares_are_of_answers_with_all_three() -> None:
    examples = [
        example(0, "summary", 4, "factual"),
        example(1, "summary", 4, "factual"),
        example(2, "summary", 4, "temporal"),
    ]
    scores = [
        *(score(0, name, value) for name, value in zip(set_figures.SHARES, (1.0, 0.0, 0.0), strict=True)),
        *(score(1, name, value) for name, value in zip(set_figures.SHARES, (0.5, 0.25, 0.25), strict=True)),
        score(2, "completeness", 1.0),
        score(2, "hallucination", None),
    ]
    assert set_figures.shares_by_type(examples, scores) == [
        ("factual", {"completeness": 1.5, "hallucination": 0.25, "irrelevancy": 0.25})
    ]


def test_of_many_groups_and_critiques_the_figures_show_so_many_that_they_can_be_told_apart() -> None:
    examples = [
        replace(
            example(number, "summary", 3),
            provenance=Provenance(synthesizer=f"s{max(number - 2, 0)}", model=""),
            critiques=tuple(Critique(name=f"c{each}", value=1 + number % 5, reason="") for each in range(20)),
        )
        for number in range(100)
    ]
    groups, rows = set_figures.profile(examples, "synthesizer")
    assert len(groups) == set_figures.MOST_GROUPS
    assert groups[-1] == set_figures.OTHERS
    assert "s0" in groups  # of three examples, all others of one
    assert len(rows) == set_figures.MOST_CRITIQUES
    assert sum(found.total for found in rows[0][1].values()) == 100


def test_sums_of_ratings_and_how_many_are_near_perfect() -> None:
    scores = [score(number, "truthfulness_and_relevance", value) for number, value in enumerate((2, 9, 10, 5, None))]
    (found,) = set_figures.rating_sums([("none", scores), ("without any", [])])
    assert found.counts == {2: 1, 5: 1, 9: 1, 10: 1}
    assert (found.near_perfect.value, found.near_perfect.n, found.near_perfect.total) == (0.5, 4, 5)
    assert found.largest_share == 0.25


def test_the_front_is_what_no_other_beats_for_as_many_tokens() -> None:
    points = [
        Priced("a", 100, 0.5),
        Priced("b", 200, 0.4),
        Priced("c", 300, 0.7),
        Priced("d", 300, 0.6),
        Priced("e", 100, 0.5),
    ]
    assert [each.name for each in front_of(points)] == ["a", "c"]


def test_only_systems_that_count_tokens_are_priced() -> None:
    examples = [example(0, "summary", 4)]
    made = Prediction(example_id="q0", system="s", chunks=(), answer="x", input_tokens=90, output_tokens=10)
    means = {"s": set_figures.means(examples, [score(0, "token_f1", 0.5)], {})}
    assert set_figures.priced([made, made], means, "token_f1") == [Priced("s", 100, 0.5, total=200)]
    assert set_figures.priced([replace(made, input_tokens=None)], means, "token_f1") == []


def test_labels_given_beside_labels_asked_for() -> None:
    assert set_figures.matrix([example(0, "summary", 4), example(1, "reasoning", 4)]) == {
        "summary": {"summary": 1, "reasoning": 1}
    }


def test_bars_of_figures_side_by_side_are_to_one_scale() -> None:
    def height(top_share: float) -> float:
        drawn = str(figures.histogram_figure({2: 3, 5: 1}, 2, 10, "id", "", top_share=top_share))
        return max(float(found) for found in re.findall(r'class="bar s4"[^>]* height="([\d.]+)"', drawn))

    assert height(1.0) == pytest.approx(0.75 * 120)
    assert height(0.75) == pytest.approx(120)


def test_a_heat_map_writes_shares_of_rows_and_none_where_there_is_nothing() -> None:
    drawn = figures.heat_figure(["a", "b"], [[3, 1], [0, 0]], "id", "title", sides=("people", "judge"))
    assert re.findall(r'<text class="strong"[^>]*>([^<]+)', drawn) == ["0.75", "0.25"]
    assert re.findall(r'class="cell (g\d)"', drawn) == ["g4", "g2", "g0", "g0"]
    assert '<desc id="id-d">people a: a 3, b 1</desc>' in drawn
    assert drawn.count('class="frame"') == 2


@pytest.mark.parametrize("text", ["<script>", '"><img src=x onerror=alert(1)>', "\u202e"])
def test_text_in_a_figure_is_text(text: str) -> None:
    series = figures.parts([text])
    drawn = [
        figures.stacked_figure([(text, {text: 3})], series, "id", text),
        figures.histogram_figure({2: 1}, 2, 10, "id", text),
        figures.heat_figure([text, "b"], [[1, 2], [0, 0]], "id", text, sides=(text, text)),
        figures.pareto_figure([Priced(text, 10, 0.5), Priced("b", 20, 0.6)], text, "id"),
    ]
    for svg in drawn:
        assert "<script" not in svg
        assert "<img" not in svg
        assert "\u202e" not in svg
