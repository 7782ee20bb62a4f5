"""Tests of protocols as data: reading them, and those that ship."""
