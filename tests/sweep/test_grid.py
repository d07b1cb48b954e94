from __future__ import annotations

from ragassay.sweep.grid import grid


def test_the_default_grid_has_every_ranking_once() -> None:
    configurations = grid()
    # 3 sizes x (4 inner weights x 3 fusions + 2 ends)
    assert len(configurations) == len(set(configurations)) == 42
    assert len({configuration.name for configuration in configurations}) == 42
    assert {c.fusion for c in configurations if c.text_weight in (0, 1)} == {"raw_linear"}


def test_a_grid_of_ones_own() -> None:
    names = [c.name for c in grid([512, 512], [0, 0.3, 1], ["rrf", "min_max"])]
    assert names == ["512 dense", "512 rrf w=0.3", "512 lexical", "512 min_max w=0.3"]
