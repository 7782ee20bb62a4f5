"""`rubrica score`: automatic metrics of systems, from files, tables and studies."""
