"""What several judges came to: for the terminal and for pages."""

from __future__ import annotations

from ragassay.report.panel_summary import Dispute, JudgeEffort, JudgeMean, JudgePanel, PanelAgreement
from ragassay.report.wording import count, decimal


def panel_lines(panel: JudgePanel | None) -> list[str]:
    """Agreement by metric, what each judge took, and the answer that they see most differently."""
    if panel is None:
        return []
    lines = [f"Scores are the {panel.pooled} of {len(panel.judges)} judges"]
    lines += [
        f"{each.metric}: {alpha_words(each)}; "
        + ", ".join(f"{name} {mean_words(of_judge)}" for name, of_judge in each.judges.items())
        for each in panel.agreement
    ]
    lines += [f"{name}: {effort_words(effort)}" for name, effort in panel.judges.items()]
    if panel.disputes:
        lines.append(f"Seen most differently: {dispute_words(panel.disputes[0])}")
    return lines


def alpha_words(each: PanelAgreement) -> str:
    """How far the judges agree in a metric."""
    if each.alpha is None:
        return f"agreement unknown: {each.reason}"
    return f"alpha {decimal(each.alpha)}, same value for {count(each.identical)} of {count(each.n)}"


def mean_words(of_judge: JudgeMean) -> str:
    """The mean of a judge, and its coverage where that is not full."""
    mean = "no value" if of_judge.mean is None else decimal(of_judge.mean)
    return mean if of_judge.n == of_judge.total else f"{mean} ({count(of_judge.n)} of {count(of_judge.total)})"


def effort_words(effort: JudgeEffort) -> str:
    """What a judge took."""
    words = f"asked {count(effort.asked)} times"
    if effort.unanswered:
        words += f", {count(effort.unanswered)} unanswered"
    if effort.prompt_tokens is None or effort.completion_tokens is None:
        return words
    cost = "price not known" if effort.cost_usd is None else f"{effort.cost_usd:.4f} US dollars"
    return f"{words}, {count(effort.prompt_tokens + effort.completion_tokens)} tokens, {cost}"


def dispute_words(dispute: Dispute) -> str:
    """One answer and what each judge gave it."""
    values = ", ".join(f"{name} {value_words(value)}" for name, value in dispute.values.items())
    return f"{dispute.example_id} in {dispute.metric}: {values}"


def value_words(value: float | None) -> str:
    """A judge's value of one answer."""
    return "no value" if value is None else decimal(value)
