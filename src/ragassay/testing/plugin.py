"""The pytest plugin: a test for each example of a set, ``assert_score``, and a summary at the end.

pytest imports this module wherever Ragassay is installed, so nothing else is imported until it is used.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ragassay.models import EMBEDDED

if TYPE_CHECKING:
    from ragassay.testing.answers import AssertScore, ExampleSet

MARK = "ragassay"
_MODEL = "ragassay_model"
_SETS: pytest.StashKey[dict[Path, ExampleSet]] = pytest.StashKey()


def pytest_addoption(parser: pytest.Parser) -> None:
    """``--ragassay-model`` and the setting ``ragassay_model``."""
    words = "Model that judges in assert_score: embedded (default), or a name such as openai:gpt-4o-mini."
    parser.getgroup(MARK).addoption("--ragassay-model", metavar="MODEL", help=words)
    parser.addini(_MODEL, words, default=EMBEDDED)


def pytest_configure(config: pytest.Config) -> None:
    """Names the mark, and begins the summary."""
    from ragassay.testing.score_report import ScoreReport

    words = "ragassay(path, limit=None): run the test for each example of a set; the path counts from the test file"
    config.addinivalue_line("markers", words)
    config.pluginmanager.register(ScoreReport(), "ragassay.score_report")


def pytest_unconfigure(config: pytest.Config) -> None:
    """Closes the sets."""
    for each in config.stash.get(_SETS, {}).values():
        each.close()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """One test for each example of the set that the mark names."""
    mark = metafunc.definition.get_closest_marker(MARK)
    if mark is None:
        return
    if "example" not in metafunc.fixturenames:
        pytest.fail("@pytest.mark.ragassay: the test takes no argument named example; add one", pytrace=False)
    examples = _set_of(metafunc.definition, mark).examples[: _limit(mark)]
    metafunc.parametrize("example", examples, ids=[each.id for each in examples])


@pytest.fixture
def assert_score(request: pytest.FixtureRequest) -> AssertScore:
    """Scores one answer by one metric, keeps the value for the summary, and fails where it is out of bounds.

    assert_score(example, answer, "faithfulness", at_least=0.7)
    """
    from ragassay.testing.answers import AssertScore
    from ragassay.testing.score_report import PROPERTY

    properties = request.node.user_properties
    properties[:] = [each for each in properties if each[0] != PROPERTY]  # of an earlier try of the same test
    mark = request.node.get_closest_marker(MARK)
    model = request.config.getoption("--ragassay-model") or request.config.getini(_MODEL)
    return AssertScore(None if mark is None else _set_of(request.node, mark), model, properties)


def _set_of(item: pytest.Item, mark: pytest.Mark) -> ExampleSet:
    """The set of a mark, read once in each process."""
    from ragassay.errors import RagassayError
    from ragassay.testing.answers import read_set

    if len(mark.args) != 1 or not isinstance(mark.args[0], str | Path) or set(mark.kwargs) - {"limit"}:
        pytest.fail('@pytest.mark.ragassay: give the path of a set, such as ("set.jsonl", limit=20)', pytrace=False)
    sets = item.config.stash.setdefault(_SETS, {})
    path = item.path.parent / mark.args[0]
    try:
        if path not in sets:
            sets[path] = read_set(path)
    except RagassayError as error:
        raise pytest.fail.Exception(f"@pytest.mark.ragassay: {error}", pytrace=False) from None
    return sets[path]


def _limit(mark: pytest.Mark) -> int | None:
    limit = mark.kwargs.get("limit")
    if limit is not None and (not isinstance(limit, int) or limit < 1):
        pytest.fail(f"@pytest.mark.ragassay: limit must be at least 1, not {limit!r}", pytrace=False)
    return limit
