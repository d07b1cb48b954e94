"""Texts read: words, grammar, dates and amounts, and a passage made ready for asking."""
