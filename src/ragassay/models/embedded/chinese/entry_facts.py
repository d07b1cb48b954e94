"""Facts of entries and terms: what stands under a key, and in a definition list."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from ragassay.models.embedded.chinese.amounts import number_kind_of
from ragassay.models.embedded.chinese.clauses import HAN, POINTING, balanced, sentences_of
from ragassay.models.embedded.chinese.dates import dates
from ragassay.models.embedded.chinese.gates import is_empty_value
from ragassay.models.embedded.chinese.page import Entry, Page
from ragassay.models.embedded.chinese.profile import Profile
from ragassay.models.embedded.structure.drafts import Draft

_LONGEST_VALUE = 40
_NO_KEY = re.compile(
    r"(?:注意?|备注|说明|提示|警告|例如|比如|如下|以下|参见|来源|链接|网址|电话|传真|邮编|版本|页码|标题|姓名|患者|患者姓名|被告人|名称|公司名称|医院名称|结论"
    r"|此致|一般情况|系统检查|专科检查|签名|医师签名|日期|其他|目标|步骤|方法|记录时间|病史陈述者|问|答|优点|缺点|特点|主要症状特点|记录者|审核者|翻译人员|译者|维护人员?"
    r"|.*(?:情况|记录|报告单?|同意书|医嘱单|小结|通知书|意见|如下|过程|经过|病程))"
)
_PERSON_KEY = re.compile(r"(?:人|长|员|者|师|律师|医生|主席|代表|作者|导演|联系人|总监|经理|配偶)$")
_PLACE_KEY = re.compile(r"(?:地址|住址|地点|出生地|住所地?|所在地|产地|籍贯|总部|注册地|现住址|居住地|居留地)$")
_DATE_KEY = re.compile(r"(?:日期|时间|年份|生日)$")
_NAME_VALUE = re.compile(rf"(?:[{HAN}]{{1,2}}某{{1,2}}|[{HAN}]{{2,4}}|[{HAN}]{{1,8}}·[{HAN}·]{{1,16}})(?=$|，|（)")
_OF_PERSON = re.compile(r"(?:性别|年龄|民族|职业|住址|出生日期|出生年月|文化程度|户籍.*|籍贯|现住址|学历)")


def entry_facts(page: Page, profile: Profile) -> Iterator[Draft]:
    """One question for each key that asks for one short thing and has one value in the passage."""
    known = page.passage.known_keys
    values: dict[str, set[str]] = {}
    for entry in page.entries:
        values.setdefault(entry.key, set()).add(entry.value)
    for entry in page.entries:
        if is_plain(entry) and len(values[entry.key]) == 1 and _is_attribute(entry, profile, known):
            yield entry_draft(entry, profile)
    yield from _terms(page, profile)


def _is_attribute(entry: Entry, profile: Profile, known_keys: frozenset[str]) -> bool:
    """Whether a key is an attribute of what the document is about, and not the first word of a remark."""
    if profile.name in entry.value:
        return False
    if profile.kind == "patient":
        return bool(_OF_PATIENT.search(entry.key)) or _is_finding(entry)
    return entry.key.lower() in known_keys or bool(_USUAL_KEY.search(entry.key))


_OF_PATIENT = re.compile(
    r"(?:性别|年龄|民族|职业|住址|出生地|居留地|婚姻状况|结婚年龄|初潮年龄|行经期天数|间隔天数|过敏史|入院时间|入院日期|出院时间|出院日期|体温|脉搏|呼吸|血压|心率"
    r"|身高|体重|主治医[生师]|主管医[生师]|初步诊断|出院诊断|入院诊断|血型|医师|医生|病历号|住院号|床号|科室|计数|血红蛋白|白细胞|血小板)$"
)
_USUAL_KEY = re.compile(
    r"(?:人|长|员|师|律师|机关|法院|检察院|案由|罪名|案号|地址|地点|所在地|总部|日期|时间|年份|性别|职业|民族|学历|籍贯|类型|类别|语言|格式|协议|许可证|默认值"
    r"|端口|大小|规格|型号|品牌|产地|价格|费用|单价|数量|容量|长度|宽度|高度|重量|面积|温度|功率|电压|期限|有效期|保质期|部门|单位|机构|主管|级别|等级|颜色|材质"
    r"|制造商|生产商|供应商|开发商|经销商|标准|作者|出版社|导演|主演|产量|人口|首都|省会|货币|代码|邮编|律所|行业|资本)$"
)


def _is_finding(entry: Entry) -> bool:
    """Whether an entry tells what an examination found of a part of the body."""
    return bool(re.fullmatch(_BODY, entry.key)) and len(entry.value) >= _FINDING_CHARS


_BODY = (
    r"(?:皮肤|粘膜|黏膜|淋巴结|头部(?:及器官)?|颈部|胸部|腹部|脊柱|四肢|神经系统|直肠肛门|外生殖器|肺部|心脏|眼部|关节)"
)
_FINDING_CHARS = 6


def is_plain(entry: Entry) -> bool:
    """Whether an entry gives one thing that somebody may look up."""
    return (
        len(entry.value) <= _LONGEST_VALUE
        and not is_empty_value(entry.value)
        and not _NO_KEY.fullmatch(entry.key)
        and not re.search(r"[。；;：:]|[，,、].*[，,、]", entry.value.rstrip("。；; "))
        and POINTING.search(entry.key + entry.value) is None
        and not entry.value.endswith(("：", ":"))
        and balanced(entry.value)
        and not entry.value.isdigit()
    )


def entry_draft(entry: Entry, profile: Profile) -> Draft:
    """The question that a key asks, and its value."""
    owner = owner_of(entry.key, profile)
    value = entry.value.rstrip("。；;，, ")
    if profile.kind == "patient" and _is_finding(entry):
        return Draft(
            pattern="finding",
            question=f"{owner}的{entry.key}检查结果如何？",
            answer=value,
            statement=f"{owner}的{entry.key}检查结果：{value}。",
            quotes=(entry.quote,),
            attribute=entry.key,
        )
    return Draft(
        pattern="key_value",
        question=f"{owner}的{entry.key}是{word_of(entry.key, value)}？",
        answer=value,
        statement=f"{owner}的{entry.key}是{value}。",
        quotes=(entry.quote,),
        attribute=entry.key,
    )


def is_no_attribute(key: str) -> bool:
    """Whether a key is one that nobody asks about: a name that questions give, a remark, a signature."""
    return _NO_KEY.fullmatch(key) is not None


def owner_of(key: str, profile: Profile) -> str:
    """Whom a key is about: in a judgment, the defendant or the case."""
    if profile.kind == "case" and _OF_PERSON.fullmatch(key):
        return f"{profile.theme}中被告人{profile.name}"
    return f"《{profile.theme}》" if profile.kind == "thing" and _IS_TEXT.search(profile.theme) else profile.theme


_IS_TEXT = re.compile(
    r"(?:办法|规定|制度|条例|手册|指南|章程|规程|细则|标准|规范|通知|方案|协议|合同|须知|公约|守则|流程)$"
)


def word_of(key: str, value: str) -> str:
    """The word that asks for a value such as this one."""
    if _PERSON_KEY.search(key) and _NAME_VALUE.match(value):
        return "谁"
    if _PLACE_KEY.search(key):
        return "哪里"
    if _DATE_KEY.search(key) or (dates(value) and dates(value)[0].text == value):
        return "什么时候"
    if re.search(r"(?:事务所|公司|医院|银行|大学)$", value) and not key.endswith("名称"):
        return "哪一家"
    return "多少" if number_kind_of(value) or re.fullmatch(r"[\d.]+(?:[/／][\d.]+)?\s?\S{0,8}", value) else "什么"


_TERM = re.compile(rf"[-{HAN}A-Za-z0-9_.()（）=\[\]<>,| /·]{{2,40}}")


_DEFINES = re.compile(r"(?:是|指|一[种个类]|用于|用来|表示|为|即|由)")


def _terms(page: Page, profile: Profile) -> Iterator[Draft]:
    """What a term of a definition list means, or an option does."""
    counts = Counter(term.key for term in page.terms)
    for term in page.terms:
        meaning = next(iter(sentences_of(term.value)), "")
        quote = next((line for line in (term.quote,) if line), "")
        if (
            counts[term.key] > 1
            or not _TERM.fullmatch(term.key)
            or not 8 <= len(meaning) <= 120
            or POINTING.search(meaning)
            or not re.search(f"[{HAN}]{{4}}", meaning)
            or not (re.search(f"[{HAN}]", term.key) is None or _DEFINES.match(meaning))
            or not balanced(meaning)
        ):
            continue
        is_option = term.key.startswith("-")
        question = (
            f"{profile.theme} 的 {term.key} 选项有什么作用？"
            if is_option
            else f"{profile.cited}中，{term.key} 指什么？"
        )
        yield Draft(
            pattern="option" if is_option else "meaning",
            question=question,
            answer=meaning,
            statement=f"{profile.theme} 的 {term.key}：{meaning}",
            quotes=(quote,),
            attribute=term.key,
        )
