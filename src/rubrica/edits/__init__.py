"""Edit-level work: what the edits of a rewrite are, how they are counted, compared, scored and predicted."""
