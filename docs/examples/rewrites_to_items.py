"""From the export of a split_rewrite study to items for split_rate: one row for each rewrite, with its writer.

Usage: python rewrites_to_items.py REWRITES.csv ITEMS.csv
"""

import csv
import sys

rewrites, items = sys.argv[1:]
with open(rewrites, encoding="utf-8", newline="") as before, open(items, "w", encoding="utf-8", newline="") as after:
    writer = csv.DictWriter(after, ["id", "source", "rewrite", "author"])
    writer.writeheader()
    for row in csv.DictReader(before):
        if row["outcome"] == "answered":
            name = f"{row['item']}-{row['annotator']}"
            writer.writerow(
                {"id": name, "source": row["source"], "rewrite": row["rewrite"], "author": row["annotator"]}
            )
