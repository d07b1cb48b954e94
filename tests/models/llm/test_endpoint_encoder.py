"""Vectors from a server: in order, of unit length, in batches, and never paid twice."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ragassay.models.endpoint_encoder import EndpointEncoder, _vectors
from ragassay.models.llm.budget import Budget
from ragassay.models.llm.endpoints import Endpoint
from ragassay.models.llm.pace import Limits
from ragassay.models.vector_cache import CachedEncoder


@pytest.fixture
def encoder_at(tmp_path: Path) -> Iterator[Any]:
    with ExitStack() as stack:

        def make(url: str, *, budget: Budget | None = None, timeout_s: float = 60.0, **options: Any) -> EndpointEncoder:
            limits = Limits(max_in_flight=8, call_timeout_s=timeout_s, patience_s=60.0, max_tries=4)
            endpoint = Endpoint(f"{url}#e", url, "e", **options.pop("endpoint", {}))
            encoder = EndpointEncoder(endpoint, budget or Budget(), limits=limits, folder=tmp_path, **options)
            stack.callback(encoder.close)
            return encoder

        yield make


TEXTS = [f"lamp {n} on the pier" for n in range(300)]


def test_vectors_are_in_order_and_of_unit_length(servers: Any, encoder_at: Any) -> None:
    server = servers.stub()
    encoder = encoder_at(server.url)
    done: list[int] = []
    vectors = encoder.encode(TEXTS, done.append)
    assert vectors.shape == (300, 64)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, rtol=1e-6)
    np.testing.assert_allclose(encoder.encode([TEXTS[137]])[0], vectors[137], rtol=1e-6)
    assert sorted(done) == [44, 128, 128]
    assert server.stats.outcomes["answered"] == 4


def test_troubles_cost_no_vector(servers: Any, encoder_at: Any) -> None:
    server = servers.stub(busy=0.2, broken=0.2, cut=0.1, hung=0.1, first_tries_only=True, retry_after="0.05", seed=5)
    plain = encoder_at(servers.stub().url).encode(TEXTS * 5)
    np.testing.assert_array_equal(encoder_at(server.url, timeout_s=2.0).encode(TEXTS * 5), plain)


def test_the_cache_pays_nothing_twice_even_without_a_server(servers: Any, encoder_at: Any, tmp_path: Path) -> None:
    server = servers.stub()
    budget = Budget()
    cached = CachedEncoder(encoder_at(server.url, budget=budget), tmp_path)
    first = cached.encode(TEXTS)
    cached.close()
    # Three batches, and one text to learn the dimension.
    assert (budget.spent.calls, server.stats.requests) == (4, 4)
    assert budget.spent.prompt_tokens == pytest.approx(sum(map(len, TEXTS)) / 4, rel=0.05)
    server.stub.settings.key = "a key that nobody has"
    again = CachedEncoder(encoder_at(server.url), tmp_path)
    np.testing.assert_array_equal(again.encode(TEXTS), first)
    again.close()
    assert server.stats.requests == 4


@pytest.mark.parametrize(
    ("embedding", "wrong"),
    [
        ([10**400, 1], "they must be numbers"),
        (["x"], "they must be numbers"),
        ([1e39, 1.0], "not finite"),  # more than float32 holds
        ([0, 0], "zero"),
        ("%%", "they must be numbers"),
        ([], "empty"),
    ],
)
def test_what_is_no_vector_is_said(embedding: Any, wrong: str) -> None:
    with np.errstate(over="ignore"):
        assert wrong in str(_vectors([{"index": 0, "embedding": embedding}], 1))
