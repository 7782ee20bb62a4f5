"""Word-level quality estimation: which words of a pair are good, ok or bad, without asking anybody.

Two backends give the same tags: a light model of ours, trained on the edits of a study, and LENS-SALSA.
"""
