"""One module for each part of the generated reference."""
