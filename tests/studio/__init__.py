"""Tests of pages and API."""
