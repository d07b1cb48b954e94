"""Traces of RAG systems as examples with predictions: files of spans, one reader a format, one way to assemble them."""
