"""Tests of the exchange with Thresh, with templates and data of our own."""
