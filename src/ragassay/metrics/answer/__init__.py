"""Metrics of an answer's text against a reference text: no language model needed."""
