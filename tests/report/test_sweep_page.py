"""The page of a sweep: complete, harmless whatever names hold, and the same for the same sweep."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import zlib
from dataclasses import replace
from io import StringIO
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console
from selectolax.lexbor import LexborHTMLParser

from ragassay.metrics.catalogue import metric_named
from ragassay.rag.setting import Setting
from ragassay.records import Example, Prediction, RankedChunk
from ragassay.report.items import Items
from ragassay.report.page import script_sources
from ragassay.report.sweep_page import render_sweep
from ragassay.report.sweep_rows import apart
from ragassay.report.sweep_tables import print_plan, print_sweep
from ragassay.report.wording import setting_words
from ragassay.sweep.outcome import outcome
from ragassay.sweep.plan import PlanRow
from ragassay.sweep.search import Round
from ragassay.sweep.swept import Planned, Swept, Unanswered, summary_of
from ragassay.sweep.values import TOKENS_IN, TOKENS_OUT, SettingValues

LABELS = ["fact_single"] * 6 + ["summary"] * 6
HOSTILE = "<script>alert(1)</script>"


def swept(settings: list[Setting], *, missing: bool = False) -> Swept:
    recall, _ = metric_named("recall@5")
    random = np.random.default_rng(0)
    values = []
    for setting in settings:
        found = np.full(12, np.nan) if missing else random.integers(0, 2, 12).astype(float)
        columns = {"recall@5": found, TOKENS_IN: np.full(12, float(setting.chunk_size)), TOKENS_OUT: np.zeros(12)}
        values.append(SettingValues(setting, np.arange(12), columns, {}))
    return Swept(
        version="0",
        folder=Path("sweep"),
        planned=Planned(
            rows=(PlanRow(work=HOSTILE, alone=4, shared=2),),
            settings=tuple(settings),
            total=len(settings),
            rounds=(Round(np.arange(12), len(settings)),),
            questions=12,
            documents=3,
        ),
        outcome=outcome(values, LABELS, [recall], recall),
        deciding="recall@5",
        reused=0,
        reasons={f"recall@5: {HOSTILE}": 3},
    )


def test_the_page_shows_every_part_and_is_harmless() -> None:
    settings = [
        Setting(chunk_size=size, text_weight=weight, encoder=HOSTILE) for size in (256, 512) for weight in (0, 0.5, 1)
    ]
    page = render_sweep(swept(settings), {"dataset": HOSTILE})
    for words in ("Best settings", "By text weight", "Quality and tokens", "By chunk size", "What was shared"):
        assert words in page
    assert HOSTILE not in page
    assert page.count("<script>") == 1  # the page's own
    assert not re.search(r'(?:src|href)="(?!#)', page)  # nothing is loaded
    assert page == render_sweep(swept(settings), {"dataset": HOSTILE})


def test_the_values_of_both_figures_stand_in_tables() -> None:
    settings = [Setting(chunk_size=size, text_weight=weight) for size in (256, 512) for weight in (0, 0.5, 1)]
    found = swept(settings)
    page = LexborHTMLParser(render_sweep(found, {}, {"numpy": "2.4.6"}))
    rows = [[cell.text() for cell in row.css("th, td")] for row in page.css("#tokens tbody tr")]
    assert {name for _, name, *_ in rows} == {setting.name for setting in settings}
    assert {row[1] for row in rows if row[0] == "yes"} == {point.setting.name for point in found.outcome.front}
    assert {row[-2].split()[0] for row in rows} == {"256", "512"}
    sizes = [[cell.text() for cell in row.css("th")] for row in page.css("#size tbody tr")]
    assert [row[:2] for row in sizes[-2:]] == [["answerable", "256"], ["answerable", "512"]]
    assert "2.4.6" in page.css_first("#settings").text()


@pytest.mark.parametrize(
    ("generator", "said", "unsaid"),
    [
        ("none", "tokens of a question and its chunks", "written"),
        ("embedded", "tokens of a question, read and written", "and its chunks"),
    ],
)
def test_tokens_are_called_what_they_are(generator: str, said: str, unsaid: str) -> None:
    settings = [Setting(chunk_size=size, text_weight=0.5, generator=generator) for size in (256, 512)]
    given = swept(settings)
    page = LexborHTMLParser(render_sweep(given, {}))
    text = page.css_first("#tokens").text()
    assert said in text
    assert unsaid not in text
    assert "prompt and reply" not in text
    console = Console(record=True, width=200, file=StringIO())
    print_sweep(given, console)
    assert f"against {said}" in console.export_text()


def test_a_sweep_without_values_says_so() -> None:
    page = render_sweep(swept([Setting()], missing=True), {})
    assert "No setting has a value of recall@5." in page
    assert "Quality and tokens" not in page
    stopped = render_sweep(replace(swept([Setting()]), budget_reached="--max-calls 3 reached"), {})
    assert "Stopped: --max-calls 3 reached" in stopped


def test_settings_with_too_few_values_are_listed_with_the_reason() -> None:
    recall, _ = metric_named("recall@5")
    whole, failed = Setting(text_weight=0.0), Setting(text_weight=1.0)
    few = np.where(np.arange(12) == 3, 1.0, np.nan)
    values = [
        SettingValues(setting, np.arange(12), {"recall@5": of, TOKENS_IN: np.ones(12), TOKENS_OUT: np.zeros(12)}, why)
        for setting, of, why in (
            (whole, np.full(12, 0.5), {}),
            (failed, few, {"recall@5": {HOSTILE: range(10), "HTTP 503, 4 tries": [11]}}),
        )
    ]
    given = replace(swept([whole, failed]), outcome=outcome(values, LABELS, [recall], recall))
    page = LexborHTMLParser(render_sweep(given, {}))
    told = [[cell.text() for cell in row.css("th, td")] for row in page.css("#best table")[1].css("tbody tr")]
    assert told[-1] == ["answerable", failed.name, "1 of 12", f"{HOSTILE} (10); HTTP 503, 4 tries (1)"]
    assert failed.name not in page.css("#best table")[0].text()
    assert "Not eligible as best" not in render_sweep(swept([whole, failed]), {})
    summary = summary_of(given)
    assert [each["n"] for each in summary["uncovered"]] == [1, 0, 1]
    assert {each["reasons"]["HTTP 503, 4 tries"] for each in summary["uncovered"]} == {1}

    console = Console(record=True, width=200, file=StringIO())
    print_sweep(given, console)
    said = console.export_text()
    assert "Not eligible as best: they have recall@5 for less than 95 % of the questions" in said
    assert "1 of 12" in said
    assert "HTTP 503, 4 tries (1)" in said


def test_the_figure_marks_the_front_of_the_tables() -> None:
    """Two are equal in quality and tokens: the smaller text weight is on the front, though its name comes later."""
    recall, _ = metric_named("recall@5")
    settings = [Setting(text_weight=1.0), Setting(text_weight=0.5)]
    columns = {"recall@5": np.full(12, 0.5), TOKENS_IN: np.ones(12), TOKENS_OUT: np.zeros(12)}
    values = [SettingValues(each, np.arange(12), columns, {}) for each in settings]
    given = replace(swept(settings), outcome=outcome(values, LABELS, [recall], recall))
    assert [point.setting for point in given.outcome.front] == [settings[1]]
    page = LexborHTMLParser(render_sweep(given, {}))
    assert page.css_first("#tokens svg title").text().endswith("the front: raw_linear w=0.5")
    rows = [[cell.text() for cell in row.css("th")][:2] for row in page.css("#tokens tbody tr")]
    assert rows == [["yes", settings[1].name], ["no", settings[0].name]]


def test_all_rows_stand_on_the_page_and_in_the_terminal() -> None:
    settings = [
        Setting(chunk_size=size, text_weight=weight, encoder=HOSTILE) for size in (256, 512) for weight in (0, 1)
    ]
    given = swept(settings)
    written = LexborHTMLParser(render_sweep(given, {})).css_first("#results-data").text()
    data = json.loads(zlib.decompress(base64.b64decode(written)))
    names = [name for name, _ in data["settings"]]
    found = {}
    for number, group, values in data["rows"]:
        for (metric, _), numbers in zip(data["metrics"], values, strict=True):
            if numbers is not None:
                found[names[number], *data["groups"][group][:2], metric] = numbers
    expected = {(cell.setting.name, cell.by, cell.group, cell.metric): cell.estimate for cell in given.outcome.cells}
    assert found.keys() == expected.keys()
    for key, estimate in expected.items():
        value, low, high, n, total = found[key]
        wanted = (estimate.value, estimate.low, estimate.high)
        assert [value, low, high] == [None if each is None else pytest.approx(each, rel=1e-5) for each in wanted]
        assert (n, total) == (estimate.n, estimate.total)
    assert [group[1] for group in data["groups"] if group[2]] == ["answerable"]

    def said(**options: bool) -> str:
        console = Console(record=True, width=200, file=StringIO())
        print_sweep(given, console, **options)
        return console.export_text()

    assert "recall@5 of every setting, label answerable" in said()
    assert said().count("--all-rows") == 1
    assert "By label: summary" in said(all_rows=True)
    assert "tokens in" in said(all_rows=True)
    assert "--all-rows" not in said(all_rows=True)


def test_what_servers_left_unanswered_is_said() -> None:
    worst = Unanswered(setting=Setting(encoder=HOSTILE), n=9, unheard=2, questions=12)
    given = replace(swept([Setting()]), unanswered=(worst,))
    page = render_sweep(given, {})
    assert HOSTILE not in page
    said = f"{worst.setting.name}: something for 9 of 12 questions; nothing came back for 2, which"
    assert said in LexborHTMLParser(page).css_first("#plan").text().replace("\xa0", " ")
    console = Console(record=True, width=200, file=StringIO())
    print_sweep(given, console)
    assert f"Servers left something unanswered for 9 of 12 questions: {worst.setting.name}" in console.export_text()
    assert summary_of(given)["unanswered"] == [{"setting": worst.setting.name, "n": 9, "unheard": 2, "questions": 12}]


def test_without_a_best_setting_the_reason_is_said() -> None:
    recall, _ = metric_named("recall@5")
    values = []
    for weight, place in ((0.0, slice(0, 6)), (1.0, slice(6, 12))):
        of = np.full(12, np.nan)
        of[place] = 1.0
        columns = {"recall@5": of, TOKENS_IN: np.ones(12), TOKENS_OUT: np.zeros(12)}
        values.append(SettingValues(Setting(text_weight=weight), np.arange(12), columns, {}))
    settings = [each.setting for each in values]
    given = replace(swept(settings), outcome=outcome(values, ["summary"] * 12, [recall], recall))
    said = "No setting has a value of recall@5 for 95 % of the questions that have one: none is the best."
    assert said in render_sweep(given, {})
    console = Console(record=True, width=200, file=StringIO())
    print_sweep(given, console)
    assert said in console.export_text()


def test_numbers_agree_with_their_nouns() -> None:
    given = replace(swept([Setting()]), reasons={"recall@5: once": 1, "recall@5: twice": 2}, reused=1)
    console = Console(record=True, width=200, file=StringIO())
    print_sweep(given, console)
    print_plan(replace(given.planned, questions=1, documents=1), console)
    said = console.export_text()
    for words in ("No value, 1 time: recall@5: once", "No value, 2 times: recall@5: twice",
                  "1 setting was worked out before", "1 setting, 1 question, 1 document"):  # fmt: skip
        assert words in said


def test_ties_are_counted_and_the_cheapest_is_named() -> None:
    given = swept([Setting(chunk_size=size, text_weight=weight) for size in (256, 512) for weight in (0, 0.5, 1)])
    top = given.outcome.top
    assert top is not None
    said = "With these 12 questions, none of the 5 other settings can be distinguished from it."
    page = LexborHTMLParser(render_sweep(given, {}))
    lead = page.css_first(".lead").text()
    assert said in lead
    assert f"Recommended: {setting_words(top.ties.cheapest)}, the cheapest" in lead
    console = Console(record=True, width=300, file=StringIO())
    print_sweep(given, console)
    printed = console.export_text()
    assert said in printed
    assert f"Recommended: {top.ties.cheapest.name}, the cheapest" in printed
    best = summary_of(given)["best"]["answerable"]
    assert (best["cheapest_not_worse"], best["questions_needed"]) == (top.ties.cheapest.name, top.ties.needed)


def test_single_items_open_on_the_recommended_setting(examples: list[Example]) -> None:
    given = swept([Setting(text_weight=0.0), Setting(text_weight=1.0)])
    chunk = RankedChunk(chunk_id="c", document_id="d", start=0, end=9, score=1.0)
    predictions = [Prediction(example_id=examples[0].id, system=name, chunks=(chunk,)) for name in ("a", HOSTILE)]
    items = Items(examples[:1], predictions, text_of=lambda chunk: HOSTILE, recommended=HOSTILE)
    written = render_sweep(given, {}, items=items)
    page = LexborHTMLParser(written)
    data = json.loads(page.css_first("#items-data").text())
    assert (data["systems"], data["system"], len(data["rows"])) == (["a", HOSTILE], 1, 1)
    packed = json.loads(zlib.decompress(base64.b64decode(page.css_first("#items-details").text())))
    assert [each["system"] for each in packed["details"][0]["answers"]] == ["a", HOSTILE]
    assert HOSTILE not in written
    assert page.css_first("nav a[href='#items']") is not None
    script = page.css("script")[-1].text()
    policy = page.css_first("meta[http-equiv]").attributes["content"] or ""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert digest in policy
    assert digest in script_sources()
    assert "items-table" not in render_sweep(given, {}).partition("</main>")[0]


def test_names_are_cut_to_what_sets_them_apart() -> None:
    assert apart(["512 dense top 3", "512 lexical top 3"]) == ["dense", "lexical"]
    assert apart(["256 dense top 3", "512 dense top 3"]) == ["256", "512"]
    assert apart(["512 dense", "512 dense late"]) == ["dense", "dense late"]
    assert apart(["512 dense"]) == ["512 dense"]
    assert apart([]) == []
