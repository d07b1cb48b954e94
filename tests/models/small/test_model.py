"""The small language model with random weights against the same model in numpy: every number, alone and in company."""

from __future__ import annotations

import shutil
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ragassay.errors import ModelError
from ragassay.models.small.gguf import Gguf
from ragassay.models.small.graph import MAX_POSITIONS, WEIGHTS_FILE, Kind
from ragassay.models.small.layers import read_layer
from ragassay.models.small.model import BRANCH_TOKENS, SmallModel
from ragassay.models.small.runtime import open_session
from ragassay.models.small.smoothing import Smoothing

PASSAGE = "The reading room opens at 9. Members may borrow six books; the others may read them there."
CLAIMS = ["", "No.", " Six books may be borrowed by the members of the library.", "x", " the the the a a a"]
PROMPTS = ["", "a", "the cat", "Members pay 12 euros", "a b " * 30, *(f"Prompt {n}: the" for n in range(20))]
KINDS: list[Kind] = ["fp32", "int8", "nb8"]


@pytest.mark.parametrize(("kind", "tolerance"), [("fp32", 1e-4), ("nb8", 0.6), ("int8", 0.6)])
def test_probabilities_are_those_of_the_reference(tiny: Any, kind: Kind, tolerance: float) -> None:
    model = SmallModel.load(kind=kind, threads=1)
    prompts, targets = ["the a", "Opens at 9"], [PASSAGE, " and closes."]
    for prompt, target, found in zip(prompts, targets, model.log_probabilities(prompts, targets), strict=True):
        read, wanted = model.tokenizer.encode(prompt), model.tokenizer.encode(target)
        every = tiny.log_probabilities([*read, *wanted])
        expected = every[np.arange(len(wanted)) + len(read) - 1, wanted]
        assert found.dtype == np.float32
        assert np.abs(found - expected).max() < tolerance


@pytest.mark.parametrize(("kind", "tolerance"), [("fp32", 1e-3), ("nb8", 0.5), ("int8", 0.5)])
def test_classification_reads_the_last_token_with_the_adapter_merged(
    tiny: Any, adapters: Any, kind: Kind, tolerance: float
) -> None:
    model = SmallModel.load(adapters.write(), kind=kind, threads=1)
    assert model.labels == ("yes", "no", "open")
    changed = adapters.merged(tiny.weights)
    head = adapters.head["head.weight"].astype(np.float64)
    texts = [PASSAGE, "No.", "the"]
    found = model.classify(texts)
    expected = [tiny.hidden(model.tokenizer.encode(text), changed)[-1] @ head.T + [0.5, -1, 2] for text in texts]
    assert found.shape == (3, 3)
    assert np.abs(found - expected).max() < tolerance
    unchanged = [tiny.hidden(model.tokenizer.encode(text))[-1] @ head.T + [0.5, -1, 2] for text in texts]
    assert np.abs(found - unchanged).max() > 2


def test_greedy_texts_are_those_of_the_reference(tiny: Any) -> None:
    model = SmallModel.load(kind="fp32", threads=1)
    for prompt, written in zip(PROMPTS[2:5], model.generate(PROMPTS[2:5], 6, stop=[]), strict=True):
        ids = model.tokenizer.encode(prompt)
        for token, log_probability in zip(written.tokens, written.log_probabilities, strict=True):
            following = tiny.log_probabilities(ids)[-1]
            following[:3] = -np.inf  # control tokens do not come
            assert token == following.argmax()
            assert log_probability == pytest.approx(following[token], abs=1e-4)
            ids.append(token)
        assert len(written.tokens) == 6
        assert not written.finished
        assert written.text == model.tokenizer.decode(written.tokens)


def test_candidates_are_the_best_openings_continued_greedily(tiny: Any) -> None:
    model = SmallModel.load(kind="fp32", threads=1)
    ids = model.tokenizer.encode("the cat")
    (written,) = model.generate(["the cat"], 1, stop=[], candidates=4)
    following = tiny.log_probabilities(ids)[-1][3:]
    best = [model.tokenizer.decode([int(token) + 3]) for token in np.argsort(-following)[:4]]
    assert [each.text for each in written] == list(dict.fromkeys(best))  # parts of a character have one text
    (longer,) = model.generate(["the cat"], 8, stop=[], candidates=4)
    assert len({each.text for each in longer}) == len(longer) > 1
    assert [each.score for each in longer] == sorted((each.score for each in longer), reverse=True)
    for each in longer:
        (again,) = model.generate([[*ids, *each.tokens[:4]]], 4, stop=[])
        assert again.tokens == each.tokens[4:]
        assert sum(each.log_probabilities) == pytest.approx(each.score)


def test_stop_banned_and_allowed_tokens(tiny: Any) -> None:
    model = SmallModel.load(kind="fp32", threads=1)
    (free,) = model.generate(["the cat"], 4, stop=[])
    stopped, unstopped = model.generate(["the cat"] * 2, 4, stop=[free.tokens[2]], allowed=[None, [50, 51]])
    assert stopped.tokens == free.tokens[: free.tokens.index(free.tokens[2])]
    assert stopped.finished
    assert set(unstopped.tokens) <= {50, 51}
    (without,) = model.generate(["the cat"], 4, stop=[], banned=free.tokens)
    assert not set(without.tokens) & set(free.tokens)
    (none,) = model.generate(["the cat"], 4, stop=[], allowed=[[]])
    assert none.tokens == ()


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_depends_on_company_order_or_threads(tiny: Any, adapters: Any, kind: Kind) -> None:
    path = adapters.write()
    model, other = (SmallModel.load(path, kind=kind, threads=threads) for threads in (1, 2))
    targets = [PASSAGE[: n + 1] for n in range(len(PROMPTS))]
    greedy = model.generate(PROMPTS, 5)
    several = model.generate(PROMPTS, 7, candidates=3)
    classes = model.classify(PROMPTS)
    scores = model.log_probabilities(PROMPTS, targets)
    assert len({each.tokens for each in greedy}) > 5
    for place in range(0, len(PROMPTS), 3):
        one = [PROMPTS[place]]
        assert model.generate(one, 5) == greedy[place : place + 1]
        assert model.generate(one, 7, candidates=3) == several[place : place + 1]
        assert (model.classify(one)[0] == classes[place]).all()
        assert (model.log_probabilities(one, [targets[place]])[0] == scores[place]).all()
    assert other.generate(PROMPTS[::-1], 5)[::-1] == greedy
    assert other.generate(PROMPTS[::-1], 7, candidates=3)[::-1] == several
    assert (other.classify(PROMPTS[::-1])[::-1] == classes).all()


@pytest.mark.parametrize("kind", KINDS)
def test_branches_are_the_whole_texts(tiny: Any, adapters: Any, kind: Kind) -> None:
    model = SmallModel.load(adapters.write(), kind=kind, threads=1)
    prefix = model.tokenizer.encode(PASSAGE)
    together = model.classify_branches(PASSAGE, CLAIMS[1:])
    scores = model.branch_log_probabilities(PASSAGE, CLAIMS)
    for place, claim in enumerate(CLAIMS[1:]):
        assert (model.classify_branches(PASSAGE, [claim])[0] == together[place]).all()
    whole = model.classify([[*prefix, *model.tokenizer.encode(claim)] for claim in CLAIMS[1:]])
    tolerance = 1e-4 if kind == "fp32" else 0.2
    assert np.abs(together - whole).max() < tolerance
    for found, expected in zip(scores, model.log_probabilities([PASSAGE] * 5, CLAIMS), strict=True):
        assert found.shape == expected.shape
        assert np.abs(found - expected).max(initial=0) < tolerance


def test_long_texts_lose_their_first_tokens(tiny: Any, adapters: Any) -> None:
    model = SmallModel.load(adapters.write(), kind="nb8", threads=2)
    text = "".join(chr(97 + n * n % 26) for n in range(2 * MAX_POSITIONS))
    ids = model.tokenizer.encode(text)
    assert len(ids) > MAX_POSITIONS
    assert (model.classify([text]) == model.classify([ids[-MAX_POSITIONS:]])).all()
    assert model.generate([text], 3) == model.generate([ids[-(MAX_POSITIONS - 3) :]], 3)
    (scores,) = model.log_probabilities([text], [text])
    assert scores.shape == (BRANCH_TOKENS,)
    assert model.classify_branches(text, [text]).shape == (1, 3)


def test_nothing_in_nothing_out(tiny: Any, adapters: Any) -> None:
    model = SmallModel.load(adapters.write(), kind="fp32", threads=1)
    assert model.generate([], 3) == []
    assert model.generate([], 3, candidates=2) == []
    assert model.log_probabilities([], []) == []
    assert model.classify([]).shape == (0, 3)
    assert model.classify_branches("a", []).shape == (0, 3)
    assert [scores.shape for scores in model.log_probabilities(["a"], [""])] == [(0,)]


def test_what_cannot_be_asked(tiny: Any) -> None:
    model = SmallModel.load(kind="fp32", threads=1)
    with pytest.raises(ValueError, match="max_new_tokens must be between 1 and 2047, not 0"):
        model.generate(["a"], 0)
    with pytest.raises(ValueError, match="candidates must be between 1 and 16, not 17"):
        model.generate(["a"], 1, candidates=17)
    with pytest.raises(ModelError, match="cannot classify; give an adapter with a head"):
        model.classify(["a"])


def test_smoothed_layers_compute_the_same_with_smaller_outliers(tiny: Any) -> None:
    gguf = Gguf(tiny.path)
    table = gguf.matrix("token_embd.weight")
    table[:, 7] *= 30  # an outlier channel
    smoothing = Smoothing(gguf.architecture, [table[[5, 9, 60, 8]], table[[1, 2]]])
    smoothed = dict(tiny.weights)
    for number in range(2):
        layer = read_layer(gguf, None, number)
        after = smoothing.next_layer(layer)
        smoothed |= {f"blk.{number}.{part}": value.astype(np.float64) for part, value in after._asdict().items()}
        assert np.abs(after.attn_q / layer.attn_q).max() > 1.5
    ids = [4, 60, 200, 7, 7, 31]
    assert np.abs(tiny.hidden(ids, smoothed) - tiny.hidden(ids)).max() < 1e-5


def test_the_graph_is_written_once_and_named_by_all_it_depends_on(
    tiny: Any, adapters: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = SmallModel.load(kind="int8", threads=1)
    tuned = SmallModel.load(adapters.write(), kind="int8", threads=1)
    assert plain.name.startswith(f"SmolLM2-135M-Instruct-{tiny.sha256[:12]}-base-int8-g")
    assert plain.name != tuned.name
    folders = sorted(path.name for path in (tmp_path / "cache").iterdir())
    assert len(folders) == 2
    assert not [name for name in folders if name.endswith(".part")]
    before = plain.generate(PROMPTS[:3], 4)

    def refuse(*_: object) -> None:
        raise AssertionError("written again")

    monkeypatch.setattr("ragassay.models.small.graph_files.write_graph", refuse)
    assert SmallModel.load(kind="int8", threads=1).generate(PROMPTS[:3], 4) == before


def test_a_graph_is_opened_when_something_is_read(tiny: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[Path] = []

    def watched(graph: Path, threads: int) -> Any:
        opened.append(graph)
        return open_session(graph, threads)

    SmallModel.load(kind="int8", threads=1)
    monkeypatch.setattr("ragassay.models.small.model.open_session", watched)
    model = SmallModel.load(kind="int8", threads=1)
    assert not opened
    assert model.generate(["the"], 4) == model.generate(["the"], 4)
    assert len(opened) == 1


def test_threads_open_a_graph_once_and_a_lost_graph_is_named(
    tiny: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[Path] = []

    def watched(graph: Path, threads: int) -> Any:
        opened.append(graph)
        time.sleep(0.05)
        return open_session(graph, threads)

    monkeypatch.setattr("ragassay.models.small.model.open_session", watched)
    model = SmallModel.load(kind="int8", threads=1)
    with ThreadPoolExecutor(4) as pool:
        assert len({str(each) for each in pool.map(lambda _: model.generate(["the"], 4), range(4))}) == 1
    assert len(opened) == 1
    lost = SmallModel.load(kind="int8", threads=1)
    shutil.rmtree(opened[0].parent)
    with pytest.raises(ModelError, match=r"graph in .* cannot be opened; run the command again, which writes it anew"):
        lost.generate(["the"], 4)


def test_without_a_cache_folder_the_model_still_loads(
    tiny: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("in the way")
    expected = SmallModel.load(kind="nb8", threads=1).generate(["the"], 4)
    monkeypatch.setenv("RAGASSAY_CACHE", str(tmp_path / "file" / "cache"))
    assert SmallModel.load(kind="nb8", threads=1).generate(["the"], 4) == expected


@pytest.mark.parametrize("end", [0, 1])
def test_damaged_weights_are_made_anew(tiny: Any, tmp_path: Path, end: int) -> None:
    expected = SmallModel.load(kind="int8", threads=1).generate(["the"], 4)
    (kept,) = (tmp_path / "cache").glob(f"*/{WEIGHTS_FILE}")
    content = kept.read_bytes()
    middle = len(content) // 2
    # a flipped bit, a file that ends too early
    kept.write_bytes(content[:middle] + bytes([content[middle] ^ 1]) + (b"" if end else content[middle + 1 :]))
    with pytest.warns(RuntimeWarning, match="is damaged and will be made again"):
        assert SmallModel.load(kind="int8", threads=1).generate(["the"], 4) == expected


def test_a_full_disk_is_named_before_anything_is_written(
    tiny: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ragassay.models.small.graph_files.ROOM_BYTES", 10**18)
    with pytest.raises(ModelError, match=r"takes 1000000000000 MB, and \d+ MB are free; free some space, or set"):
        SmallModel.load(kind="fp32")
    assert not list((tmp_path / "cache").iterdir())
