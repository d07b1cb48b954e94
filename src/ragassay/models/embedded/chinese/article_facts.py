"""Facts of articles, manuals and rules: documents whose sentences are about many things, under one title."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ragassay.models.embedded.chinese.amounts import amounts, is_exact
from ragassay.models.embedded.chinese.clauses import HAN
from ragassay.models.embedded.chinese.dates import dates
from ragassay.models.embedded.chinese.profile import Profile
from ragassay.models.embedded.chinese.told import Told
from ragassay.models.embedded.chinese.wording import is_name, with_asked_amount
from ragassay.models.embedded.structure.drafts import Draft

_FEWEST, _MOST = 5, 40
_MOST_AMOUNTS = 2
_FEWEST_BEFORE = 3
_SUBORDINATE = re.compile(
    r"^(?:如果?|若|当|在|人们|凡|因|由于|为了?|根据|按照|对|除|经|以|与|从|到|至|约|近|超过|仅|原因|其|并|且|而|则|即|但|或|却|随着|尽管|虽然?|每当|一旦|只要|第|之"
    r"|直到|自|将|把|让|使|于|被|向|及)|(?:时|后|前|的|者|中|下|起|内|来|间|之一|等|以及|及|和|与|或|，|、|处|了|“|：)$|[？?…“”（）()]"
)
_STATES = re.compile(
    r"[为是达应可须需有得享占长高宽重约超共]|不得|提交|支付|缴|发放|返|赔|罚|扣|计|算|完成|审|批|减|增|降|升|持续|位于|拥|含|建|住|死|来自|产|售|耗|供"
)
_SMALL_COUNTS = frozenset("个 种 项 次 条 级 度 层 门 分 部 款 家 所 张 只".split())
_REPLACED = (
    (
        "who",
        re.compile(
            rf"由(?P<slot>[{HAN}]{{2,10}}?)(?:负责|审批|批准|承担|保管|执行|决定|签字|审核|组织|主持|制定|解释)"
        ),
        "谁",
    ),
    ("where", re.compile(rf"(?<!不)(?:位于|坐落于|坐落在|总部设在)(?P<slot>[{HAN}·]{{2,16}})$"), "哪里"),
)


def article_facts(told: Sequence[Told], profile: Profile) -> Iterator[Draft]:
    """Amounts, dates, who and where, of clauses that are about something else than the title."""
    if profile.kind != "thing":
        return
    for number, each in enumerate(told):
        before = told[number - 1] if number and told[number - 1].quote == each.quote else None
        clause = _with_condition(each, before)
        if clause is None or (_SUBORDINATE.search(each.says) and before is None):
            continue
        if not each.of_theme:
            yield from _amount(clause, profile, each.quote)
            if each.opened:
                yield from _date(each, profile)
        yield from _slot(clause if not each.of_theme else profile.theme + each.says, profile, each.quote)


def _with_condition(told: Told, before: Told | None) -> str | None:
    """A clause that opens its sentence, or that follows a condition which opens it; None for others."""
    own = told.subject + (f"在{told.date.text}" if told.date else "") + told.says
    if told.opened:
        return own
    if before is None or not before.opened or told.of_theme or told.date:
        return None
    depends = re.search(r"(?:后|的|时|期间|情况下)$", before.says) or _MODAL.match(told.says)
    return f"{before.subject}{before.says}，{told.says}" if depends and not _SETTING.match(before.says) else None


_MODAL = re.compile(r"[须应可需由按每]|不得|最[多少高低]|至[多少]|必须")
_SETTING = re.compile(r"如果?|若|当|因|由于|为了?|根据|按照|对|除|其|并|且|而|但|虽")


def frame_of(clause: str, profile: Profile) -> str:
    """What a question about a clause begins with: nothing where the clause names the title, else the title."""
    return "" if profile.theme in clause else f"根据{profile.cited}，"


def _amount(clause: str, profile: Profile, quote: str) -> Iterator[Draft]:
    found = amounts(clause)
    if not 0 < len(found) <= _MOST_AMOUNTS or not _FEWEST <= len(clause) <= _MOST or not _STATES.search(clause):
        return
    last = found[-1]
    if last.kind == "number" or (last.kind == "count" and last.unit in _SMALL_COUNTS) or not is_exact(clause, last):
        return
    if last.start < _FEWEST_BEFORE:
        return  # nothing says of what
    question = f"{frame_of(clause, profile)}{with_asked_amount(clause, last)}？"
    yield Draft(
        pattern="stated_amount",
        question=question,
        answer=last.text,
        statement=f"{clause}。",
        quotes=(quote,),
        attribute=last.kind,
    )


def _date(told: Told, profile: Profile) -> Iterator[Draft]:
    clause = told.subject + told.says
    named = (
        profile.theme in clause[:_SUBJECT_CHARS] or _NAMED_SUBJECT.match(clause) is not None or is_name(told.subject)
    )
    if (
        told.date is None
        or not named
        or _REPORTS.search(clause)
        or not _FEWEST <= len(clause) <= _MOST
        or dates(clause)
        or amounts(clause)
    ):
        return
    asked = {"year": "哪一年", "month": "哪年哪月", "day": "哪一天"}[told.date.precision]
    yield Draft(
        pattern="dated",
        question=f"{clause}是在{asked}？",
        answer=told.date.text,
        statement=f"{clause}是在{told.date.text}。",
        quotes=(told.quote,),
        attribute="时间",
        about=clause,
    )


_SUBJECT_CHARS = 12
_NAMED_SUBJECT = re.compile(
    rf"《|[{HAN}]{{1,8}}·|[A-Z]|[{HAN}]{{1,3}}[国军](?!家|际|事)"
    rf"|[{HAN}]{{2,8}}?(?:大学|公司|政府|议会|理事会|协会|王朝|帝国|联邦|法院|教会|银行)"
)
_REPORTS = re.compile(
    r"报道|宣布$|显示|表示|指出|估计|认为|声称|宣称|规定|写道|预测|发现(?!了)|称$|一[项份个种座][^，]{0,4}$|^一[项份个种座位]|失败$|超过|排名|(?:要求|邀请|请求|支持|影响|帮助)下?$"
)
"""Clauses that only lead to what is told, or that tell of something without a name."""


def _slot(clause: str, profile: Profile, quote: str) -> Iterator[Draft]:
    for pattern, slot, word in _REPLACED:
        match = slot.search(clause)
        after = clause[match.end() :] if match else ""
        if match is None or after.startswith("的") or not _FEWEST <= len(clause) <= _MOST:
            continue
        if re.search(r"[的和与及或]", match["slot"]):
            continue
        yield Draft(
            pattern=pattern,
            question=f"{frame_of(clause, profile)}{clause[: match.start('slot')]}{word}{clause[match.end('slot') :]}？",
            answer=match["slot"],
            statement=f"{clause}。",
            quotes=(quote,),
        )
