"""From the export of a split_rewrite study to items for split_rate: one row for each rewrite, with its writer.

A sentence that most of its writers flagged is left out, whatever the others wrote.

Usage: python rewrites_to_items.py REWRITES.csv ITEMS.csv
"""

import csv
import sys
from collections import Counter

rewrites, items = sys.argv[1:]
with open(rewrites, encoding="utf-8", newline="") as before:
    rows = [row for row in csv.DictReader(before) if row["outcome"] in ("answered", "too_simple", "too_problematic")]
said = Counter(row["item"] for row in rows)
flagged = Counter(row["item"] for row in rows if row["outcome"] != "answered")
with open(items, "w", encoding="utf-8", newline="") as after:
    writer = csv.DictWriter(after, ["id", "source", "rewrite", "author"])
    writer.writeheader()
    for row in rows:
        if row["outcome"] == "answered" and flagged[row["item"]] * 2 <= said[row["item"]]:
            name = f"{row['item']}-{row['annotator']}"
            writer.writerow(
                {"id": name, "source": row["source"], "rewrite": row["rewrite"], "author": row["annotator"]}
            )
