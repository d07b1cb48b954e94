"""Re-ranking: the first chunks of a search, looked at again by something that is too slow for all of them."""
