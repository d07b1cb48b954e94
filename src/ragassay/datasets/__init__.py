"""Evaluation sets on disk: read, written, converted, checked. Each format has a file; ``registry`` lists them."""
