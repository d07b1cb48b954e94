"""Which settings a grid holds, and how files describe one."""

from __future__ import annotations

from pathlib import Path

import pytest

from ragassay.cli.systems import COMMANDS
from ragassay.errors import UsageError
from ragassay.jobs.sweep.options import SweepOptions
from ragassay.options import read_settings_of
from ragassay.rag.space import Search, Space, space_of, tried


def test_every_combination_that_makes_a_difference_once() -> None:
    space = space_of(
        {"chunk_size": [256, 512], "fusion": ["raw_linear", "rrf"], "reranker": ["none", "late_interaction"]}, "x"
    )
    settings = space.settings()
    # 2 sizes x (6 weights of the first fusion + 4 of the second, whose ends are the same) x 2 rerankers
    assert len(settings) == len(set(settings)) == 2 * 10 * 2
    assert all(setting.fusion == "raw_linear" for setting in settings if setting.text_weight in (0, 1))
    assert {setting.candidates for setting in settings if setting.reranker == "none"} == {0}
    assert len({setting.name for setting in settings}) == len({s.fingerprint for s in settings}) == len(settings)


def test_steps_before_the_search_where_they_make_a_difference() -> None:
    grid = {
        "chunk_size": 512,
        "text_weight": [0.1, 1],
        "generator": ["none", "openai:a"],
        "hyde": ["none", "openai:a"],
        "retrieval": ["always", "tool"],
        "guard": ["", "unwanted.txt"],
        "guard_threshold": [0.6, 0.75],
        "prompt": ["", "mine.md"],
    }
    settings = space_of(grid, "x").settings()
    # (hybrid with and without HyDE + lexical) x (no guardrail + two) x (nobody answers + 2 ways to search x 2 prompts)
    assert len(settings) == len({setting.name for setting in settings}) == 3 * 3 * (1 + 2 * 2)
    assert len({setting.fingerprint for setting in settings}) == len(settings)
    # prompts and guardrails come after the first ranking; who decides to search comes before
    assert len({setting.ranking for setting in settings}) == 3 * 2


def test_fields_in_front_of_chunks() -> None:
    assert space_of({"prefix": ["", "title+source", ["title"]]}, "x").prefix == ((), ("title", "source"), ("title",))


@pytest.mark.parametrize(
    ("grid", "said"),
    [
        ({"chunksize": [1]}, "x: unknown parameter 'chunksize'; did you mean chunk_size?"),
        ({"chunker": "pages"}, "x: chunker: unknown chunker 'pages'; choose recursive, sentences or tokens"),
        ({"text_weight": [1.5]}, "x: text_weight: must be at most 1, not 1.5"),
        ({"guard_threshold": [0]}, "x: guard_threshold: must be above 0, not 0"),
        ({"top_k": [1, 2, -3]}, "x: top_k: must be at least 1, not -3"),
        ({"top_k": [True]}, "x: top_k: must be a whole number, not True"),
        ({"reranker": "best"}, "x: reranker: unknown reranker 'best'; choose none, late_interaction"),
    ],
)
def test_what_is_no_grid_is_named(grid: dict, said: str) -> None:
    with pytest.raises(UsageError) as raised:
        space_of(grid, "x")
    assert str(raised.value).startswith(said)


def test_a_space_made_in_python_is_checked_as_a_grid_is(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="guard_threshold: must be at most 1, not 2"):
        SweepOptions(dataset=tmp_path, out=tmp_path, space=Space(guard=("no.txt",), guard_threshold=(2.0,)))
    space = Space(overlap=(None, 20), prefix=(("title",), ()), chunk_size=(64, 128))
    assert SweepOptions(dataset=tmp_path, out=tmp_path, space=space).space == space


def settings_of_file(path: Path) -> SweepOptions:
    """What the file of a sweep says."""
    return read_settings_of(SweepOptions, *COMMANDS["sweep"].with_files({"config_file": path}, None))


@pytest.mark.parametrize(
    ("name", "content"),
    [
        (
            "a.yaml",
            "dataset: set.jsonl\nout: sweep\nseed: 3\ngrid: {chunk_size: [128]}\nsearch: {method: random, n: 7}\n",
        ),
        (
            "a.toml",
            'dataset = "set.jsonl"\nout = "sweep"\nseed = 3\ngrid.chunk_size = [128]\n'
            'search = {method = "random", n = 7}',
        ),
    ],
)
def test_a_file_in_any_form(tmp_path: Path, name: str, content: str) -> None:
    (tmp_path / name).write_text(content, encoding="utf-8")
    found = settings_of_file(tmp_path / name)
    assert found.dataset == tmp_path / "set.jsonl"  # paths count from the file's folder
    assert (found.out, found.seed) == (tmp_path / "sweep", 3)
    assert (found.space.chunk_size, found.search.method) == ((128,), "random")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("gird: {}", "gird: unknown key; choose one of"),
        ("grid: 3", "grid: must map names to values, not int"),
        ("dataset: 3", "dataset: must be a path"),
        ("seed: many", "seed: must be a whole number, not 'many'"),
        ("search: {method: guess}", "search: unknown value 'guess'"),
        ("search: random", "random needs n"),
    ],
)
def test_a_file_that_cannot_be_meant_is_named(tmp_path: Path, content: str, said: str) -> None:
    path = tmp_path / "sweep.yaml"
    path.write_text("".join(f"{name}: x\n" for name in ("dataset", "out") if name not in content) + content)
    with pytest.raises(UsageError, match=said) as raised:
        settings_of_file(path)
    assert str(path) in str(raised.value)


def test_random_search_is_a_matter_of_its_seed() -> None:
    space, search = Space(), Search(method="random", n=5)
    drawn, total = tried(search, space, 1)
    assert len(set(drawn)) == 5
    assert (set(drawn) < set(space.settings()), total) == (True, len(space.settings()))
    assert drawn != tried(search, space, 2)[0]
    assert tried(Search(method="random", n=500), space, 1)[0] == space.settings()


def test_a_space_of_any_size_is_drawn_from_without_a_list_of_it() -> None:
    weights = tuple(number / 10_000 for number in range(1, 10_000))
    space = Space(text_weight=weights, top_k=tuple(range(1, 10_001)), chunk_size=tuple(range(100, 10_100)))
    assert space.combinations == 9_999 * 10_000 * 10_000
    drawn, total = tried(Search(method="random", n=20), space, seed=1)
    assert (len(set(drawn)), total) == (20, space.combinations)
    assert (drawn, total) == tried.__wrapped__(Search(method="random", n=20), space, seed=1)
    assert drawn != tried(Search(method="random", n=20), space, seed=2)[0]
    for search in (Search(), Search(method="random", n=10**6)):
        with pytest.raises(UsageError, match="grid: has 999,900,000,000 combinations; give fewer values"):
            tried(search, space, seed=1)
    few = Space()  # six text weights with three sizes
    assert tried(Search(), few, seed=0) == (few.settings(), len(few.settings()))
