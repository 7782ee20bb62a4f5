"""The sections of a report, one file each: ratings and facts in, prose, tables and charts out."""
