"""What is published: tables and charts, put together from counts (edits) and statistics (stats)."""
