"""Recording: what annotators said, into the database and out of it."""
