"""What users write for a system, and what they are told when it cannot be meant."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ragassay.errors import UsageError
from ragassay.systems.base import Question, filled, parse_template
from ragassay.systems.spec import parse_spec


@pytest.mark.parametrize(
    ("text", "kind", "options"),
    [
        ("rag", "rag", {"retriever": "hybrid", "chunk_size": None, "top_k": 5, "overlap": None}),
        (
            "rag:retriever=bm25,chunk_size=256,prefix=title,company,top_k=4",
            "rag",
            {"retriever": "lexical", "chunk_size": 256, "prefix": ("title", "company"), "top_k": 4},
        ),
        ("http://h:1/ask?x=a,b=c", "http", {"url": "http://h:1/ask?x=a,b=c"}),
        ("http:https://h/ask", "http", {"url": "https://h/ask"}),
        ("function:a.b:c", "function", {"target": "a.b:c"}),
        ("recorded:out/answers.json", "recorded", {"file": "out/answers.json"}),
        ("ground_truth_context:context=document", "ground_truth_context", {"context": "document"}),
    ],
)
def test_names(text: str, kind: str, options: dict[str, Any]) -> None:
    spec = parse_spec(text)
    assert spec.kind == kind
    assert {name: getattr(spec.options, name) for name in options} == options


@pytest.mark.parametrize(
    ("name", "content"),
    [
        (
            "a.toml",
            'kind = "http"\nurl = "http://h/ask"\ntimeout = 5\n[headers]\nX-Key = "${K}"\n[request]\nq = "{question}"',
        ),
        (
            "a.json",
            '{"kind": "http", "url": "http://h/ask", "timeout": 5, "headers": {"X-Key": "${K}"}, '
            '"request": {"q": "{question}"}}',
        ),
        ("a.yaml", 'kind: http\nurl: http://h/ask\ntimeout: 5\nheaders: {X-Key: "${K}"}\nrequest: {q: "{question}"}'),
    ],
)
def test_files(tmp_path: Path, name: str, content: str) -> None:
    (tmp_path / name).write_text(content)
    spec = parse_spec(str(tmp_path / name))
    assert (spec.kind, spec.folder) == ("http", tmp_path)
    assert (spec.options.timeout, spec.options.headers) == (5, {"X-Key": "${K}"})
    assert spec.options.request == {"q": "{question}"}


@pytest.mark.parametrize(
    ("text", "settings", "said"),
    [
        ("rga", (), "--system: unknown system 'rga';"),
        ("rag:topk=3", (), "--system rag: unknown option 'topk'; did you mean top_k?"),
        ("rag:top_k=0", (), "--system rag: top_k: must be at least 1, not 0"),
        ("my_rag:answer", (), "unknown system 'my_rag:answer'; did you mean function:my_rag:answer? choose one of"),
        ("rag:fusion=sum", (), "fusion: unknown fusion 'sum'; choose raw_linear, min_max or rrf"),
        ("recorded:", (), "recorded needs its file; write it as recorded:predictions.jsonl"),
        ("http://h/a", ("headers=x",), "headers: must be JSON, such as headers="),
    ],
)
def test_what_cannot_be_meant(text: str, settings: tuple[str, ...], said: str) -> None:
    with pytest.raises(UsageError) as raised:
        parse_spec(text, settings)
    assert said in str(raised.value)


def test_nothing_in_a_question_is_a_template() -> None:
    template = parse_template('{"q": "{question}", "meta": ["{id}: {question}", 3]}', "request")
    question = Question("q1", 'Is "{id}" {question} \\ right?')
    assert filled(template, question) == {"q": question.text, "meta": [f"q1: {question.text}", 3]}
