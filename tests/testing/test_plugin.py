"""The pytest plugin: a test for each example, single answers asserted, one summary; nothing for those who use none."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

# What a test session imports within this process must still be there when it has ended.
import ragassay.jobs.score.score
import ragassay.testing.answers
from ragassay.datasets.foreign import example_of
from ragassay.records import Span, write_jsonl

pytest_plugins = "pytester"
PLUGIN = ("-p", "ragassay.testing.plugin", "-p", "no:cacheprovider")

ROWS = [
    {"user_input": "Which colour is the lamp?", "reference": "red", "reference_contexts": ["The lamp is red."]},
    {"user_input": "How long is the quay?", "reference": "412 m", "reference_contexts": ["The quay is 412 m long."]},
    {"user_input": "Who runs the ferry?", "reference": "Ines", "reference_contexts": ["Ines runs the ferry."]},
]
TESTS = """
import pytest

ANSWERS = {
    "Which colour is the lamp?": {"answer": "red", "contexts": ["The lamp is red."]},
    "How long is the quay?": {"answer": "12 m", "contexts": ["Ines runs the ferry."]},
    "Who runs the ferry?": {"answer": "Ines", "contexts": ["Ines runs the ferry."]},
}

@pytest.mark.ragassay("set.jsonl")
def test_answer(example, assert_score):
    answer = ANSWERS[example.question]
    assert assert_score(example, answer, "token_f1", at_least=.4) in (0.5, 1)
    assert_score(example, answer, "recall@1", at_least=1)
"""


@pytest.fixture
def project(pytester: pytest.Pytester) -> pytest.Pytester:
    lines = "".join(json.dumps(row) + "\n" for row in ROWS)
    (pytester.path / "set.jsonl").write_text(lines, "utf-8")
    return pytester


def of_test(
    project: pytest.Pytester, body: str, mark: str = '"set.jsonl", limit=1', before: str = ""
) -> pytest.RunResult:
    """A session with one test. before: what stands before it."""
    project.makepyfile(
        f"import pytest\n{before}\n@pytest.mark.ragassay({mark})\ndef test_answer(example, assert_score):\n    {body}\n"
    )
    return project.runpytest_inprocess(*PLUGIN)


def test_each_example_is_a_test_and_scores_are_summed_up(project: pytest.Pytester) -> None:
    project.makepyfile(TESTS)
    found = project.runpytest_inprocess(*PLUGIN)
    found.assert_outcomes(passed=2, failed=1)
    # token_f1 of "12 m" with "412 m": one word of two, so 1/2; the mean of 1, 1/2, 1 is 5/6
    found.stdout.re_match_lines(
        [
            r"E +AssertionError: recall@1 is 0.000, not at least 1",
            r"E +question: How long is the quay\?",
            r"=+ ragassay scores =+",
            r"metric +mean +95 % interval +scored +out of bounds",
            r"token_f1 +0.833 +0\.\d\d–0\.\d\d +3 of 3 +0$",
            r"recall@1 +0.667 +0\.\d\d–0\.\d\d +3 of 3 +1$",
        ]
    )


def test_workers_hand_their_scores_over(project: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(ragassay.__file__).parents[1]))
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    project.makepyfile(TESTS)
    found = project.runpytest_subprocess(*PLUGIN, "-p", "xdist", "-n", "1", "--junitxml=out.xml")
    found.assert_outcomes(passed=2, failed=1)
    found.stdout.re_match_lines([r"token_f1 +0.833 .*3 of 3 +0", r"recall@1 +0.667 .*3 of 3 +1"])
    assert "token_f1" in (project.path / "out.xml").read_text("utf-8")


def test_what_has_no_value_fails_with_its_reason_and_counts(project: pytest.Pytester) -> None:
    found = of_test(project, 'assert_score(example, "", "faithfulness", at_least=.4)')
    found.assert_outcomes(failed=1)
    found.stdout.re_match_lines(
        [r"E +AssertionError: faithfulness has no value \(.+\)", r"faithfulness +none +none +0 of 1 +1"]
    )


def test_what_the_example_lacks_is_a_reason(project: pytest.Pytester) -> None:
    found = of_test(project, 'assert_score(example, "red", "completeness", at_least=.4)')
    found.stdout.re_match_lines(
        [r"E +AssertionError: completeness has no value \(.*keypoints", r"completeness .* 0 of 1 +1"]
    )


def test_another_judge(project: pytest.Pytester) -> None:
    """Whom the test names is asked, in the place of the embedded model, which would say 1."""
    body = """
    calls = []
    def judge(prompt):
        calls.append(prompt)
        return '{"verdicts": [{"verdict": "no", "reason": "told so"}]}'
    answer = {"answer": "The lamp is red.", "contexts": ["The lamp is red."]}
    with pytest.raises(AssertionError):
        assert_score(example, answer, "faithfulness", at_least=.9, model=judge)
    assert calls
    """
    of_test(project, body.strip()).assert_outcomes(passed=1)


def test_a_metric_of_ones_own(project: pytest.Pytester) -> None:
    """Its range and direction bound what can be asked for."""
    body = """
    import ragassay
    @ragassay.metric(range=(0, 9), higher_is_better=False)
    def words(answer):
        return len(answer.split())
    assert assert_score(example, "very red", words, at_most=2) == 2
    with pytest.raises(pytest.fail.Exception, match="low values of words are the good ones; use at_most"):
        assert_score(example, "very red", words, at_least=1)
    with pytest.raises(pytest.fail.Exception, match="the bound of words must be between 0 and 9, not 10"):
        assert_score(example, "very red", words, at_most=10)
    with pytest.raises(pytest.fail.Exception, match="must be one metric, not 2"):
        assert_score(example, "very red", [words, "token_f1"], at_most=2)
    """
    found = of_test(project, body.strip())
    found.assert_outcomes(passed=1)
    found.stdout.re_match_lines([r"words +2.000 .* 1 of 1 +0"])


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ('example, "a", "token_f1"', "give a bound for token_f1, such as at_least=0.7"),
        ('example, "a", "beauty", at_least=.5', "unknown metric 'beauty'"),
        ('example, "a", "token_f1", at_least=7', "the bound of token_f1 must be between 0 and 1, not 7"),
        ('example, "a", "token_f1", at_most=.7', "high values of token_f1 are the good ones; use at_least"),
        ('example, 7, "token_f1", at_least=.5', "the reply has a number, but no answer"),
        ('{"question": "?"}, "a", "token_f1", at_least=.5', "example: must be an Example, as the mark gives them"),
    ],
)
def test_what_cannot_be_asserted(project: pytest.Pytester, call: str, said: str) -> None:
    found = of_test(project, f"assert_score({call})")
    found.assert_outcomes(failed=1)
    found.stdout.fnmatch_lines([f"assert_score: *{said}*"])


@pytest.mark.parametrize(
    ("mark", "said"),
    [
        ('"nowhere.jsonl"', "*nowhere.jsonl does not exist; give the path of a set, counted from the test file"),
        ('"empty.jsonl"', "*empty.jsonl is empty"),
        ('"set.jsonl", limit=0', "limit must be at least 1, not 0"),
        ("", 'give the path of a set, such as ("set.jsonl", limit=20)'),
        ('"set.jsonl", most=3', 'give the path of a set, such as ("set.jsonl", limit=20)'),
    ],
)
def test_what_is_no_set(project: pytest.Pytester, mark: str, said: str) -> None:
    (project.path / "empty.jsonl").touch()
    found = of_test(project, "pass", mark)
    assert found.ret == pytest.ExitCode.INTERRUPTED
    found.stdout.fnmatch_lines([f"*@pytest.mark.ragassay: {said}"])


def test_a_test_without_example_is_told(project: pytest.Pytester) -> None:
    project.makepyfile('import pytest\n\n@pytest.mark.ragassay("set.jsonl")\ndef test_answer():\n    pass\n')
    found = project.runpytest_inprocess(*PLUGIN)
    found.stdout.fnmatch_lines(["*the test takes no argument named example; add one"])


def test_who_does_not_use_it_loads_nothing(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text("def test_it(): pass\n", "utf-8")
    code = (
        "import pytest, sys\n"
        f"assert pytest.main(['-p', 'no:cacheprovider', '-p', 'ragassay.testing.plugin', {str(tmp_path)!r}]) == 0\n"
        "print(sorted({'numpy', 'pydantic', 'rich', 'typer', 'onnxruntime', 'asyncio'} & set(sys.modules)))\n"
        "print([each for each in sys.modules if each.startswith(('ragassay.jobs', 'ragassay.records'))])\n"
    )
    environment = {
        **os.environ,
        "PYTHONPATH": str(Path(ragassay.__file__).parents[1]),
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        "PYTEST_ADDOPTS": "",
    }
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, env=environment, cwd=tmp_path
    )
    assert done.stdout.splitlines()[-2:] == ["[]", "[]"], done.stdout + done.stderr


def test_unanswerable_questions_are_asserted_by_abstention_alone(project: pytest.Pytester) -> None:
    context = Span(document_id="d", start=0, end=16, text="The lamp is red.")
    example = example_of(origin="by hand", question="Who made the lamp?", example_id="q", context=context)
    write_jsonl(project.path / "set.jsonl", [replace(example, requested_label="unanswerable")])
    (project.path / "reply.py").write_text("REPLY = {'answer': 'I do not know.', 'contexts': ['Nobody came.']}")
    project.makepyfile(
        """
        import pytest
        from reply import REPLY

        @pytest.mark.ragassay("set.jsonl")
        def test_refusal(example, assert_score):
            assert assert_score(example, REPLY, "abstention_recall", at_least=1) == 1

        @pytest.mark.ragassay("set.jsonl")
        def test_answers(example, assert_score):
            assert_score(example, REPLY, "recall@3", at_least=1)
        """
    )
    project.runpytest_inprocess(*PLUGIN, "-rs").assert_outcomes(passed=1, skipped=1)


def test_scores_of_an_earlier_try_are_forgotten(project: pytest.Pytester) -> None:
    project.makeconftest(
        "from _pytest.runner import runtestprotocol\n\ndef pytest_runtest_protocol(item, nextitem):\n"
        "    for _ in range(2):\n        item._initrequest()\n        runtestprotocol(item, nextitem=nextitem)\n"
        "    return True\n"
    )
    body = """
    if tries.append(1) or len(tries) == 1:
        assert_score(example, "blue", "exact_match", at_least=0)
        assert_score(example, "blue", "token_f1", at_least=1)
    assert_score(example, "red", "token_f1", at_least=1)
    """
    found = of_test(project, body.strip(), before="tries = []")
    found.assert_outcomes(passed=1, failed=1)
    found.stdout.re_match_lines([r"token_f1 +1.000 .* 1 of 1 +0$"])
    found.stdout.no_re_match_line("exact_match +0")


def test_a_chunk_that_holds_two_quotes_is_right_for_both_questions(project: pytest.Pytester) -> None:
    """The quotes are the only documents of a CSV: a chunk must not be put into the longest one alone."""
    both = "A lease runs for 36 months. The monthly rate includes insurance and one service a year."
    rows = "".join(f'Q{number}?,yes,"{quote}"\n' for number, quote in enumerate(both.split(". ")))
    (project.path / "own.csv").write_text(f"question,answer,context\n{rows}", "utf-8")
    body = f'assert_score(example, {{"answer": "yes", "contexts": ["{both}"]}}, "recall@1", at_least=1)'
    of_test(project, body, '"own.csv"').assert_outcomes(passed=2)
