"""What the answers of a setting cost, from its tokens and the prices of its models."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ragassay.models.llm.prices import FREE, TOKENS_PER_UNIT
from ragassay.pipeline.sweep.models import SweepEndpoints
from ragassay.rag.setting import NO_GENERATOR, Setting
from ragassay.retrieval.rerank import JUDGE
from ragassay.sweep.values import COST, TOKENS_IN, TOKENS_OUT, SettingValues, Values


def with_costs(values: SettingValues, endpoints: SweepEndpoints) -> SettingValues:
    """The same with the cost of each question in US dollars: 0 where no server is asked.

    NaN where a price is not known, where models with different prices share the tokens, and where nothing is answered,
    so that some of the tokens were read by nobody.
    """
    return replace(values, metrics={**values.metrics, COST: _costs(values, endpoints)})


def _costs(values: SettingValues, endpoints: SweepEndpoints) -> Values:
    prices = {endpoints.prices.of(endpoints.of[name].name) for name in _asked(values.setting, endpoints)}
    price = prices.pop() if len(prices) == 1 else None if prices else FREE
    if price is None or (price != FREE and values.setting.generator == NO_GENERATOR):
        return np.full(len(values.rows), np.nan)
    if price == FREE:
        return np.zeros(len(values.rows))  # the tokens of some questions may be unknown
    read, written = values.metrics[TOKENS_IN], values.metrics[TOKENS_OUT]
    return (read * price.prompt + written * price.completion) / TOKENS_PER_UNIT


def _asked(setting: Setting, endpoints: SweepEndpoints) -> set[str]:
    """The models on servers that find and answer: the generator, who makes up passages, the judge that re-ranks."""
    names = {setting.generator, setting.hyde, *([endpoints.judge] if setting.reranker == JUDGE else [])}
    return names & endpoints.of.keys()
