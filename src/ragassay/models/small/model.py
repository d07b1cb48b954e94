"""The small language model as the rest of the package uses it: writing, scoring and classifying texts.

Everything is greedy or a beam search and so the same on every run. A text's result does not depend on the texts beside
it or on the number of threads, bit for bit. It may differ in the last digits from CPU to CPU.

Lengths: the model reads MAX_POSITIONS tokens at once. Of what is longer, what stands last is kept: a prompt loses its
first tokens. A branch may take at least BRANCH_TOKENS, a target at most as many; of a longer target the first are kept.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, overload

import numpy as np

from ragassay.errors import ModelError
from ragassay.models.small import weights
from ragassay.models.small.adapters import Adapter, Task, read_adapter
from ragassay.models.small.decoding import MOST_ROWS, Continuation, Rules, decode
from ragassay.models.small.gguf import Gguf, Weight
from ragassay.models.small.graph import GRAPH_FILE, MAX_POSITIONS, Kind
from ragassay.models.small.graph_files import best_kind, kept_graph, model_name
from ragassay.models.small.running import Runner
from ragassay.models.small.runtime import open_session
from ragassay.models.small.scoring import (
    branch_hidden,
    branch_log_probabilities,
    last_hidden,
    target_log_probabilities,
)
from ragassay.models.small.tokenizer import SYSTEM, Tokenizer

if TYPE_CHECKING:
    import onnxruntime

Prompt: TypeAlias = str | Sequence[int]

BRANCH_TOKENS = 512
# Of a longer text only this many characters are tokenized: more than MAX_POSITIONS tokens of any prose.
_READ_CHARACTERS = 32 * MAX_POSITIONS


class Generated(NamedTuple):
    """What the model wrote. text: of the tokens, without the stop token.

    log_probabilities: one a token, in the model's own distribution. score: their sum, with the stop token's.
    finished: the model ended the text itself; otherwise it reached the limit.
    """

    text: str
    tokens: tuple[int, ...]
    log_probabilities: tuple[float, ...]
    score: float
    finished: bool


class SmallModel:
    """SmolLM2-135M-Instruct with an adapter or without. Safe to use from several threads.

    identity: two models with the same one say the same of every text; empty for one that was not read from files.
    """

    def __init__(self, runner: Runner, tokenizer: Tokenizer, adapter: Adapter | None, name: str) -> None:
        self.tokenizer = tokenizer
        self.name = name
        self.identity = ""
        self._runner = runner
        self._adapter = adapter

    @classmethod
    def load(
        cls, adapter: Path | None = None, *, task: Task | None = None, kind: Kind | None = None, threads: int = 2
    ) -> SmallModel:
        """The model, its graph from the cache folder or written there (seconds).

        The graph's file is verified now, and opened when something is first read.
        task: what the adapter has to be for. kind: None takes int8 where the CPU is fast at it, otherwise nb8.
        Raises ModelError where the weights are missing or not the published ones, or the adapter does not fit.
        """
        path = weights.find_weights()
        gguf = Gguf(path)
        changed = None if adapter is None else read_adapter(adapter, gguf.architecture, weights.WEIGHTS_SHA256, task)
        kind = kind or best_kind()
        kept = kept_graph(path, gguf, changed, kind)
        runner = Runner(lambda: _opened(kept.folder, threads), gguf.architecture)
        if kept.temporary:
            runner.session()
            kept.remove_temporary()
        made = cls(runner, Tokenizer(gguf.metadata), changed, model_name(changed, kind))
        own = "" if adapter is None else hashlib.sha256(adapter.read_bytes()).hexdigest()
        made.identity = f"{made.name}-{kept.hashes[GRAPH_FILE]}-{own}"
        return made

    @property
    def labels(self) -> tuple[str, ...]:
        """What the columns of classify stand for; empty without a classifying adapter."""
        return self._adapter.labels if self._adapter else ()

    @overload
    def generate(
        self,
        prompts: Sequence[Prompt],
        max_new_tokens: int,
        *,
        stop: Collection[int] | None = ...,
        banned: Collection[int] = ...,
        allowed: Sequence[Collection[int] | None] | None = ...,
        candidates: None = ...,
    ) -> list[Generated]: ...

    @overload
    def generate(
        self,
        prompts: Sequence[Prompt],
        max_new_tokens: int,
        *,
        stop: Collection[int] | None = ...,
        banned: Collection[int] = ...,
        allowed: Sequence[Collection[int] | None] | None = ...,
        candidates: int,
    ) -> list[list[Generated]]: ...

    def generate(
        self,
        prompts: Sequence[Prompt],
        max_new_tokens: int,
        *,
        stop: Collection[int] | None = None,
        banned: Collection[int] = (),
        allowed: Sequence[Collection[int] | None] | None = None,
        candidates: int | None = None,
    ) -> list[Generated] | list[list[Generated]]:
        """The most probable continuation of each prompt, token by token.

        prompts: texts or token ids; a text is continued as it stands, see tokenizer.chat for the chat template.
        stop: tokens that end a text, by default the end of a turn and of a text. Other control tokens never come.
        allowed: for each prompt the only tokens that may come besides stop, or None.
        candidates: with it, a list for each prompt of at most so many continuations of different texts, the most
        probable first: the most probable openings of a few tokens, each continued greedily.
        Raises ValueError where max_new_tokens or candidates are out of range.
        """
        if not 1 <= max_new_tokens < MAX_POSITIONS:
            raise ValueError(f"max_new_tokens must be between 1 and {MAX_POSITIONS - 1}, not {max_new_tokens}")
        wanted = 1 if candidates is None else candidates
        if not 1 <= wanted <= MOST_ROWS:
            raise ValueError(f"candidates must be between 1 and {MOST_ROWS}, not {candidates}")
        tokenizer = self.tokenizer
        ends = frozenset({tokenizer.end_of_turn, tokenizer.end_of_text} if stop is None else stop)
        rules = Rules(max_new_tokens, ends, {*banned, *tokenizer.controls.values()})
        read = [self._prompt(prompt, MAX_POSITIONS - max_new_tokens) for prompt in prompts]
        written = decode(self._runner, read, rules, wanted, allowed)
        if candidates is None:
            return [self._generated(continuations[0]) for continuations in written]
        return [self._distinct(continuations) for continuations in written]

    def chat(self, user_text: str, max_new_tokens: int = 256, *, system: str | None = SYSTEM) -> str:
        """The model's reply to one message, in the base's own chat template."""
        room = max(1, MAX_POSITIONS - max_new_tokens - BRANCH_TOKENS)
        kept = self.tokenizer.decode(self._tokens(user_text)[:room])
        return self.generate([self.tokenizer.chat(kept, system=system)], max_new_tokens)[0].text

    def log_probabilities(self, prompts: Sequence[Prompt], targets: Sequence[Prompt]) -> list[Weight]:
        """For each target its tokens' log-probabilities after the prompt, (n_tokens,) float32."""
        wanted = [self._tokens(target)[:BRANCH_TOKENS] for target in targets]
        pairs = zip(prompts, wanted, strict=True)
        return target_log_probabilities(
            self._runner, [self._prompt(prompt, MAX_POSITIONS - len(target)) for prompt, target in pairs], wanted
        )

    def branch_log_probabilities(self, prefix: Prompt, branches: Sequence[Prompt]) -> list[Weight]:
        """As log_probabilities, of several targets after one prompt, which is read once."""
        read = self._prompt(prefix, MAX_POSITIONS - BRANCH_TOKENS)
        return branch_log_probabilities(
            self._runner, read, [self._tokens(branch)[:BRANCH_TOKENS] for branch in branches]
        )

    def states(self, texts: Sequence[Prompt]) -> Weight:
        """The state after each text's last token: (n_texts, hidden) float32."""
        return last_hidden(self._runner, [self._prompt(text, MAX_POSITIONS) for text in texts])

    def classify(self, texts: Sequence[Prompt]) -> Weight:
        """The labels' scores (logits) for each text: (n_texts, n_labels) float32. Needs an adapter with a head."""
        self._head()
        return self._scores(self.states(texts))

    def classify_branches(self, prefix: Prompt, branches: Sequence[Prompt]) -> Weight:
        """As classify, of texts with one beginning, which is read once: (n_branches, n_labels) float32.

        Prefix and branches are tokenized by themselves.
        """
        return self.scores(self.branch_states(prefix, branches))

    def branch_states(self, prefix: Prompt, branches: Sequence[Prompt]) -> Weight:
        """The state after each branch's last token: (n_branches, hidden) float32. See ``classify_branches``."""
        read = self._prompt(prefix, MAX_POSITIONS - BRANCH_TOKENS)
        room = MAX_POSITIONS - len(read)
        return branch_hidden(self._runner, read, [self._prompt(branch, room) for branch in branches])

    def scores(self, states: Weight) -> Weight:
        """The labels' scores for each state."""
        self._head()
        return self._scores(states)

    def _head(self) -> None:
        if self._adapter is None or self._adapter.head is None:
            raise ModelError(f"{self.name} cannot classify; give an adapter with a head, as `ragassay train` writes")

    def _scores(self, hidden: Weight) -> Weight:
        assert self._adapter is not None
        assert self._adapter.head is not None
        weight, bias = self._adapter.head
        # Row by row in one order of adding up, which a matrix product does not promise.
        scores: Weight = (hidden[:, None, :] * weight).sum(axis=2, dtype=np.float32) + bias
        return scores

    def _prompt(self, prompt: Prompt, room: int) -> list[int]:
        """The last tokens of a prompt; of an empty one the token that starts a turn."""
        ids = self.tokenizer.encode(prompt[-_READ_CHARACTERS:]) if isinstance(prompt, str) else list(prompt)
        return ids[-room:] or [self.tokenizer.start]

    def _tokens(self, text: Prompt) -> list[int]:
        return self.tokenizer.encode(text[:_READ_CHARACTERS]) if isinstance(text, str) else list(text)

    def _generated(self, found: Continuation) -> Generated:
        return Generated(self.tokenizer.decode(found.tokens), *found)

    def _distinct(self, found: Sequence[Continuation]) -> list[Generated]:
        by_text: dict[str, Generated] = {}
        for each in map(self._generated, found):
            by_text.setdefault(each.text, each)
        return list(by_text.values())


def _opened(folder: Path, threads: int) -> onnxruntime.InferenceSession:
    """A session of the graph in a folder. Raises ModelError where it went away since it was verified."""
    try:
        return open_session(folder / GRAPH_FILE, threads)
    except Exception as error:  # onnxruntime's own have no name to import
        raise ModelError(
            f"the small language model's graph in {folder} cannot be opened; run the command again, which writes it "
            "anew"
        ) from error
