"""What is done to texts before anybody is asked: choosing sentences for a benchmark."""
