"""Answers, contexts and questions judged: labels, critiques, support, refusals; and the extractive answerer."""
