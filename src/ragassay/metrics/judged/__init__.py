"""Metrics of answers that a judge decides: each from records to scores."""
