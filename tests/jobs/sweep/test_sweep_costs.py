"""Dollars of a question in a sweep, worked by hand; None wherever one price does not fit all tokens."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from ragassay.jobs.sweep.models import with_costs
from ragassay.models.llm.prices import Price, Prices
from ragassay.rag.setting import Setting
from ragassay.sweep.values import COST, TOKENS_IN, TOKENS_OUT, SettingValues

ENDPOINTS: Any = SimpleNamespace(
    of={name: SimpleNamespace(name=name) for name in ("openai:small", "openai:large", "openai:new", "ollama:own")},
    prices=Prices({"small": Price(prompt=2.0, completion=10.0), "large": Price(prompt=5.0, completion=20.0)}),
    judge="openai:large",
)


def costs(**parts: Any) -> list[float]:
    columns = {TOKENS_IN: np.array([1000.0, np.nan]), TOKENS_OUT: np.array([100.0, np.nan])}
    values = SettingValues(Setting(**parts), np.arange(2), columns, {})
    return with_costs(values, ENDPOINTS).metrics[COST].tolist()


def test_tokens_have_the_price_of_the_model_that_answers() -> None:
    # 1 000 tokens at 2 dollars a million, and 100 at 10; of the other question the tokens are not known
    assert costs(generator="openai:small") == pytest.approx([0.003, np.nan], nan_ok=True)
    assert costs(generator="openai:small", hyde="openai:small")[0] == pytest.approx(0.003)


@pytest.mark.parametrize("parts", [{}, {"generator": "embedded"}, {"generator": "ollama:own"}])
def test_what_costs_nothing_is_0(parts: dict[str, Any]) -> None:
    assert costs(**parts) == [0, 0]


@pytest.mark.parametrize(
    "parts",
    [
        {"generator": "openai:new"},  # no price
        {"generator": "openai:small", "hyde": "openai:large"},
        {"generator": "openai:small", "reranker": "judge", "candidates": 10},
        {"hyde": "openai:small"},  # nobody reads the chunks whose tokens are counted
    ],
)
def test_one_price_that_does_not_fit_is_no_cost(parts: dict[str, Any]) -> None:
    assert np.isnan(costs(**parts)).all()
