"""The data sets of the papers, in the forms in which they are published; each is only read."""

from ragassay.datasets.published import (
    autorag,
    crud_rag,
    financebench,
    hotpotqa,
    mrqa,
    ms_marco,
    multihop_rag,
    natural_questions,
    newsqa,
    pubmedqa,
    ragbench,
    triviaqa,
)

FORMATS = (
    natural_questions.SIMPLIFIED,
    natural_questions.OPEN,
    hotpotqa.FORMAT,
    ms_marco.FORMAT,
    newsqa.FORMAT,
    mrqa.FORMAT,
    pubmedqa.FORMAT,
    triviaqa.FORMAT,
    crud_rag.FORMAT,
    ragbench.FORMAT,
    multihop_rag.FORMAT,
    financebench.FORMAT,
    autorag.FORMAT,
)
