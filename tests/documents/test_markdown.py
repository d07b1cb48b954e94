"""Markdown: markup gone, structure kept."""

from __future__ import annotations

from ragassay.documents.markdown import read_markdown

SOURCE = """---
title: "Refunds"
owner: Ann
tags:
  - a
---

# Refunds {#top}

Paid by **card** or `cash`, see [the list](list.md).[^1]
It takes *five* days.

## How

1. Ask.
2. Wait.
   - nested

**Owner:** Ann
**Due:** May

| Kind | Days |
| ---- | ---: |
| card | 5    |
| `x`  | 7    |

Term
: Meaning.

> A quote.

```python
x = "**no**"
```

- [ ] open
- [x] done

[^1]: Note.
"""


def test_structure(leaves):
    parsed = read_markdown(SOURCE)
    assert parsed.title == "Refunds"
    assert parsed.metadata == {"owner": "Ann"}
    assert leaves(parsed)[:-1] == [
        ("title", "Refunds"),
        ("paragraph", "Paid by card or cash, see the list. It takes five days."),
        ("heading", "How"),
        ("step", "Ask."),
        ("step", "Wait."),
        ("item", "nested"),
        ("key", "Owner"),
        ("value", "Ann"),
        ("key", "Due"),
        ("value", "May"),
        ("header_cell", "Kind"),
        ("header_cell", "Days"),
        ("cell", "card"),
        ("cell", "5"),
        ("cell", "x"),
        ("cell", "7"),
        ("term", "Term"),
        ("definition", "Meaning."),
        ("quote", "A quote."),
        ("code", 'x = "**no**"'),
        ("item", "open"),
        ("item", "done"),
    ]
    assert [parsed.text[start:end] for start, end in parsed.literals] == ["cash", "x"]
    assert "Kind | Days\ncard | 5\nx | 7" in parsed.text


def test_bold_lines_head_records_and_sections(leaves):
    parsed = read_markdown(
        "**Case history**\n\n**Judge:**  \nM. Flores  \n**Clerk:**  \nD. Jackson\n\nText follows here."
    )
    assert leaves(parsed) == [
        ("heading", "Case history"),
        ("key", "Judge"),
        ("value", "M. Flores"),
        ("key", "Clerk"),
        ("value", "D. Jackson"),
        ("paragraph", "Text follows here."),
    ]
