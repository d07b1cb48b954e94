"""A whole run on Chinese records and tables with no key: the mix is met, answers are judged, the report is readable."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from ragassay.pipeline.make.run_options import RunOptions
from ragassay.pipeline.run.run import Run, run
from ragassay.records import Example, Prediction, read_jsonl

MIX = {"fact_single": 0.5, "summary": 0.25, "reasoning": 0.25}


PLACES = "苏州 宁波 佛山 青岛 合肥 温州".split()
DEVICES = ("蓝鲸 K2 加湿器", "白露 T5 除湿机", "青松 H7 暖风机", "海燕 F3 风扇", "云雀 P9 净化器", "山雨 W4 水泵")


@pytest.fixture(scope="module")
def chinese(tmp_path_factory: pytest.TempPathFactory, ragassay_cache: Path) -> Run:
    """Six data sheets."""
    folder = tmp_path_factory.mktemp("chinese")
    documents = folder / "documents"
    documents.mkdir()
    for number, device in enumerate(DEVICES):
        (documents / f"{number}.md").write_text(
            f"# {device}\n\n- 型号：{device[3:5]}-{number}0\n- 产地：{PLACES[number]}\n"
            + f"- 重量：{3 + number}.5千克\n"
            + f"- 保质期：{12 + number}个月\n"
            + "\n## 性能\n\n| 项目 | 标准版 | 加强版 |\n| --- | --- | --- |\n"
            + f"| 额定功率 | {20 + number}W | {31 + number}W |\n| 运行噪声 | {40 + number}分贝 | {46 + number}分贝 |\n"
            + f"\n## 随附配件有哪些？\n\n{device}的箱内有一根电源线。另外还有一本第{number + 2}版的保修手册。\n",
            encoding="utf-8",
        )
    options: dict[str, Any] = {"documents": (documents,), "out": folder / "run", "n": 16, "mix": MIX, "processes": 1}
    return run(RunOptions(**options))


def test_the_mix_is_met_in_chinese(chinese: Run) -> None:
    examples = list(read_jsonl(chinese.folder / "examples.jsonl", Example))
    labels = Counter(example.verified_label for example in examples)
    assert labels == {"fact_single": 8, "summary": 4, "reasoning": 4}
    assert all(example.language == "zh" and example.question.endswith("？") for example in examples)
    assert all(bool(example.references) == bool(example.answer) for example in examples)


def test_chinese_questions_find_their_documents_and_are_answered(chinese: Run) -> None:
    examples = {example.id: example for example in read_jsonl(chinese.folder / "examples.jsonl", Example)}
    predictions = list(read_jsonl(chinese.folder / "predictions.jsonl", Prediction))
    facts = [one for one in predictions if examples[one.example_id].verified_label == "fact_single" and one.answer]
    held = sum(examples[one.example_id].answer in (one.answer or "") for one in facts)
    assert facts
    # Chunks of 256 characters hold a figure without its company, which eleven other documents have, too.
    assert held >= 0.5 * len(facts)


def test_the_report_shows_chinese_text(chinese: Run) -> None:
    page = (chinese.folder / "report.html").read_text(encoding="utf-8")
    example = next(iter(read_jsonl(chinese.folder / "examples.jsonl", Example)))
    assert example.question in page
