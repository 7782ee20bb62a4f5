"""The process that does long work: `python -m rubrica.studio.jobs`, started by `rubrica serve`."""
