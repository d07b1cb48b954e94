"""How far to believe a judge: measured against people, and against itself."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ragassay.remote import with_remote_paths

if TYPE_CHECKING:
    from pandas import DataFrame

    from ragassay.pipeline.data.agree import Agreement
    from ragassay.pipeline.judge.check import JudgeReport


@with_remote_paths("data", "blocks", "out")
def check_judge(data: str | Path | None = None, **settings: Any) -> JudgeReport:
    """Measure a judge on what people have compared or rated, as ``ragassay judge check`` does.

    data: JSONL file of pairs, comparisons, rated answers or claims; None for the set that comes with the package.
    settings: options of the command with underscores, such as quality="faithfulness", claims=True or model=..., as for
    ``evaluate``; or ``models``, with all of them.
    Raises ragassay.errors.RagassayError with one clear sentence for input that cannot be used.
    """
    from ragassay.options import read_settings_of
    from ragassay.pipeline.judge.check import check_judge as check
    from ragassay.pipeline.judge.options import JudgeOptions

    return check(read_settings_of(JudgeOptions, {"data": data, **settings}))


@with_remote_paths("data", "blocks", "out")
def repeat_judge(data: str | Path | None = None, **settings: Any) -> JudgeReport:
    """Ask a judge the same twice and set the values against each other, as ``ragassay judge repeat`` does.

    The arguments are those of ``check_judge``.
    """
    from ragassay.options import read_settings_of
    from ragassay.pipeline.judge.check import repeat_judge as repeat
    from ragassay.pipeline.judge.options import JudgeOptions

    return repeat(read_settings_of(JudgeOptions, {"data": data, **settings}))


def read_annotations(paths: str | Path | Sequence[str | Path]) -> DataFrame:
    """Judgements of people as a data frame: subject_id, annotator, task, value, note.

    paths: folders of `ragassay annotate`, .jsonl or .csv files.
    Raises ragassay.errors.RagassayError with one clear sentence for files that cannot be used, and without pandas.
    """
    from ragassay.pipeline.data.agree import annotations_in

    return annotations_in([Path(path) for path in ([paths] if isinstance(paths, str | Path) else paths)])


def agree(annotations: str | Path | Sequence[str | Path], **settings: Any) -> Agreement:
    """Agreement of people, and of a judge with them, as ``ragassay agree`` does: ``result["label"]``.

    annotations: folders of `ragassay annotate`, .jsonl or .csv files. settings: options of the command with
    underscores, such as against="runs/first", metric="faithfulness" or task="quality".
    Raises ragassay.errors.RagassayError with one clear sentence for files that cannot be used.
    """
    from ragassay.options import read_settings_of
    from ragassay.pipeline.data.agree import AgreeOptions, agree_on

    return agree_on(read_settings_of(AgreeOptions, {"annotations": annotations, **settings}))
