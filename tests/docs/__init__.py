"""The documentation, tested: its examples run, its reference is complete, its site builds."""
