"""The demonstration: studies that we wrote, worked on by simulated people."""
