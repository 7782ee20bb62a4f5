"""Metrics that are models: extras, with weights that are on the machine or not used, for nothing is downloaded here."""
