"""What losses count: worked by hand from the probabilities of a vocabulary of four tokens."""

from __future__ import annotations

from collections.abc import Sequence
from math import log

import pytest

torch = pytest.importorskip("torch", reason="torch is not installed (extra train)")

from ragassay.training.items import Branch, Item  # noqa: E402
from ragassay.training.packing import collate  # noqa: E402
from ragassay.training.trainable import PREFERENCE, Losses, of_tokens  # noqa: E402


def losses(items: Sequence[Item], probabilities: Sequence[float]) -> Losses:
    """probabilities: of each token that the batch predicts, in order; the other three share what is left."""
    batch = collate(items, 0)
    logits = torch.tensor([[(1 - each) / 3] * 4 for each in probabilities])
    logits[torch.arange(len(probabilities)), batch.wanted] = torch.tensor(probabilities)
    return of_tokens(logits.log(), batch)


def asked(*refused: Sequence[int]) -> Item:
    return Item([1], (Branch("ask", [1], [2, 0], refused=refused),))


def test_the_preference_for_what_was_taken() -> None:
    assert PREFERENCE == 0.1
    # p(taken) = 0.5 * 0.5 = 0.25; p(refused) = 0.25 * 0.5 = 0.125, half of it, and 0.5 * 0.8 = 0.4, 1.6 times it.
    # -log sigmoid(0.1 log(p(taken) / p(refused))) = log(1 + (p(refused) / p(taken)) ** 0.1)
    found = losses([asked([3, 0], [1, 0])], [0.5, 0.5, 0.25, 0.5, 0.5, 0.8])
    assert found.preferences is not None
    assert found.preferences.tolist() == pytest.approx([log(1 + 0.5**0.1), log(1 + 1.6**0.1)])
    assert found.preferences.tolist() == pytest.approx([0.6591, 0.7169], abs=1e-4)
    # What was refused is not learned.
    assert found.values.tolist() == pytest.approx([-log(0.5), -log(0.5)])
    assert list(found.kinds) == ["ask", "ask"]
    # (2 * 0.6931) / 2 = 0.6931; (0.6591 + 0.7169) / 2 = 0.6880
    assert found.total.item() == pytest.approx(1.3811, abs=2e-4)


def test_each_is_compared_with_what_was_taken_beside_it() -> None:
    # 0.5 * 0.5 against 0.5 * 0.5; 0.8 * 0.5 against 0.1 * 0.5, an eighth
    found = losses([asked([3, 0]), asked([1, 0])], [0.5, 0.5, 0.5, 0.5, 0.8, 0.5, 0.1, 0.5])
    assert found.preferences is not None
    assert found.preferences.tolist() == pytest.approx([log(2), log(1 + 0.125**0.1)])


def test_a_long_text_is_not_as_likely_as_a_short_one() -> None:
    # 0.25 against 0.5 ** 4, a quarter of it: sums of log-probabilities, not means
    found = losses([asked([1, 1, 1, 0])], [0.5] * 6)
    assert found.preferences is not None
    assert found.preferences.tolist() == pytest.approx([log(1 + 0.25**0.1)])


def test_what_was_refused_in_the_same_words_moves_nothing() -> None:
    batch = collate([asked([2, 0])], 0)
    # Both have their first token from the same state, and so have their ends: rows 0 and 2, 1 and 3.
    states = torch.randn(2, 4, generator=torch.Generator().manual_seed(0)).requires_grad_()
    found = of_tokens(states[[0, 1, 0, 1]], batch)
    assert found.preferences is not None
    assert found.preferences.tolist() == pytest.approx([log(2)])
    (gradient,) = torch.autograd.grad(found.preferences.sum(), states)
    torch.testing.assert_close(gradient, torch.zeros(2, 4))


def test_without_anything_refused_the_total_is_the_mean() -> None:
    found = losses([asked()], [0.5, 0.25])
    assert found.preferences is None
    assert found.values.tolist() == pytest.approx([log(2), log(4)])
    assert found.total.item() == pytest.approx(log(8) / 2)
