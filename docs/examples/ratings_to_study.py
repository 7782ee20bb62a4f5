"""From a table of ratings to a study: its items, and what each rater said of them.

Usage: python ratings_to_study.py RATINGS.csv ITEMS.csv JUDGEMENTS.jsonl
"""

import csv
import json
import sys

SCALES = ("sensible", "grammatical")
YES_OR_NO = ("missing_facts", "new_facts", "wrong_split", "further_split")

ratings, items, judgements = sys.argv[1:]
with open(ratings, encoding="utf-8", newline="") as before:
    rows = list(csv.DictReader(before))
with open(items, "w", encoding="utf-8", newline="") as after:
    writer = csv.writer(after)
    writer.writerow(["id", "source", "rewrite", "system", "dataset"])
    for name, row in {f"{row['text']}-{row['system']}": row for row in rows}.items():
        writer.writerow([name, row["original"], row["rewrite"], row["system"], row["dataset"]])
with open(judgements, "w", encoding="utf-8") as after:
    for row in rows:
        answers = {name: int(row[name]) for name in SCALES} | {name: row[name] for name in YES_OR_NO}
        said = {"item": f"{row['text']}-{row['system']}", "annotator": row["rater"], "answers": answers}
        after.write(json.dumps(said) + "\n")
