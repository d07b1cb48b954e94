"""Published scorers, to the last digit: for comparison with published figures, not for new ones."""
