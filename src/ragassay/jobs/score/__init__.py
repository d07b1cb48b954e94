"""What predictions are worth: ``ragassay evaluate``, and the metrics that a user asks for."""
