"""How Chinese questions are put: the word that asks stands where its answer stands."""

from __future__ import annotations

from ragassay.models.embedded.chinese.amounts import Amount
from ragassay.models.embedded.chinese.dates import Date
from ragassay.models.embedded.chinese.profile import Profile


def with_asked_amount(clause: str, amount: Amount) -> str:
    """The clause with "how much" where the amount stands: ``募集了8000万元资金`` to ``募集了多少资金``."""
    before, after = clause[: amount.start].rstrip(), clause[amount.end :].lstrip()
    return f"{before}{_asked(amount, after)}{after}"


def _asked(amount: Amount, after: str) -> str:
    if amount.kind == "percent":
        return "百分之多少"
    if amount.kind == "duration" and len(amount.text.replace(" ", "")) > len(amount.unit) + _LONGEST_NUMBER:
        return "多长时间"
    if amount.kind == "money" and after and after[0] not in "的，以左上":
        return "多少"
    return f"多少{amount.unit}" if amount.unit and amount.unit.isalpha() and not amount.unit.isascii() else "多少"


_LONGEST_NUMBER = 3


def asked_date(date: Date, says: str) -> str:
    """The word that asks for a date of this precision, as it stands before what happened."""
    if says.startswith(("在", "于")):
        return {"year": "哪一年", "month": "哪年哪月", "day": "何时"}[date.precision]
    options = {
        "year": ("在哪一年", "于哪一年"),
        "month": ("在什么时候", "于哪年哪月"),
        "day": ("在什么时候", "于何时", "在哪一天"),
    }[date.precision]
    return one_of(options, says)


def one_of(options: tuple[str, ...], key: str) -> str:
    """One of several wordings, the same one for the same key, so that a set does not read monotonously."""
    return options[sum(key.encode("utf-8")) % len(options)]


def subject_in_question(profile: Profile, subject: str, *, of_theme: bool) -> str | None:
    """How a question names whom it asks about; None where that would not be clear outside the document."""
    if profile.kind == "case":
        return f"在{profile.theme}中，{subject}"
    if of_theme:
        return profile.theme
    if not subject:
        return None
    if profile.theme in subject or is_name(subject):
        return subject
    return f"{profile.theme}的{subject}" if subject in _PARTS.get(profile.kind, ()) else None


_PARTS = {
    "company": frozenset(
        (
            "董事会 监事会 股东大会 管理层 董事长 总经理 总裁 首席执行官 首席财务官 财务总监 审计委员会 薪酬委员会"
            " 提名委员会 子公司 总部 公司董事会 公司股票 股票"
        ).split()
    ),
}
"""Subjects that belong to the theme without a word that says so."""


def is_name(subject: str) -> bool:
    """Whether a subject names one thing by itself: a transliterated name, a Latin one, an organisation's full one."""
    return (
        "·" in subject
        or (bool(subject) and subject.isascii())
        or (len(subject) >= _FULL_NAME and subject.endswith(_ORGANISATIONS))
    )


_FULL_NAME = 6
_ORGANISATIONS = ("公司", "大学", "医院", "银行", "协会", "博物馆", "出版社", "研究院", "战役", "条约", "帝国", "王朝")
