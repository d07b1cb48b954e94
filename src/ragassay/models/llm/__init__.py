"""What lies between a model and its server: names, limits, retries, the log of calls, the budget."""
