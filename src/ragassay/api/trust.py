"""How far to believe a judge: measured against people, and against itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ragassay.api.models import Model, models_of

if TYPE_CHECKING:
    from pandas import DataFrame

    from ragassay.pipeline.asking.model_options import ModelOptions
    from ragassay.pipeline.data.agreeing import Agreement
    from ragassay.pipeline.judge.check import JudgeCheck, JudgeRepeat
    from ragassay.pipeline.judge.check_options import JudgeCheckOptions


def check_judge(
    data: str | Path | None = None,
    *,
    claims: bool = False,
    quality: str | None = None,
    model: Model = "embedded",
    models: ModelOptions | None = None,
    blocks: str | Path | None = None,
    out: str | Path | None = None,
    seed: int = 0,
) -> JudgeCheck:
    """Measures a judge on what people have compared or rated, as ``ragassay judge check`` does.

    data: JSONL file of pairs, comparisons, rated answers or claims; None for the set that comes with the package.
    claims: take the claims that come with the package where there is no file. quality: one of faithfulness,
    answer_relevance, context_relevance, preference, truthfulness; None for all that the lines say.
    model: who judges, by name; models: the same with all that can be set about it. blocks: file of knowledge blocks.
    out: folder for values, figures and the log of calls. seed: of intervals, the random control and ties of rankings.
    Raises ragassay.errors.RagassayError with one clear sentence for input that cannot be used.
    """
    from ragassay.pipeline.judge.check import check_judge as check

    return check(replace(_judge_check_options(data, quality, model, models, blocks, out, seed), claims=claims))


def repeat_judge(
    data: str | Path | None = None,
    *,
    quality: str | None = None,
    model: Model = "embedded",
    models: ModelOptions | None = None,
    blocks: str | Path | None = None,
    out: str | Path | None = None,
    seed: int = 0,
) -> JudgeRepeat:
    """Asks a judge the same twice and sets the values against each other, as ``ragassay judge repeat`` does.

    The arguments are those of ``check_judge``.
    """
    from ragassay.pipeline.judge.check import repeat_judge as repeat

    return repeat(_judge_check_options(data, quality, model, models, blocks, out, seed))


def _judge_check_options(
    data: str | Path | None,
    quality: str | None,
    model: Model,
    models: ModelOptions | None,
    blocks: str | Path | None,
    out: str | Path | None,
    seed: int,
) -> JudgeCheckOptions:
    from ragassay.agreement.check_items import parse_quality
    from ragassay.pipeline.judge.check_options import JudgeCheckOptions

    return JudgeCheckOptions(
        data=None if data is None else Path(data),
        quality=None if quality is None else parse_quality(quality),
        blocks=None if blocks is None else Path(blocks),
        models=models_of(model, models),
        out=None if out is None else Path(out),
        seed=seed,
    )


def read_annotations(paths: str | Path | Sequence[str | Path]) -> DataFrame:
    """Judgements of people as a data frame: subject_id, annotator, task, value, note.

    paths: folders of `ragassay annotate`, .jsonl or .csv files.
    Raises ragassay.errors.RagassayError with one clear sentence for files that cannot be used, and without pandas.
    """
    from ragassay.pipeline.data.agreeing import annotations_in

    return annotations_in([Path(path) for path in ([paths] if isinstance(paths, str | Path) else paths)])


def agree(
    annotations: str | Path | Sequence[str | Path],
    *,
    against: str | Path | None = None,
    metric: str | None = None,
    task: str | None = None,
    kept_from: float = 4.0,
    seed: int = 0,
) -> Agreement:
    """Agreement of people, and of a judge with them, as ``ragassay agree`` does: ``result["label"]``, ``to_pandas()``.

    annotations: folders of `ragassay annotate`, .jsonl or .csv files. against: what the judge said: a data set, a run
    folder or a file of scores. metric: the score that is set against people's ratings and preferences. task: only this
    one. kept_from: the rating from which people are taken to keep an item.
    Raises ragassay.errors.RagassayError with one clear sentence for files that cannot be used.
    """
    from ragassay.pipeline.data.agreeing import agree_on

    paths = [annotations] if isinstance(annotations, str | Path) else annotations
    return agree_on(
        [Path(path) for path in paths],
        against=None if against is None else Path(against),
        metric=metric,
        task=task,
        kept_from=kept_from,
        seed=seed,
    )
