"""Questions whose answer is computed from what a text states."""
