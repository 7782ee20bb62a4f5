"""What must not move unseen."""
