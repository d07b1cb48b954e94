"""Questions that people asked: cleaned of personal details, told apart, answered where that is sure."""
