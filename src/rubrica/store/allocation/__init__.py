"""Allocation: who gets which item, as a lease of the studio or as a row of a sheet."""
