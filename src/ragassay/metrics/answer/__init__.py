"""Metrics of an answer's text against a reference text: one a file, no language model needed."""
