"""The judge's tasks for Chinese text, by rules of its own."""
