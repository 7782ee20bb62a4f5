"""Making a study: protocol, items, settings, links, members."""
