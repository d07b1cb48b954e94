"""A judge on claims: what the tables say, and the tables of the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Console

from ragassay.agreement.claim_judging import ClaimJudgement
from ragassay.agreement.claim_statistics import ClaimCheck, ClaimFigures
from ragassay.agreement.measure import MeasureEstimate
from ragassay.agreement.reliability import Reliability
from ragassay.report.console import print_line, print_table
from ragassay.report.judge_check_tables import NONE, REASONS_SHOWN
from ragassay.report.safe_text import excerpt
from ragassay.report.wording import count, decimal

FIGURE_HEADS = ("claims", "passages", "right", "balanced accuracy", "AUROC")
TYPE_HEADS = ("type", "the passage", "claims", "right")
BIN_HEADS = ("score", "claims", "mean score", "share supported")
WRONG_SHOWN = 5
_CLAIM_CHARS = 160


def print_claims(check: ClaimCheck, judgements: Sequence[ClaimJudgement], console: Console) -> None:
    """All claims, each source, each type, the score against what is supported, and the surest mistakes.

    judgements: wrong ones first.
    """
    rows = [
        (name, _counted(figures.accuracy), count(figures.passages), *map(_figure, measures_of(figures)))
        for name, figures in named_figures(check)
    ]
    print_table(console, f"{claims_title(check)}, with 95 % intervals over passages", ["", *FIGURE_HEADS], rows)
    by_type = [
        (type_name(each.type), said(each.supported), _counted(each.accuracy), _figure(each.accuracy))
        for each in check.by_type
    ]
    print_table(console, "By type of claim", TYPE_HEADS, by_type)
    if check.reliability is not None:
        _print_bins(check.reliability, console)
    for line in claim_reason_lines(check):
        print_line(console, line)
    wrong = [each for each in judgements if each.is_right is False]
    for each in wrong[:WRONG_SHOWN]:
        told = f"{said(each.verdict)}: {excerpt(each.claim.text, _CLAIM_CHARS)}"
        print_line(console, f"wrong, {type_name(each.claim.type)}: {told} ({each.claim.where}; {each.reason})")


def _print_bins(reliability: Reliability, console: Console) -> None:
    rows = [
        (
            bin_name(each.low, each.high),
            count(each.n),
            NONE if each.mean_score is None else decimal(each.mean_score),
            _figure(each.supported),
        )
        for each in reliability.bins
    ]
    print_table(console, calibration_title(reliability), BIN_HEADS, rows)


def claims_title(check: ClaimCheck) -> str:
    """How many claims there are, and what a judge that knows nothing reaches."""
    figures = check.figures
    return (
        f"{count(figures.accuracy.total, 'claim')} about {count(figures.passages, 'passage')}, "
        f"{count(figures.supported)} supported (always saying the commoner of the two is right on "
        f"{decimal(check.commonest)})"
    )


def calibration_title(reliability: Reliability) -> str:
    """Over how many scores, and how far off they are."""
    return f"Calibration of {count(reliability.n, 'score')}: expected error {decimal(reliability.expected_error)}"


def named_figures(check: ClaimCheck) -> Iterator[tuple[str, ClaimFigures]]:
    """All claims, then those of each source."""
    yield "all", check.figures
    for source, figures in check.by_source.items():
        yield source or "no source", figures


def measures_of(figures: ClaimFigures) -> tuple[MeasureEstimate, MeasureEstimate, MeasureEstimate]:
    """In the order of FIGURE_HEADS."""
    return figures.accuracy, figures.balanced_accuracy, figures.auroc


def type_name(type_: str) -> str:
    """The type as tables write it."""
    return type_.replace("_", " ") or "no type"


def said(supported: bool | None) -> str:
    """A verdict, or what people say."""
    if supported is None:
        return "no verdict"
    return "supported" if supported else "not supported"


def bin_name(low: float, high: float) -> str:
    """``0.2–0.3``."""
    return f"{decimal(low, 1)}–{decimal(high, 1)}"


def claim_reason_lines(check: ClaimCheck) -> list[str]:
    """Why verdicts, measures or intervals are missing."""
    ordered = sorted(check.reasons.items(), key=lambda each: -each[1])[:REASONS_SHOWN]
    lines = [f"no verdict on {count(n, 'claim')}: {reason}" for reason, n in ordered]
    if check.uncalibrated:
        lines.append(f"no calibration: {check.uncalibrated}")
    for name, figures in named_figures(check):
        for head, each in zip(FIGURE_HEADS[2:], measures_of(figures), strict=True):
            if each.reason:
                lines.append(f"{name}, {head}: {each.reason}")
    lines += [
        f"{type_name(each.type)}, right: {each.accuracy.reason}" for each in check.by_type if each.accuracy.reason
    ]
    return lines


def _figure(found: MeasureEstimate) -> str:
    if found.value is None:
        return NONE
    interval = f" ({found.low:.2f}–{found.high:.2f})" if found.low is not None and found.high is not None else ""
    return f"{found.value:.3f}{interval}"


def _counted(found: MeasureEstimate) -> str:
    return count(found.n) if found.n == found.total else f"{count(found.n)} of {count(found.total)}"
