"""Questions whose answer a text states: single facts and summaries, from structure and from plain sentences."""
