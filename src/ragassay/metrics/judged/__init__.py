"""Metrics of answers that a judge decides: one a file, each from records to scores."""
