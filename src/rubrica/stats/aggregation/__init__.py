"""What raters together say of each unit: one way of putting answers together in each file."""
