"""Runs and keys of what collects a benchmark."""

from __future__ import annotations

RUNS: tuple[tuple[str, ...], ...] = (
    ("prepare", "sentences", "sentences.txt", "--as-paper", "--sample", "1", "--seed", "1", "--json"),
    (
        *("study", "new", "bench", "--protocol", "split_rewrite", "--protocol", "split_rate"),
        *("--items", "bench.csv", "--json"),
    ),
    ("prepare", "comparison", "outputs.csv", "--sample", "1", "--into", "systems", "--json"),
    ("describe", "rewrites.csv", "--human", "rewrites", "--json"),
)
SENTENCES = 'id,source\ns1,"Ana, who sings, left."\n'
OUTPUTS = 'source,rewrite,system\n"Ana, who sings, left.",Ana sings. She left.,rules\n'
MEANINGS = {
    "study.collected": "of a study in which people write and others judge what they wrote: how far its items are",
    "study.collected.sentences": "items that the researcher gave",
    "study.collected.waiting": "those that want more answers of writers",
    "study.collected.handed_on": "those whose texts reached the judges",
    "study.collected.discarded": "those that enough writers flagged",
    "study.collected.left_out": "those that a researcher closed",
    "study.collected.texts": "texts that were handed on",
    "study.collected.places": "texts asked for per item",
    "study.collected.skips": "how often a writer passed an item on",
    "study.collected.short": "ids of items that are settled and have fewer texts than asked for",
}
PREPARE = {
    "pairs": "how many pairs were drawn",
    "cells": "how many of each data set and system",
    "cells[].dataset": "the data set",
    "cells[].system": "the system; `human` for rewrites of people",
    "cells[].pairs": "how many pairs",
    "study": "the study that was made, or nothing",
    "file": "the file that was written, or nothing",
    "sentences": "how many sentences the file has",
    "fitting": "how many passed the filter",
    "drawn": "how many of these were drawn",
    "reasons": "how many were left out for each reason",
    "reasons.characters": "other characters than letters, digits, spaces, commas and periods; the other reasons are "
    "`empty`, `start`, `end`, `punctuation`, `one_sentence`, `short`, `long`, `simple` and `duplicate`",
    "items": "those drawn, in the order of the file",
    "items[].id": "s and the line",
    "items[].source": "the sentence",
    "rejected": "those left out",
    "rejected[].line": "the line",
    "rejected[].reason": "the reason, as above",
    "rejected[].what": "what in the sentence shows it",
    "rejected[].source": "the sentence",
}
DESCRIBE = {
    "datasets": "the data sets, in the order of the files",
    "datasets[].name": "the name of the file",
    "datasets[].human": "whether people wrote the rewrites; null if nobody says",
    "datasets[].complex": "complex sentences that differ",
    "datasets[].simple": "rewrites",
    "datasets[].tokens_per_complex": "tokens a complex sentence",
    "datasets[].sentences_per_simple": "sentences a rewrite",
}
