"""Whether systems differ: resampling, paired tests, correction for many tests, ranks; one per file."""
