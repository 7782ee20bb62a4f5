"""Long work: a row that a worker takes, and the file that it leaves."""
