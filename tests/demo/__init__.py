"""Tests of the demonstration and its simulated people."""
