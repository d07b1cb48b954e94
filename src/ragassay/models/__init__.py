EMBEDDED = "embedded"
"""The name of the model, and of the encoder, that are asked in this process."""
