"""What predictions are worth: ``ragassay score`` and ``evaluate``, and the metrics that a user asks for."""
