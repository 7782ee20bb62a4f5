"""Tests of tables and charts."""
