"""Systems under test: whatever turns a question into an answer and ranked chunks."""
