"""Money: what work costs, what people earned, and what was paid."""
