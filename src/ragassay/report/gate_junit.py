"""What a gate found as JUnit XML, which CI systems show as tests: a test for each condition."""

from __future__ import annotations

from xml.etree.ElementTree import Element, SubElement, indent, tostring

from ragassay.report.gate_result import GateResult
from ragassay.report.gate_tables import condition_words, of_what, row_words
from ragassay.report.safe_text import visible

JUNIT_MARK = '<testsuites name="ragassay gate"'
"""In the head of every such file, by which it is known again."""


def gate_junit(result: GateResult) -> str:
    """One ``testcase`` a condition; what cannot be told is skipped, or a failure where the gate is strict."""
    failures = len(result.failing)
    skipped = len(result.rows) - result.counted("passed") - failures
    counts = {"tests": str(len(result.rows)), "failures": str(failures), "errors": "0", "skipped": str(skipped)}
    root = Element("testsuites", {"name": "ragassay gate", **counts})
    suite = SubElement(root, "testsuite", {"name": visible(of_what(result)), **counts})
    for row in result.rows:
        case = SubElement(
            suite, "testcase", {"classname": "ragassay.gate", "name": visible(condition_words(row.condition))}
        )
        found = visible(row_words(row))
        if row in result.failing:
            SubElement(case, "failure", {"message": visible(row.reason), "type": row.verdict}).text = found
        elif row.verdict == "undecided":
            SubElement(case, "skipped", {"message": visible(row.reason)})
        SubElement(case, "system-out").text = found
    indent(root)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{tostring(root, "unicode")}\n'
