"""Benchmarks side by side: ``ragassay experiment``."""
