"""Facts that one clause states: when something happened, how much it was, who, where, which crime."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ragassay.models.embedded.chinese.amounts import Amount, amounts, is_exact
from ragassay.models.embedded.chinese.clauses import HAN
from ragassay.models.embedded.chinese.dates import dates
from ragassay.models.embedded.chinese.profile import Profile
from ragassay.models.embedded.chinese.told import Told
from ragassay.models.embedded.chinese.wording import asked_date, one_of, subject_in_question, with_asked_amount
from ragassay.models.embedded.structure.drafts import Draft

_ATTRIBUTE = re.compile(
    rf"^的?(?P<attribute>[{HAN}A-Za-z（）()]{{2,14}}?)(?P<verb>为|是|达到了?|达|共计|合计|总计|高达|降至|降为|增至|增加到|升至|下降到|共|：)?"
    r"(?P<mod>约|近|大约|超过|每分钟|仅)?(?P<amount>[\d百].*)$"
)
_MEASURED = re.compile(
    r"(?:额|率|量|数|值|价|款|收入|利润|资产|负债|权益|成本|费用?|面积|长度|高度|宽度|深度|海拔|人口|比例|比重|体温|脉搏|呼吸|血压|收缩压|舒张压|心率"
    r"|时长|时间|规模|年龄|距离|重量|体重|身高|容量|速度|期限|刑期|罚金|工资|薪酬|股利|资金|能耗|能源消耗|票房|寿命|学费|租金|占比|资本|满意度|评分"
    r"|计数|蛋白|产能|产值|票价|温度|频率|跨度|周长|直径|流量|库容|[^身]高|投资|总长|全长|水位|销量|产量|载客|排量|功率)$"
)
_PLAIN_AMOUNT = re.compile(r"(?:左右|以上|以下|以内|人民币|上下)?$")
_NO_ATTRIBUTE = re.compile(
    r"[的了在和与及或被把使从将向对有又也并等之]|每股|同比|环比|其中|均|各|至|不|每|剂量|后$|[，、]"
)
_NO_EVENT = re.compile(
    r"^(?:依据|凭借|利用|针对|围绕|对于|鉴于|如果?|若|因(?!为)|尽管|虽然?|既|即使|经过?|据|就|的|之|以来|起|至|到|末|初|底|前|后|期间|度|是|为|达|共|中|来|内|约|有关|关于|随着|由于|因为|根据|按照|为了|通过|经过|作为|并|而|与此)"
    r"|(?:时|后|前|期间|的|中|以来|情况下|过程中|线索|规定|材料|显示|表示|指出|认为|等|之|和|与|及|于|为|在|对|向|从|将|被|把|了)$|是|或|[？?]|^.{2}的|^[于在].{0,6}$(?<!逝世)(?<!去世)(?<!病逝)(?<!出生)(?<!举行)(?<!成立)|^在.*(?:内|里|上|旁|处|附近|口|站|街|路|市|区|楼|店|馆|园|场|院|厅|室|房|家)$"
)
_SHORTEST_EVENT, _LONGEST_EVENT = 3, 40
_SHORT_EVENTS = frozenset(
    (
        "出院 入院 去世 逝世 病逝 成立 上市 毕业 结婚 开业 竣工 投产 退休 离任 通车 宣判 开庭 解散 停刊 创刊"
        " 动工 开工 停工 复工 完工 合龙"
        " 建成 奠基 启用 停运 关闭 开放 通航 封顶 出版 上映 发行 发布 诞生 出生 创建 创立 创办 修建"
    ).split()
)


def clause_facts(told: Sequence[Told], profile: Profile) -> Iterator[Draft]:
    """All of them; each asks for what only one clause of the passage says."""
    for number, each in enumerate(told):
        before = told[number - 1] if number and told[number - 1].quote == each.quote else None
        yield from _when(each, profile, told)
        yield from _how_much(each, before, profile, told)
        yield from _who_where(each, profile)


def is_event(told: Told) -> bool:
    """Whether a clause says that something happened, in words that can follow a subject and a date."""
    return (
        (_SHORTEST_EVENT <= len(told.says) <= _LONGEST_EVENT or told.says in _SHORT_EVENTS)
        and _NO_EVENT.search(told.says) is None
        and _PLANNED.match(told.says) is None
        and not dates(told.says)
        and re.match(f"[{HAN}A-Za-z“《]", told.says) is not None
        and _ATTRIBUTE_OF_AMOUNT.match(told.says) is None
    )


_PLANNED = re.compile(r"将(?!.{1,10}(?:抓获|移送|移交|列为|列入|更名|改为|拘留|逮捕|提交|出售|转让|迁至|送往))")
_ATTRIBUTE_OF_AMOUNT = re.compile(rf"^的|^[{HAN}]{{2,12}}(?:为|达到?|共计|合计)了?约?[\d]")


def _when(told: Told, profile: Profile, others: Sequence[Told]) -> Iterator[Draft]:
    told = _with_subject(told) if profile.kind == "case" else told
    subject = subject_in_question(profile, told.subject, of_theme=told.of_theme)
    if told.date is None or not told.opened or subject is None or not is_event(told):
        return
    if any(other.says == told.says and other.date and other.date.value != told.date.value for other in others):
        return  # it happened more than once
    says = told.says
    yield Draft(
        pattern="when",
        question=f"{subject}{asked_date(told.date, says)}{says}？",
        answer=told.date.text,
        statement=f"{subject}于{told.date.text}{says}。",
        quotes=(told.quote,),
        attribute="时间",
        about="" if told.of_theme or profile.kind == "case" else told.subject,
    )


def _with_subject(told: Told) -> Told:
    """``检察院提起公诉`` after a date names its subject first."""
    named = None if told.subject else _PARTY.match(told.says)
    return told if named is None else told._replace(subject=named.group(), says=told.says[named.end() :])


_PARTY = re.compile(rf"(?:[{HAN}]{{2,12}})?(?:法院|检察院|公安机关|公安局|公诉机关|合议庭)|本院|辩护人")


def attribute_of(says: str) -> tuple[str, Amount] | None:
    """The measured attribute and its amount, where a clause says nothing else: ``净利润达到了5000万元``."""
    match = _ATTRIBUTE.match(says)
    if match is None:
        return None
    attribute = re.sub(r"(?:分别|同比|约|共|总计|将)$", "", match["attribute"])
    attribute = re.sub(
        r"^(?:总计|合计|共计|涉案|本?年度?|全年|本期|期末|年末|当前|目前|预计|实现|取得|报告期内?|当期|一般情况)+",
        "",
        attribute,
    )
    found = amounts(says)
    if len(found) != 1 or found[0].start != match.start("amount") or _NO_ATTRIBUTE.search(attribute):
        return None
    if not _PLAIN_AMOUNT.fullmatch(says[found[0].end :]) or (found[0].kind == "number" and not match["verb"]):
        return None
    return (attribute, found[0]) if _MEASURED.search(attribute) and len(attribute) > 1 else None


def _how_much(told: Told, before: Told | None, profile: Profile, others: Sequence[Told]) -> Iterator[Draft]:
    attribute = attribute_of(told.says)
    if attribute is not None:
        yield from _attribute(told, before, attribute, profile, others)
        return
    found = [amount for amount in amounts(told.says) if amount.kind != "number" and is_exact(told.says, amount)]
    subject = subject_in_question(profile, told.subject, of_theme=told.of_theme)
    if len(found) != 1 or subject is None or not is_event(told) or re.search(r"同比|环比|每", told.says):
        return
    if profile.kind == "case" and not (told.of_theme and found[0].kind in ("money", "duration", "percent")):
        return  # a judgment counts people and things of every count of the charge
    if found[0].kind == "count" and found[0].unit in ("次", "项", "个", "种", "条", "分", "级", "度", "层", "门"):
        return  # "一系列三项措施" counts what the text goes on to tell
    asked = with_asked_amount(told.says, found[0])
    when = f"在{told.date.text}" if told.date else profile.period if found[0].kind == "money" else ""
    if told.opened:
        question, statement = f"{subject}{when}{asked}？", f"{subject}{when}{told.says}。"
    elif before is not None and before.subject == told.subject and is_event(before) and not attribute_of(before.says):
        question = f"{subject}{when}{before.says}，{asked}？"
        statement = f"{subject}{when}{before.says}，{told.says}。"
    else:
        return
    yield Draft(
        pattern="how_much",
        question=question,
        answer=found[0].text,
        statement=statement,
        quotes=(told.quote,),
        attribute=found[0].kind,
        about="" if told.of_theme or profile.kind == "case" else told.subject,
    )


def _attribute(
    told: Told, before: Told | None, found: tuple[str, Amount], profile: Profile, others: Sequence[Told]
) -> Iterator[Draft]:
    name, amount = found
    if _has_other_value(name, amount, told, others):
        return
    owner = _owner(told, profile)
    if owner is None:
        return
    of_event = (
        profile.kind != "patient"
        and before is not None
        and before.of_theme
        and before.date is told.date
        and is_event(before)
        and attribute_of(before.says) is None
    )
    if of_event and profile.kind == "case":
        return
    if of_event and before is not None and not told.says.startswith("的"):
        when = f"在{told.date.text}" if told.date else ""
        question = f"{owner}{when}{before.says}，{name}是多少？"
        statement = f"{owner}{when}{before.says}，{name}为{amount.text}。"
    elif told.date is not None and not profile.period:
        question = f"{owner}{told.date.text}的{name}是多少？"
        statement = f"{owner}{told.date.text}的{name}为{amount.text}。"
    else:
        period = profile.period if amount.kind in ("money", "percent", "measure") else ""
        question = f"{owner}{period}的{name}是多少？"
        statement = f"{owner}{period}的{name}为{amount.text}。"
    yield Draft(
        pattern="attribute",
        question=question,
        answer=f"每分钟{amount.text}" if "每分钟" in told.says else amount.text,
        statement=statement,
        quotes=(told.quote,),
        attribute=name,
    )


def _owner(told: Told, profile: Profile) -> str | None:
    """Whose attribute it is: the theme's, where the clause says so or a report speaks of nobody else."""
    if told.of_theme:
        return profile.theme
    return profile.theme if not told.subject and profile.kind in ("company", "patient") else None


def _has_other_value(name: str, amount: Amount, told: Told, others: Sequence[Told]) -> bool:
    """Whether another clause gives the attribute, or one whose name holds it, another value."""
    for other in others:
        if other is told or name[-4:] not in other.says:
            continue
        if any(each.kind == amount.kind and each.value != amount.value for each in amounts(other.says)):
            return True
    return False


_SETTING = re.compile(r"对于|为了|鉴于|由于|如果?|若|根据|按照|关于|随着|尽管|虽然?|即使|通过")
_PERSON = rf"(?:[{HAN}]{{1,2}}某{{1,2}}|[{HAN}]{{2,3}}|[{HAN}]{{1,8}}·[{HAN}·]{{1,16}})"
_ROLE = (
    r"(?:法定代表人|创始人|董事长|副董事长|总经理|总裁|首席执行官|首席财务官|财务总监|审判长|审判员|书记员|公诉人|检察员|辩护人|主任委员|主治医师"
    r"|主任医师|责任编辑|主编|校长|院长|局长|主席|会长|秘书长|负责人|导演|作者|监事会主席|董事会秘书)"
)
_SLOTS: tuple[tuple[str, re.Pattern[str], str], ...] = (
    ("who", re.compile(rf"由(?P<slot>{_PERSON})(?:担任|出任|兼任|执导|创立|创办|设计|建造|撰写|编写|发明|主持)"), "谁"),
    ("who", re.compile(rf"{_ROLE}(?:为|是)(?P<slot>{_PERSON})$"), "谁"),
    ("who", re.compile(rf"(?:任命|聘任|聘请|选举|推选)了?(?P<slot>{_PERSON})(?:为|担任|出任)"), "谁"),
    (
        "where",
        re.compile(rf"(?:总部|注册地址?|校址|办公地点|住所地?)(?:位于|设在|在|为|是)(?P<slot>[{HAN}\d]{{2,20}})$"),
        "哪里",
    ),
    ("where", re.compile(rf"(?:出生|位于|坐落|葬|逝世|病逝|定居)[于在](?P<slot>[{HAN}]{{2,16}})$"), "哪里"),
    (
        "crime",
        re.compile(rf"(?:犯有?|构成|涉嫌(?!犯))(?!罪|且|[^罪]{0, 4}[认悔]罪)(?P<slot>[{HAN}、]{{2,16}}罪)(?!行|名)"),
        "什么罪",
    ),
    ("business", re.compile(r"(?:主要从事|主营业务为|主营业务是|专注于|主要经营)(?P<slot>[^，。]{4,40})$"), "什么"),
    (
        "reason",
        re.compile(r"(?:主要是因为|原因是|原因在于|主要归因于|主要得益于|得益于)(?P<slot>[^，。]{5,40})$"),
        "什么",
    ),
    ("purpose", re.compile(r"(?:用途是|用途为|(?<![应挪作适使的])用于|旨在|目的是)(?P<slot>[^，。]{4,30})$"), "什么"),
)
"""Patterns whose named stretch gives way to the word that asks for it."""


_NO_SLOT = (r"[的了在是]$|(?:公司|企业)$", r"的|[了在是]$")
"""What no answer looks like, of other patterns and of places."""


def _who_where(told: Told, profile: Profile) -> Iterator[Draft]:
    subject = subject_in_question(profile, told.subject, of_theme=told.of_theme)
    if subject is None and not told.subject and profile.kind in ("company", "patient", "case"):
        subject = f"在{profile.theme}中，" if profile.kind == "case" else profile.theme
    if subject is None or len(told.says) > _LONGEST_EVENT or dates(told.says) or _SETTING.match(told.says):
        return
    for pattern, slot, word in _SLOTS:
        match = slot.search(told.says)
        if profile.kind == "case" and pattern in ("purpose", "reason", "where"):
            continue
        if (
            match is None
            or re.search(r"[、和及与]", match["slot"])
            or re.search(_NO_SLOT[pattern == "where"], match["slot"])
        ):
            continue
        asked = told.says[: match.start("slot")] + word + told.says[match.end("slot") :]
        asked = asked.replace("主营业务为什么", "主营业务是什么").replace("主要从事什么", "主要从事什么业务")
        if pattern in ("reason", "purpose") and not re.search(rf"[{HAN}]{{4}}", told.says[: match.start()]):
            continue
        if pattern == "crime" and told.says.startswith("因") and match.end() == len(told.says):
            continue
        when = f"在{told.date.text}" if told.date and pattern in ("who", "purpose") else ""
        yield Draft(
            pattern=pattern,
            question=f"{subject}{when}{asked}？",
            answer=match["slot"],
            statement=f"{subject}{when}{told.says}。",
            quotes=(told.quote,),
            attribute=one_of(("",), pattern),
            about="" if told.of_theme or profile.kind in ("case", "company", "patient") else told.subject,
        )
        return
