"""Chunk size against quality and tokens: a front worked by hand, its figure and its table."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest

from ragassay.evaluation.answerable import ANSWERABLE
from ragassay.evaluation.estimate import Estimate
from ragassay.rag.setting import Setting
from ragassay.report.compared import Compared
from ragassay.report.figures import Priced, best_of_groups, front_of, pareto_figure, parts
from ragassay.report.token_front import TokenFront, token_front
from ragassay.retrieval.hybrid import Fusion
from ragassay.sweep.cells import Cell


def setting(size: int, weight: float, fusion: Fusion = "raw_linear") -> Setting:
    return Setting(chunk_size=size, fusion=fusion, text_weight=weight)


def mean(value: float | None, half: float = 0.0) -> Estimate:
    if value is None:
        return Estimate(value=None, low=None, high=None, n=0, total=40)
    return Estimate(value=value, low=value - half, high=value + half, n=40, total=40)


WORKED = {
    setting(256, 0): (0.50, 200),
    setting(256, 0.1): (0.60, 210),  # better and dearer than dense
    setting(256, 1): (0.55, 220),  # beaten by w=0.1, which is cheaper
    setting(512, 0): (0.60, 400),  # no better than 256 w=0.1, and dearer
    setting(512, 0.1): (0.70, 410),
    setting(1024, 0): (0.65, 800),  # beaten by 512 w=0.1
    setting(1024, 0.1): (0.80, 810),
    setting(1024, 1): (0.80, 820),  # as good as w=0.1, and dearer
}
FRONT = ["256 dense", "256 raw_linear w=0.1", "512 raw_linear w=0.1", "1024 raw_linear w=0.1"]


def found(worked: Mapping[Setting, tuple[float | None, float | None]]) -> TokenFront | None:
    cells = [
        Cell(setting=each, by="label", group=label, metric="recall@5", estimate=mean(recall if here else 0.1, 0.05))
        for each, (recall, _) in worked.items()
        for label, here in (("summary", False), (ANSWERABLE, True))
    ]
    tokens = {each: mean(spent, 9.6) for each, (_, spent) in worked.items()}
    compared = Compared(
        deciding="recall@5", winners=(), cells=tuple(cells), settings=tuple(worked), tokens=tokens, without=""
    )
    return token_front(compared)


@pytest.fixture(scope="module")
def worked() -> TokenFront:
    front = found(WORKED)
    assert front is not None
    return front


def test_the_front_is_of_all_questions(worked: TokenFront) -> None:
    assert [each.name for each in worked.front] == FRONT
    assert worked.summed_up == (
        "On the front: 4 of 8 settings. The best of each chunk size on it, with its value for so many tokens a "
        "question: 256 raw_linear w=0.1, 0.600 for 210; 512 raw_linear w=0.1, 0.700 for 410; 1024 raw_linear w=0.1, "
        "0.800 for 810."
    )


def test_the_table_has_every_setting_the_front_first(worked: TokenFront) -> None:
    heads = [row[0] for row in worked.table.rows]
    assert [name for on_front, name, _ in heads if on_front == "yes"] == FRONT
    assert [name for _, name, _ in heads][:4] == FRONT
    assert [name for _, name, _ in heads][4:] == ["1024 lexical", "1024 dense", "512 dense", "256 lexical"]
    recall, tokens, total = worked.table.rows[3][1]
    assert (recall.value, recall.interval) == ("0.800", "0.75–0.85")
    assert (tokens.value, tokens.interval) == ("810", "800–820")  # 800.4 and 819.6
    assert total.value == "32\u202f400"  # 40 questions of 810


def test_the_front_is_filled_and_joined_and_the_best_of_each_size_is_named(worked: TokenFront) -> None:
    drawn = str(worked.drawing)
    assert len(re.findall(r'class="mk hollow s\d"', drawn)) == 4
    assert len(re.findall(r'class="mk s\d"', drawn)) == 4
    (line,) = re.findall(r'<polyline class="ln s0" points="([^"]*)"', drawn)
    assert len(line.split()) == 4
    assert re.findall(r'<text class="end s\d"[^>]*>([^<]*)', drawn) == FRONT[1:]
    assert drawn.count('class="wh ') == 3
    assert [name for _, name in worked.keys] == [
        f"chunks of {size} characters" for size in ("256", "512", "1\u202f024")
    ]
    assert f"the front: {', '.join(FRONT)}" in drawn


def test_sizes_are_told_apart_by_shape_too(worked: TokenFront) -> None:
    drawn = str(worked.drawing)
    shapes = {
        style: {re.sub(r"[\d. -]+", "", path) for path in re.findall(rf'class="mk {style}" d="([^"]*)"', drawn)}
        for style in ("s4", "s5", "s3")
    }
    assert [len(each) for each in shapes.values()] == [1, 1, 1]
    assert len({shape for each in shapes.values() for shape in each}) == 3


def test_what_has_no_value_is_not_drawn_and_one_alone_is_no_figure() -> None:
    without = dict(WORKED) | {setting(256, 0.1): (None, 210), setting(512, 0.1): (0.7, None)}
    front = found(without)
    assert front is not None
    assert len(front.table.rows) == 6
    assert [each.name for each in front.front] == ["256 dense", "256 lexical", "512 dense", "1024 dense", FRONT[3]]
    assert found({setting(256, 0): (0.5, 200)}) is None
    assert found({}) is None


def test_last_bits_put_nothing_on_the_front() -> None:
    points = [Priced("cheap", 100, 0.3), Priced("dear", 200, 0.1 + 0.2)]  # 0.30000000000000004
    assert [each.name for each in front_of(points)] == ["cheap"]


def test_the_best_of_a_group_is_its_last_on_the_front() -> None:
    front = [Priced("a", 1, 0.1, "x"), Priced("b", 2, 0.2, "y"), Priced("c", 3, 0.3, "x")]
    assert [each.name for each in best_of_groups(front)] == ["c", "b"]


def test_names_are_text() -> None:
    (group,) = parts(["<script>"])
    drawn = pareto_figure(
        [Priced("<img>", 10, 0.5, "<script>", 0.4, 0.6), Priced("b", 20, 0.6)],
        "<b>",
        "id",
        groups=[group],
        axis="<i>",
    )
    assert not re.search("<(script|img|b|i)>", drawn)
