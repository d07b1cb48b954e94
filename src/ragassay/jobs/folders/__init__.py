"""Folders of results: who works in one, how far it is, what it holds and what may be replaced."""
