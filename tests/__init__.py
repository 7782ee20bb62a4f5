"""Tests: twins of the source files, journeys through the commands, documentation that runs."""
