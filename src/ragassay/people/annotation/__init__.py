"""Judgements made by people: what they are asked, who is asked what, and where their answers are kept."""
