"""What a system or a trace gives back, read whatever its form: answers, chunks, counts, and places in them."""
