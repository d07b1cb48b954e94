"""The page of a run: complete without script, loads nothing, and shows hostile text as text."""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import replace
from itertools import pairwise

import pytest
from selectolax.lexbor import LexborHTMLParser, LexborNode

from ragassay.evaluation.estimate import Estimate
from ragassay.records import Example, Span
from ragassay.report.html import render_report
from ragassay.report.summary import CompositionFigures, RunSummary

SECTIONS = (
    "made critiques examples best weights size tokens metrics answers worst results items documents cost reading "
    "settings"
).split()
FETCHES = ("src", "srcset", "data", "action", "formaction", "poster", "background", "ping", "xlink:href")
ELEMENTS = (
    "html head meta title style body a header p span h1 h2 h3 strong b i small dl div dt dd nav ul ol li main section "
    "figure figcaption svg path text rect polyline circle desc details summary table caption thead tbody tr th td "
    "mark q bdi script"
).split()


@pytest.fixture(scope="module")
def page(summary: RunSummary, examples: list[Example]) -> LexborHTMLParser:
    return LexborHTMLParser(render_report(summary, examples))


@pytest.fixture(scope="module")
def hostile_page(hostile: tuple[RunSummary, list[Example]]) -> str:
    return render_report(*hostile)


def elements(tree: LexborHTMLParser) -> list[LexborNode]:
    return list(tree.css("*"))


def one_text(tree: LexborHTMLParser, selector: str) -> str:
    """The text of the first match, every run of white space as one space."""
    (node, *_) = tree.css(selector)
    return " ".join(node.text().split())


def test_all_sections_are_there_and_the_navigation_leads_to_them(page: LexborHTMLParser) -> None:
    assert [node.attributes["id"] for node in page.css("main > section")] == SECTIONS
    assert [node.attributes["href"] for node in page.css("nav a")] == [f"#{name}" for name in SECTIONS]


def test_the_headline_names_the_best_setting_with_interval_and_n(page: LexborHTMLParser) -> None:
    assert one_text(page, "h1") == "39 questions from 34 documents, best recall@5 0.880"
    lead = one_text(page, ".lead")
    assert "min-max linear fusion at text weight 0.5, chunks of 1 024 characters" in lead
    assert "recall@5 0.880 (95 % interval 0.77–0.99, n = 39)" in lead
    assert "best of 42 settings" in lead
    assert [node.text() for node in page.css(".verdicts dt")] == ["fact_single", "summary", "reasoning"]


def test_headings_descend_one_level_at_a_time(page: LexborHTMLParser) -> None:
    levels = [int(node.tag[1]) for node in page.css("h1, h2, h3, h4")]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))


def test_tables_have_captions_and_scopes_and_rows_of_one_width(page: LexborHTMLParser) -> None:
    for table in page.css("table"):
        assert table.css("caption"), table.html
        assert all(head.attributes.get("scope") for head in table.css("th")), table.html
        widths = {
            sum(int(cell.attributes.get("colspan") or 1) for cell in row.css("th, td")) for row in table.css("tr")
        }
        assert len(widths) == 1, table.html


def test_figures_have_a_text_alternative_and_their_values_in_a_table(page: LexborHTMLParser) -> None:
    identities = {node.attributes["id"] for node in page.css("[id]")}
    drawings = page.css('svg[role="img"]')
    # two of labels, critiques, strategies, four panels of each of two figures, and quality against tokens
    assert len(drawings) == 13
    for drawing in drawings:
        assert set((drawing.attributes["aria-labelledby"] or "").split()) <= identities
    for figure in page.css("figure"):
        assert figure.css("details.data table") or re.search("in the table (above|below)", figure.text())
    assert all(node.attributes.get("aria-hidden") or node.attributes.get("role") for node in page.css("svg"))


def test_labels_are_stacked_as_asked_for_delivered_and_given(page: LexborHTMLParser, summary: RunSummary) -> None:
    labels, given = (figure.css_first("desc").text() for figure in page.css("#made figure"))
    assert labels == (
        "asked for: fact_single 16, summary 12, reasoning 8, unanswerable 4; "
        "delivered: fact_single 16, summary 12, reasoning 7, unanswerable 4"
    )
    row = summary.composition.matrix["reasoning"]
    assert f"reasoning: fact_single {row['fact_single']}, summary {row['summary']}, reasoning 40" in given
    assert [node.text() for node in page.css_first("#made figure").css("svg text.inside")[:4]] == [
        "40 %",
        "30 %",
        "20 %",
        "10 %",
    ]


def test_the_versions_of_the_making_are_listed(summary: RunSummary, examples: list[Example]) -> None:
    versions = {"ragassay": "0.0.9", "Python": "3.11.2", "sentence encoder": "<b>x</b>"}
    tree = LexborHTMLParser(render_report(summary, examples, versions=versions))
    made_with = tree.css("#settings dl")[1]
    listed = {name.text(): value.text() for name, value in zip(made_with.css("dt"), made_with.css("dd"), strict=True)}
    assert listed == {**versions, "report made by": f"ragassay {summary.version}"}


def test_ids_are_unique(page: LexborHTMLParser) -> None:
    identities = [node.attributes["id"] for node in page.css("[id]")]
    assert len(identities) == len(set(identities))


def test_references_are_marked_inside_their_context(page: LexborHTMLParser, examples: list[Example]) -> None:
    context = page.css("#examples dd.context")[0]
    assert [mark.text() for mark in context.css("mark")] == [examples[0].references[0].text]
    assert context.text().strip() == examples[0].context.text


def test_the_worst_questions_show_what_was_retrieved_and_mark_references(page: LexborHTMLParser) -> None:
    worst = one_text(page, "#worst")
    assert "reasoning; its reference was not retrieved" in worst
    assert "summary; first chunk with its reference in place 8" in worst
    assert [mark.text() for mark in page.css("#worst mark")] == ["Bookings close two hours before departure."]


def test_a_missing_value_has_its_reason_and_a_partial_one_its_coverage(page: LexborHTMLParser) -> None:
    cells = [" ".join(node.text().split()) for node in page.css("#metrics td.missing")]
    assert cells == ["– none of 4 scored"] * 3
    assert "38 of 39" in one_text(page, "#metrics")


def test_what_a_reader_took_of_such_questions_is_said_where_they_are_shown(
    summary: RunSummary, examples: list[Example]
) -> None:
    shown = LexborHTMLParser(render_report(summary, examples))
    assert "a strict reader found" in one_text(shown, "#examples")
    other = replace(summary, model="openai:gpt-4o; judge: embedded (x); answers: embedded (x)")
    assert "a strict reader found" not in render_report(other, examples)


def test_the_embedded_model_is_explained_only_where_it_was_used(summary: RunSummary, examples: list[Example]) -> None:
    assert "No language model took part" in render_report(summary, examples)
    other = render_report(replace(summary, model="openai: some-model"), examples)
    assert "embedded model" not in other
    assert "No language model took part" not in other


SMALL = "SmolLM2-135M-Instruct with verifier 03498b98"


@pytest.mark.parametrize(
    ("model", "said", "unsaid"),
    [
        ("embedded (x)", ["No language model took part"], ["verifier"]),
        (f"embedded (x, {SMALL})", ["The verifier", "Questions come from rules"], ["No language model"]),
        (
            f"SmolLM2-135M-Instruct with writer 99999999, beside embedded (x, {SMALL}); judge: embedded (x, {SMALL}); "
            f"answers: embedded (x, {SMALL})",
            ["The verifier", "an adapter of the user’s own"],
            ["No language model", "went to their servers"],
        ),
    ],
)
def test_the_embedded_model_is_called_what_it_is(
    model: str, said: list[str], unsaid: list[str], summary: RunSummary, examples: list[Example]
) -> None:
    text = one_text(LexborHTMLParser(render_report(replace(summary, model=model), examples)), "#reading")
    assert "The embedded model: what it is and is not" in text
    assert all(words in text for words in said)
    assert not any(words in text for words in unsaid)
    assert "picked from the retrieved chunks, not written" in text


@pytest.mark.parametrize(
    "model",
    ["openai:gpt-4o-mini", "embedded (x); judge: openai:gpt-4o-mini; answers: embedded (x)"],
)
def test_models_on_servers_are_explained_where_one_took_part(
    model: str, summary: RunSummary, examples: list[Example]
) -> None:
    text = one_text(LexborHTMLParser(render_report(replace(summary, model=model), examples)), "#reading")
    assert "Models on servers: what to keep in mind" in text
    assert "The embedded model: what it is" not in text


def test_the_policy_allows_exactly_the_style_and_script_of_the_page(page: LexborHTMLParser) -> None:
    (meta,) = page.css('meta[http-equiv="Content-Security-Policy"]')
    policy = meta.attributes["content"] or ""
    assert policy.startswith("default-src 'none';")
    assert "unsafe" not in policy
    for tag in ("style", "script:not([type])"):
        (node,) = page.css(tag)
        digest = base64.b64encode(hashlib.sha256(node.text().encode()).digest()).decode()
        assert f"{node.tag}-src 'sha256-{digest}'" in policy


@pytest.mark.parametrize("which", ["plausible", "hostile"])
def test_nothing_is_loaded_and_nothing_runs_but_our_script(
    which: str, summary: RunSummary, examples: list[Example], hostile_page: str
) -> None:
    tree = LexborHTMLParser(hostile_page if which == "hostile" else render_report(summary, examples))
    assert {node.tag for node in elements(tree)} <= {*ELEMENTS, "-comment", "line"}
    for node in elements(tree):
        for name, value in node.attributes.items():
            assert name not in FETCHES, node.html
            assert not name.startswith("on"), node.html
            assert name != "style", node.html  # the policy would block it
            assert name != "href" or (value or "").startswith("#"), node.html
    (style,) = tree.css("style")
    assert "url(" not in style.text()
    assert "@import" not in style.text()


def test_hostile_text_is_shown_letter_by_letter(hostile_page: str, hostile: tuple[RunSummary, list[Example]]) -> None:
    tree = LexborHTMLParser(hostile_page)
    reason = tree.css("#made td.prose")[0].text()
    assert reason.startswith("</script></style></title></textarea><script>alert(1)</script><img src=x onerror=")
    assert "{{ 7 * 7 }} {% raw %} <!-- ]]> &lt;b&gt; [red]markup[/red]" in reason
    assert "⟨U+001B⟩[31m⟨U+0000⟩⟨U+0007⟩ ⟨U+202E⟩gnp.exe⟨U+2066⟩ ⟨U+D800⟩ ⟨U+FEFF⟩" in reason
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]", hostile_page)
    assert len(hostile_page.encode("utf-8")) < 600_000


def test_two_hundred_examples_stay_below_800_kb(summary: RunSummary, many_examples: list[Example]) -> None:
    long = [
        replace(
            example,
            context=Span(document_id="doc-1", start=0, end=40_000, text="It sails at noon. " * 2222 + "Yes."),
            references=(Span(document_id="doc-1", start=18_000, end=18_017, text="It sails at noon."),),
        )
        for example in many_examples
    ]
    text = render_report(summary, long)
    assert len(text.encode("utf-8")) < 800_000
    tree = LexborHTMLParser(text)
    # 312 examples share 200 places, rounded down: 128 * 200 / 312 = 82.05, and 61.5, 35.9, 20.5
    assert len(tree.css("#examples details.example")) == 82 + 61 + 35 + 20
    assert "fact_single 82 of 128 shown" in one_text(tree, "#examples")


def test_a_run_that_made_nothing_says_so(summary: RunSummary) -> None:
    nothing = CompositionFigures(
        requested={"summary": 5},
        delivered={"summary": 0},
        matrix={},
        dropped={},
        patterns={},
        missing=(),
        documents_used=0,
        most_per_document=0,
    )
    empty = replace(summary, composition=nothing, results=(), best=(), worst=(), stages=())
    tree = LexborHTMLParser(render_report(empty, []))
    assert one_text(tree, "h1") == "0 questions from 34 documents"
    assert "No setting was scored." in one_text(tree, "#best")
    assert "No examples were made." in one_text(tree, "#examples")
    assert "A language model wrote the questions" not in one_text(tree, "#made")
    assert "No costs were recorded." in one_text(tree, "#cost")


def test_a_missing_value_is_a_cross_and_a_gap_in_the_figure_never_a_zero(
    summary: RunSummary, examples: list[Example]
) -> None:
    nothing = Estimate(value=None, low=None, high=None, n=0, total=39)
    results = tuple(
        replace(item, estimate=nothing)
        if item.label == "answerable" and item.metric == "recall@5" and item.setting.name == "1024 rrf w=0.1"
        else item
        for item in summary.results
    )
    tree = LexborHTMLParser(render_report(replace(summary, results=results), examples))
    (panel,) = [
        node for node in tree.css("svg") if node.attributes.get("aria-labelledby", "").startswith("weight-answ")
    ]
    (cross,) = panel.css("path.no")
    assert cross.text() == "1024 rrf w=0.1: no value (none of 39 scored)"
    # raw linear and min-max in one piece each, reciprocal rank fusion in two: 0, 0.05 and 0.2, 0.5, 1
    whole, cut = [6], [2, 3]
    assert pieces(panel, "polyline:not(.thin)") == [*whole, *whole, *cut]
    assert pieces(panel, "polyline.thin") == [*whole, *cut, *whole, *cut, *whole, *whole]
    # a band has both ends of each interval, and the one that is missing breaks it too
    bands = [(band.attributes["d"] or "").count("L") + 1 for band in panel.css("path.band")]
    assert bands == [12, 12, 4, 6]


def pieces(panel: LexborNode, selector: str) -> list[int]:
    """Points of each piece of a line."""
    return [len((line.attributes["points"] or "").split()) for line in panel.css(selector)]


def test_every_fusion_has_its_band_and_the_best_is_ringed(page: LexborHTMLParser, summary: RunSummary) -> None:
    rows = list(page.css(".rows svg"))
    assert len(rows) == len(summary.best)
    for row in rows:
        assert [band.attributes["class"] for band in row.css("path.band")] == ["band s1", "band s2", "band s3"]
        assert len(row.css("circle.ring")) == 1
    assert "best 0.880" in rows[-1].text()


def test_quality_stands_against_tokens_with_the_front_marked(page: LexborHTMLParser, summary: RunSummary) -> None:
    (figure,) = [node for node in page.css("#tokens figure") if "Pareto front" in node.text()]
    rows = [[cell.text() for cell in row.css("th")] for row in figure.css("tbody tr")]
    assert {name for _, name, _ in rows} == {each.setting.name for each in summary.tokens}
    on_front = [name for on_front, name, _ in rows if on_front == "yes"]
    # dense costs least in each size; then so long as recall rises: 0.05 and 0.1 by raw linear, 0.5 by min-max
    assert on_front[-1] == "1024 min_max w=0.5"
    assert f"On the front: {len(on_front)} of 42 settings" in one_text(figure, "p.note")
    assert len(figure.css("path.mk")) == 42 + 3  # three samples in the legend
    assert len(figure.css("path.hollow")) == 42 - len(on_front)


def test_a_run_from_before_tokens_were_counted_has_no_such_figure(summary: RunSummary, examples: list[Example]) -> None:
    assert "Pareto front" not in render_report(replace(summary, tokens=()), examples)


def test_the_same_run_gives_the_same_bytes(summary: RunSummary, examples: list[Example]) -> None:
    assert render_report(summary, examples) == render_report(summary, examples)
