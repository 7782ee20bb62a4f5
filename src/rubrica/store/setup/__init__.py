"""Setting up a study and changing it while it runs."""
