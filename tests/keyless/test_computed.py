"""Time between dated keys, and lists."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ragassay.keyless.computed import list_drafts, period_drafts
from ragassay.keyless.page import Page

PagesOf = Callable[[dict[str, str]], list[Page]]
OTHER = {"z.md": "# Elm Pier\n\nElm Pier is a pier."}


@pytest.mark.parametrize(
    ("keys", "drafts"),
    [
        (  # 28 January to 31 January, 31 days of a leap year's January to 1 March
            {"Ordered": "28 January 2024", "Delivered": "1 March 2024", "Crew": "7"},
            [("How many days after being ordered was MV Elm delivered?", "33 days")],
        ),
        ({"Built": "3 May 1998", "Acquired": "2 May 2011", "Crew": "7"},
         [("How many full years after being built was MV Elm acquired?", "12 years")]),
        (
            {"Built": "1998", "Opened": "2011", "Closed": "2012"},
            [
                ("How many years after being built did MV Elm open?", "13 years"),
                ("How many years after being built did MV Elm close?", "14 years"),
            ],
        ),
        ({"Start": "6 June 2024, 10:00", "End": "9 June 2024, 11:30", "Crew": "7"},
         [("How many days passed between the start and the end of MV Elm?", "3 days")]),
        ({"Born": "3 May 1938", "Died": "2 May 2011", "Crew": "7"}, [("At what age did MV Elm die?", "72 years")]),
        ({"Built": "1998", "Acquired": "2 May 2011", "Crew": "7"}, []),  # the years may be 12 or 13
        ({"Built": "3 May 1998", "Next review": "2 May 2011", "Crew": "7"}, []),
    ],
)  # fmt: skip
def test_periods(pages_of: PagesOf, keys: dict[str, str], drafts: list[tuple[str, str]]) -> None:
    text = "# MV Elm\n\n" + "\n".join(f"**{key}:** {value}" for key, value in keys.items())
    (page,) = pages_of({"a.md": text})
    assert [(draft.question, draft.answer) for draft in period_drafts(page)] == drafts


@pytest.mark.parametrize(
    ("text", "drafts"),
    [
        (
            "# Travel policy\n\n## Exceptions\n\n- Trips by sea\n- Trips by night\n- Trips abroad\n",
            [
                ("Which exceptions does the travel policy list?", "Trips by sea; Trips by night; Trips abroad."),
                ("How many exceptions does the travel policy list?", "3"),
            ],
        ),
        (
            "# Kirk Terminal\n\nKirk Terminal is big.\n\n## Facilities\n\n- A hall\n- A café\n",
            [("What are the facilities of Kirk Terminal?", "A hall; A café.")],
        ),
        (
            "# Travel policy\n\n## Trips\n\nThe emergency kit contains the following:\n\n- a lamp\n- a rope\n",
            [("Under the travel policy, what does the emergency kit contain?", "a lamp; a rope.")],
        ),
        # nothing says what these are
        ("# Travel policy\n\n## Notes\n\n- Trips by sea\n- Trips by night\n", []),
        ("# Travel policy\n\n## Exceptions\n\nRead on.\n\n- Trips by sea\n- Trips by night\n", []),
        ("# Travel\n\n## Exceptions\n\n- Trips by sea\n- Trips by night\n", []),
        ("# Travel policy\n\n## Exceptions\n\n- Trips by sea:\n- Trips by night\n", []),
    ],
)
def test_lists(pages_of: PagesOf, text: str, drafts: list[tuple[str, str]]) -> None:
    page = pages_of({"a.md": text, **OTHER})[0]
    assert [(draft.question, draft.answer) for draft in list_drafts(page)] == drafts
