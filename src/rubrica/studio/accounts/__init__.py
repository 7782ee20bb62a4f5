"""Signing in, accounts and personal tokens."""
