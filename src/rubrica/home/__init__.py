"""The home: where studies live. Opened, locked, upgraded, kept private, and refused if it lost work (design/015)."""
