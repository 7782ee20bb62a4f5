"""Learning the task: practice, the course, qualification."""
