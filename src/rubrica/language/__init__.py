"""What Rubrica knows about languages: sentences, syllables, frequencies, parses; each behind one seam."""
