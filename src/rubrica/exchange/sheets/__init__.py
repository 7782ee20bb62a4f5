"""Excel sheets for annotators: written with everything they need, read back with every problem named."""
