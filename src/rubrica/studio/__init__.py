"""The studio: Django pages and the API, for researchers and annotators."""
