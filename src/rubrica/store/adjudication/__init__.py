"""Adjudication: what an earlier stage hands on, and what researchers decide about items and judgements."""
