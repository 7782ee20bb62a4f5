"""People: who is who, how they come in, what they agreed to, and how they leave."""
