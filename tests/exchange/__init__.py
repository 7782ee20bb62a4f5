"""Tests of files: tables, records and Excel sheets."""
