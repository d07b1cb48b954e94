"""The fine-tuned generator of Know Your RAG: a context and a label in, a pair out.

Any base that transformers loads, causal or sequence-to-sequence (FLAN-T5 in the paper), with a LoRA adapter of peft.
``<a>``, between question and answer, is a token of its own, whose embedding is learned.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import peft
import torch
import transformers

from ragassay.datasets.format import Notes
from ragassay.errors import InputError, ModelError
from ragassay.models.fetching import hush_hub
from ragassay.text import distinct, words
from ragassay.training.card import finish, prepare
from ragassay.training.loop import Fitted, Progress, Row, fit, hush_transformers
from ragassay.training.options import Job
from ragassay.training.pairs import ANSWER, Pair, read_pairs
from ragassay.training.passages import digest_of, split

MOST_TOKENS = 1024
"""Tokens of a row; longer ones are left out, since what a question rests on may stand at the end."""
MOST_WRITTEN = 100
"""Held-out contexts that the finished writer is tried on."""
_MOST_NEW = 160
_PAIR = re.compile(rf"<<(\w+)>>\s*(\S.*?)\s*{ANSWER}\s*(\S.*)", re.DOTALL)


def train_writer(paths: Sequence[Path], job: Job, show: Callable[[Progress], None]) -> Fitted:
    """Trains on data sets, or on passages with pairs; writes a folder in peft's form, with the tokenizer."""
    prepare(job)
    notes = Notes()
    pairs, digest = read_pairs(paths, notes)
    training, held_out = split(pairs, job.options)
    transformers.set_seed(job.options.seed)
    base = _Base(job)
    rows = {pair: row for pair in (*training, *held_out) if len((row := base.row(pair))["input_ids"]) <= MOST_TOKENS}
    used = ([pair for pair in training if pair in rows], [pair for pair in held_out if pair in rows])
    if not used[0]:
        raise InputError(f"all pairs are longer than {MOST_TOKENS} tokens; give shorter contexts")
    notes.add(f"pairs left out: longer than {MOST_TOKENS} tokens", len(training) + len(held_out) - len(rows))
    sides = ([rows[pair] for pair in used[0]], [rows[pair] for pair in used[1]])
    fitted = fit(job, [base.identity, digest], base.model, sides, base.collate, show)
    tried = used[1][:MOST_WRITTEN]
    figures = figures_of(tried, base.write(tried)) if tried else {}
    figures |= {what: str(count) for what, count in notes.counts.items()}

    def write(place: Path) -> None:
        base.model.save_pretrained(place, save_embedding_layers=False)  # what was learned is in the adapter
        base.tokenizer.save_pretrained(place)

    facts = {"Base": f"`{base.identity}`", "Data (sha256)": f"`{digest}`"}
    return finish(job, fitted, figures, used, facts, write)


class _Base:
    """A model of transformers with its adapter and its tokenizer."""

    def __init__(self, job: Job) -> None:
        """Raises ModelError for a model that cannot be loaded, or has nothing that takes an adapter."""
        hush_hub()
        hush_transformers()
        config, self.tokenizer, model = _loaded(job.base)
        table = model.get_input_embeddings().weight.detach()
        self.identity = digest_of([config.to_json_string(), repr(table.sum().item()), repr(table.std().item())])
        self.is_seq2seq = bool(config.is_encoder_decoder)
        self.tokenizer.add_tokens([ANSWER])
        if len(self.tokenizer) > model.get_input_embeddings().num_embeddings:
            model.resize_token_embeddings(len(self.tokenizer))
        self._end = int(self.tokenizer.eos_token_id)
        if self.tokenizer.pad_token_id is None:
            self.tokenizer.pad_token = self.tokenizer.eos_token
        mark = [self.tokenizer.convert_tokens_to_ids(ANSWER)]
        tables = {id(model.get_input_embeddings().weight): model.get_input_embeddings()}
        tables.setdefault(id(model.get_output_embeddings().weight), model.get_output_embeddings())
        names = [name for name, module in model.named_modules() if any(module is table for table in tables.values())]
        try:
            self.model = peft.get_peft_model(
                model,
                peft.LoraConfig(
                    r=job.options.rank,
                    lora_alpha=job.options.alpha,
                    lora_dropout=0.0,
                    target_modules="all-linear",
                    trainable_token_indices=dict.fromkeys(names, mark),
                    task_type="SEQ_2_SEQ_LM" if self.is_seq2seq else "CAUSAL_LM",
                ),
            )
        except ValueError as error:
            raise ModelError(f"--base: peft cannot adapt {job.base!r}: {_first_line(error)}") from error

    def row(self, pair: Pair) -> Row:
        """Tokens of a pair. A causal base reads input and target as one text, and learns the target."""
        prompt, target = self.prompt(pair), [*self._encode(pair.target), self._end]
        if self.is_seq2seq:
            return {"input_ids": prompt, "labels": target}
        return {"input_ids": [*prompt, *target], "labels": [-100] * len(prompt) + target}

    def prompt(self, pair: Pair) -> list[int]:
        """Tokens of what the writer is given."""
        return self._encode(pair.input if self.is_seq2seq else f"{pair.input}\n", specials=True)

    def collate(self, rows: list[Row]) -> dict[str, torch.Tensor]:
        """Rows of a batch, padded on the right."""
        return dict(transformers.DataCollatorForSeq2Seq(self.tokenizer, self.model)(rows))

    def write(self, pairs: Sequence[Pair]) -> list[str]:
        """What the trained model writes for each context, greedily."""
        texts = []
        self.model.eval()
        for pair in pairs:
            ids = torch.tensor([self.prompt(pair)], device=self.model.device)
            with torch.no_grad():
                output = self.model.generate(
                    input_ids=ids,
                    attention_mask=torch.ones_like(ids),
                    max_new_tokens=_MOST_NEW,
                    do_sample=False,
                    pad_token_id=self.tokenizer.pad_token_id,
                    eos_token_id=self._end,
                )[0]
            new = output if self.is_seq2seq else output[ids.shape[1] :]
            texts.append(str(self.tokenizer.decode(new, skip_special_tokens=True)).strip())
        return texts

    def _encode(self, text: str, *, specials: bool = False) -> list[int]:
        ids: list[int] = self.tokenizer(text, add_special_tokens=specials, split_special_tokens=True)["input_ids"]
        return ids


def _loaded(name: str) -> tuple[Any, Any, Any]:
    try:
        config = transformers.AutoConfig.from_pretrained(name)
        tokenizer = transformers.AutoTokenizer.from_pretrained(name)
        auto = transformers.AutoModelForSeq2SeqLM if config.is_encoder_decoder else transformers.AutoModelForCausalLM
        model = auto.from_pretrained(name, dtype=torch.float32)
    except (OSError, ValueError, KeyError, ImportError) as error:
        raise ModelError(f"--base: transformers cannot load {name!r}: {_first_line(error)}") from error
    if tokenizer.eos_token_id is None:
        raise ModelError(f"--base: the tokenizer of {name!r} has no token that ends a text")
    return config, tokenizer, model


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0]


def figures_of(pairs: Sequence[Pair], texts: Sequence[str]) -> dict[str, str]:
    """Figures of what was written for the inputs of ``pairs``: form, label, words of the answer, variety."""
    matches = [_PAIR.fullmatch(text) for text in texts]
    found = [(pair, match) for pair, match in zip(pairs, matches, strict=True) if match]
    held = []
    for pair, match in found:
        context = set(map(str.casefold, words(pair.input)))
        said = [word.casefold() for word in words(match[3])]
        held.append(sum(word in context for word in said) / max(len(said), 1))
    questions = [match[2] for _, match in found]
    variety = [distinct(questions, n) for n in (1, 2)]
    return {
        "held-out contexts written for": str(len(pairs)),
        "written in the form '<<label>> question <a> answer'": f"{len(found) / len(pairs):.1%}",
        "with the label asked for": f"{sum(match[1] == pair.kind for pair, match in found) / len(pairs):.1%}",
        "answers' words that the context has": f"{sum(held) / len(held):.1%}" if held else "-",
        "distinct-1, distinct-2 of the questions": ", ".join("-" if v is None else f"{v:.2f}" for v in variety),
    }
