"""reStructuredText, with what Sphinx adds to it."""

from __future__ import annotations

from ragassay.documents.rst import read_rst

SOURCE = """
Data retention
==============

:Owner: Ann
:Version: 3

See :ref:`the guide <guide>`, :func:`~os.path.join`, ``code`` and *emph* [1]_.

Objects
-------

.. function:: run(coro, *, debug=None)

   Execute the *coroutine*.

   .. versionadded:: 3.7
      With care.

.. note:: Be careful.

.. glossary::

   lease
      A contract.

.. list-table::
   :header-rows: 1

   * - A
     - B
   * - 1
     - 2

.. code-block:: python

   print(1)

.. toctree::
   a
   b

.. nosuchdirective:: foo

   Inner text.

1. First.
2. Second.

.. [1] Footnote.
"""


def test_structure(leaves):
    parsed = read_rst(SOURCE)
    assert parsed.title == "Data retention"
    assert leaves(parsed) == [
        ("title", "Data retention"),
        ("key", "Owner"),
        ("value", "Ann"),
        ("key", "Version"),
        ("value", "3"),
        ("paragraph", "See the guide, join, code and emph ."),
        ("heading", "Objects"),
        ("term", "run(coro, *, debug=None)"),
        ("definition", "Execute the coroutine."),
        ("definition", "Added in version 3.7: With care."),
        ("paragraph", "Be careful."),
        ("term", "lease"),
        ("definition", "A contract."),
        ("header_cell", "A"),
        ("header_cell", "B"),
        ("cell", "1"),
        ("cell", "2"),
        ("code", "print(1)"),
        ("paragraph", "Inner text."),
        ("step", "First."),
        ("step", "Second."),
    ]
    literals = [parsed.text[start:end] for start, end in parsed.literals]
    assert literals == ["join", "code", "run(coro, *, debug=None)"]


def test_files_are_not_included(tmp_path):
    secret = tmp_path / "secret.txt"
    secret.write_text("the secret", encoding="utf-8")
    source = f"Text here.\n\n.. include:: {secret}\n\n.. raw:: html\n   :file: {secret}\n\n"
    source += f".. csv-table::\n   :file: {secret}\n"
    assert "secret" not in read_rst(source).text
