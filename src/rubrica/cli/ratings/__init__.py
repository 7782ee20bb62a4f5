"""Commands about ratings, of any file or of a study: agreement, checks, gold, reliability, comparison, planning."""
