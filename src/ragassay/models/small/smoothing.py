"""Moves large activation channels of the small language model into its weights, so that 8 bits hold both.

SmoothQuant (Xiao et al. 2023): the input channels of a product are divided by constants where they are made (the norm's
weights, rows of v, rows of up), and the product's columns multiplied by them, so the graph has no more nodes. The
constants come from the largest activations in a few fixed texts, layer by layer while the graph is written.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ragassay.models.small.adapters import Layer
from ragassay.models.small.weights import Architecture, Weight

# Share of a channel's range that moves into the weight; the paper's middle value, and the best of .4, .5 and .65 here.
STRENGTH = 0.5
# Constants are powers of 2 ** (1 / 16), so that last bits of a machine's matrix products do not show in the graph.
STEPS_PER_OCTAVE = 16
_SMALLEST = 1e-5

CALIBRATION_TEXTS = (
    "Staff may work from home on two days a week if their manager has agreed to it in writing.",
    "How long do I have to return a faulty item, and who pays for the parcel?",
    "The committee met on 14 March 2019. Present: Ms Adeyemi (chair), Mr Lund, Dr Okafor. Apologies: none.",
    "def total(prices: list[float], rate: float = 0.2) -> float:\n    return sum(prices) * (1 + rate)\n",
    "Melt the butter, stir in 250 g of flour and leave the dough in a cool place for half an hour.",
    "SELECT name, max(price) FROM items WHERE sold IS NULL GROUP BY name HAVING count(*) > 3;",
    "The tenant shall not sublet the premises or any part thereof without the prior written consent of the landlord.",
    "Rain moved in from the west overnight; by morning the river at Kelton stood 40 cm above its usual level.",
    "| Plan | Storage | Price |\n| --- | --- | --- |\n| Basic | 10 GB | €4.50 |\n| Team | 1 TB | €39.00 |",
    "Patients with reduced kidney function received half the dose (2.5 mg twice daily) for six weeks.",
    "What should I do if I lose my badge? Tell the front desk at once; they will block it and print a new one.",
    "Born in a fishing village in 1871, she taught herself Latin and later translated three of Ovid's works.",
    "Error 504: the upstream server did not answer within 30 seconds. Retry, or raise `proxy_timeout` in app.toml.",
    "Revenue rose 12% to $3.4 billion, while operating costs fell from $1.9 billion to $1.7 billion.",
    "Die Bibliothek ist montags geschlossen; an Feiertagen gelten andere Zeiten.",
    "仓库在每个工作日上午九点开门，周末不接收货物。",
    "Question: Who signs off expenses above 500 euros?\nAnswer: The head of finance.",
    "Hi Tom, thanks for yesterday. I have moved the launch to Thursday, as Priya is away until then. Best, Jo",
    "Copper conducts heat better than iron because its electrons move more freely through the lattice.",
    "1. Switch the printer off.\n2. Open the rear cover.\n3. Pull the jammed sheet out gently, with both hands.",
    "No, the museum does not lend paintings to private collectors, although it did so until the 1980s.",
    "https://example.org/docs/v2/setup?lang=en#proxy — see also <b>Known issues</b> &amp; the FAQ.",
    "Under the new rule, a driver who has held a licence for less than two years loses it after six penalty points.",
    'It was late. Nobody spoke. "Well," she said at last, "somebody has to tell him, and it won\'t be me."',
)


class Smoothing:
    """Follows the calibration texts through the model, one layer after the other."""

    def __init__(self, architecture: Architecture, embeddings: Sequence[Weight]) -> None:
        """embeddings: for each text its tokens' embeddings, (n_tokens, hidden)."""
        self._architecture = architecture
        self._rows = np.concatenate(embeddings)
        ends = np.cumsum([len(text) for text in embeddings])
        self._texts = [slice(end - len(text), end) for end, text in zip(ends, embeddings, strict=True)]
        positions = np.concatenate([np.arange(len(text)) for text in embeddings])
        frequencies = rope_frequencies(architecture)
        self._cos, self._sin = np.cos(positions[:, None] * frequencies), np.sin(positions[:, None] * frequencies)

    def next_layer(self, layer: Layer) -> Layer:
        """The smoothed layer, which computes the same as the layer. Call it with all layers in order, once each."""
        sizes = self._architecture
        normed = self._normalised(layer.attn_norm)
        mixed = self._attention(normed, layer)
        attention_rows = self._rows + mixed @ layer.attn_output.T
        self._rows = attention_rows
        inner_input = self._normalised(layer.ffn_norm)
        gate = inner_input @ layer.ffn_gate.T
        inner = gate / (1 + np.exp(-gate)) * (inner_input @ layer.ffn_up.T)
        self._rows = attention_rows + inner @ layer.ffn_down.T

        to_qkv = _constants(_largest(normed), layer.attn_q, layer.attn_k, layer.attn_v)
        to_ffn = _constants(_largest(inner_input), layer.ffn_gate, layer.ffn_up)
        to_down = _constants(_largest(inner), layer.ffn_down)
        # The heads of a group share their v, so they share constants: (kv_heads, 1, head_size).
        by_group = (sizes.kv_heads, sizes.heads // sizes.kv_heads, sizes.head_size)
        shared = _largest(mixed).reshape(by_group).max(axis=1)
        columns = np.abs(layer.attn_output).max(axis=0).reshape(by_group).max(axis=1)
        to_v = _balanced(shared.ravel(), columns.ravel())
        to_output = np.broadcast_to(to_v.reshape(sizes.kv_heads, 1, sizes.head_size), by_group).ravel()
        return Layer(
            attn_norm=layer.attn_norm / to_qkv,
            attn_q=layer.attn_q * to_qkv,
            attn_k=layer.attn_k * to_qkv,
            attn_v=layer.attn_v * to_qkv / to_v[:, None],
            attn_output=layer.attn_output * to_output,
            ffn_norm=layer.ffn_norm / to_ffn,
            ffn_gate=layer.ffn_gate * to_ffn,
            ffn_up=layer.ffn_up * to_ffn / to_down[:, None],
            ffn_down=layer.ffn_down * to_down,
        )

    def _normalised(self, weight: Weight) -> Weight:
        mean_square = np.mean(self._rows * self._rows, axis=1, keepdims=True)
        normalised: Weight = self._rows / np.sqrt(mean_square + np.float32(self._architecture.epsilon)) * weight
        return normalised

    def _attention(self, rows: Weight, layer: Layer) -> Weight:
        """Causal attention within each text: (n_rows, heads * head_size)."""
        sizes = self._architecture
        query = self._turned((rows @ layer.attn_q.T).reshape(len(rows), sizes.heads, sizes.head_size))
        key = self._turned((rows @ layer.attn_k.T).reshape(len(rows), sizes.kv_heads, sizes.head_size))
        value = (rows @ layer.attn_v.T).reshape(len(rows), sizes.kv_heads, sizes.head_size)
        mixed = np.empty_like(query)
        for text in self._texts:
            later = np.triu(np.full((text.stop - text.start,) * 2, -np.inf, np.float32), 1)
            for head in range(sizes.heads):
                group = head * sizes.kv_heads // sizes.heads
                scores = query[text, head] @ key[text, group].T / np.float32(np.sqrt(sizes.head_size)) + later
                weights = np.exp(scores - scores.max(axis=1, keepdims=True))
                mixed[text, head] = weights / weights.sum(axis=1, keepdims=True) @ value[text, group]
        return mixed.reshape(len(rows), -1)

    def _turned(self, heads: Weight) -> Weight:
        """Rotary position embeddings (Su et al. 2021) on the halves of each head: (n_rows, n_heads, head_size)."""
        first, second = np.split(heads, 2, axis=2)
        cos, sin = self._cos[:, None].astype(np.float32), self._sin[:, None].astype(np.float32)
        return np.concatenate([first * cos - second * sin, second * cos + first * sin], axis=2)


def rope_frequencies(architecture: Architecture) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """The angle by which a position turns each pair of values: (head_size / 2,) float64."""
    exponents = np.arange(0, architecture.head_size, 2, dtype=np.float64) / architecture.head_size
    frequencies: np.ndarray[tuple[int, ...], np.dtype[np.float64]] = architecture.rope_base**-exponents
    return frequencies


def _largest(rows: Weight) -> Weight:
    largest: Weight = np.abs(rows).max(axis=0)
    return largest


def _constants(largest: Weight, *weights: Weight) -> Weight:
    return _balanced(largest, np.max([np.abs(weight).max(axis=0) for weight in weights], axis=0))


def _balanced(activations: Weight, weights: Weight) -> Weight:
    """One constant a channel, from the largest activation and the largest weight; their geometric mean is about 1."""
    logarithms = STRENGTH * np.log2(np.maximum(activations, _SMALLEST))
    logarithms -= (1 - STRENGTH) * np.log2(np.maximum(weights, _SMALLEST))
    logarithms -= logarithms.mean()
    constants: Weight = np.exp2(np.rint(logarithms * STEPS_PER_OCTAVE) / STEPS_PER_OCTAVE).astype(np.float32)
    return constants
