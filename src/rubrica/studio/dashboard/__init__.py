"""Watching a study: progress, people, judgements, exports."""
