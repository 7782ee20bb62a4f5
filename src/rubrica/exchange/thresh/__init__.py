"""Thresh (thresh.tools): its templates as protocols, its data files in and out."""
