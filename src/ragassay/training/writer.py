"""``ragassay train writer``: an adapter that writes questions."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Callable, Sequence
from pathlib import Path

import torch

from ragassay.errors import RunFolderError
from ragassay.training.adapter_file import write_tensors
from ragassay.training.built_in import BuiltIn, adapter_tensors, load_built_in
from ragassay.training.checkpoint import Checkpoints
from ragassay.training.encoding import encode_items
from ragassay.training.hold_out import split
from ragassay.training.items import TextItem
from ragassay.training.llama import Llama
from ragassay.training.loop import Progress, Trained, Trainer
from ragassay.training.names import grounded, own_names, renamed
from ragassay.training.options import TrainOptions
from ragassay.training.pairs import read_pairs
from ragassay.training.trainable import PackedLlama, best_device


def train_writer(
    pairs: Sequence[Path], out: Path, options: TrainOptions, *, command: str, show: Callable[[Progress], None]
) -> Trained:
    """Trains, and writes the adapter to ``out`` and a log beside it. command: for the record."""
    options.check()
    if out.exists():
        raise RunFolderError(f"{out} is there already; choose another --out, or delete it")
    out.parent.mkdir(parents=True, exist_ok=True)
    read = read_pairs(pairs)
    names = own_names(read.items)
    items = [each for each in (grounded(each, names.get(each.source, ())) for each in read.items) if each.branches]
    parts = split(items, options)
    if options.threads:
        torch.set_num_threads(options.threads)
    base = load_built_in()
    model = _model(base, options)

    # The same names in every epoch: the other items have others, and what a step computes can be kept for the next epoch.
    training = encode_items(_renamed(parts.training, names, options.seed), base.encode, base.end)
    trainer = Trainer(
        PackedLlama(model, base.padding, best_device()),
        training,
        encode_items(parts.held_out, base.encode, base.end),
        options,
        checkpoints := Checkpoints(out, _identity(read.sha256, base.sha256, options)),
        out.with_name(out.name + ".log.jsonl"),
        show,
    )
    trained = trainer.run()
    write_tensors(
        out,
        adapter_tensors(model),
        {
            "format": "ragassay-adapter",
            "version": "1",
            "base": base.sha256,
            "task": "writer",
            "rank": str(options.rank),
            "alpha": f"{options.alpha:g}",
            "seed": str(options.seed),
            "data_sha256": read.sha256,
            "command": command,
        },
    )
    checkpoints.remove()
    return trained


def _model(base: BuiltIn, options: TrainOptions) -> Llama:
    first = base.shape.layers // 2 if options.first_layer is None else options.first_layer
    return Llama(
        base.weights,
        base.shape,
        first=first,
        rank=options.rank,
        alpha=options.alpha,
        labels=0,
        seed=options.seed,
        device=best_device(),
    )


def _renamed(items: Sequence[TextItem], names: dict[str, tuple[str, ...]], seed: int) -> list[TextItem]:
    return [renamed(each, names.get(each.source, ()), random.Random(f"{each.id} {seed}")) for each in items]


def _identity(data: str, base: str, options: TrainOptions) -> str:
    text = json.dumps([data, base, options.deciding()], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()
