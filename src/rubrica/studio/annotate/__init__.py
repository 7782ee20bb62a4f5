"""The annotator's pages: from welcome to thanks, and the work between."""
