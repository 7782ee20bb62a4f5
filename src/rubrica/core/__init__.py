"""The nouns of Rubrica as frozen, typed objects; pure: no files, no clock, no database."""
