from __future__ import annotations

from ragassay.evaluation.resamples import resample_counts


def test_resamples_draw_every_example_n_times_in_all() -> None:
    blocks = list(resample_counts(300_000, seed=0, resamples=20))
    assert [len(block) for block in blocks] == [6, 6, 6, 2]
    assert all((block.sum(axis=1) == 300_000).all() for block in blocks)
