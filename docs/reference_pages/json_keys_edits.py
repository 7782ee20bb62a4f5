"""The keys that commands about edits print with `--json`, and what they mean."""

from __future__ import annotations

RUNS: tuple[tuple[str, ...], ...] = (
    ("edits", "summary", "edits/annotated.json", "--by", "system", "--json"),
    (
        *("edits", "agree", "edits/selection/ana.json", "edits/selection/ben.json", "edits/selection/eva.json"),
        "--json",
    ),
    ("edits", "score", "edits/annotated.json", "--json"),
    ("edits", "tag", "train", "edits/annotated.json", "-o", "model.json", "--json"),
    ("edits", "tag", "run", "rewrites.csv", "--model", "model.json", "-o", "tags.jsonl", "--json"),
    ("edits", "tag", "evaluate", "edits/annotated.json", "--folds", "3", "--json"),
)

CLOSED = ("operations", "types", "shares", "families", "ratings", "systems", "skipped", "results[].f1")
"""Objects whose keys are data: names of types, operations and systems."""

SCORES = {
    "total": "the score",
    "quality": "what successful edits add to it",
    "error": "what failed edits take from it",
    "conceptual": "the part of conceptual edits",
    "syntax": "the part of syntax edits",
    "lexical": "the part of lexical edits",
}
RATED = {
    "mean": "the mean rating, from 1 to 3",
    "points": "how many edits have each rating",
    "points.1": "minor",
    "points.2": "somewhat",
    "points.3": "a lot",
    "unrated": "edits without a rating: trivial changes, or not yet rated",
}
F1 = {
    "f1": "F1: twice the matched edits by all edits of both annotators",
    "low": "lower end of its 95 % interval",
    "high": "upper end",
}
ALIKE = {
    "edits": "how many matched edits both annotators judged",
    "share": "the share of them that they judged the same",
    "alpha": "Krippendorff's nominal alpha of it",
}

SUMMARY = {
    "annotations": "pairs as one annotator saw them: two annotators of a pair make two",
    "pairs": "how many pairs of a source and a rewrite",
    "edits": "how many edits",
    "untyped": "edits without a type: their questions are open",
    "constituents": "parts of composite edits, which are no edits of their own",
    "edits_per_sentence": "edits by annotations",
    "types": "edits of each type, for SALSA those of Table 1; an edit with a grammar error counts under Grammar, too",
    "shares": "the share of typed edits that are of each type",
    "sides": "the types of both sides added up",
    "sides.quality": "successes",
    "sides.error": "failures, trivial insertions that do not help among them",
    "families": "the same for each family",
    "trivial_insertions": "insertions among the trivial changes, by whether they help the reader",
    "trivial_insertions.helpful": "they do, and count as quality",
    "trivial_insertions.unhelpful": "they do not, and count as error",
    "operations": "how many edits of each operation",
    "ratings": "for each type: `mean`, `points` and `unrated`",
    "efficacy": "how much successes help",
    **{f"efficacy.{key}": text for key, text in RATED.items()},
    "severity": "how much failures harm",
    **{f"severity.{key}": text for key, text in RATED.items()},
    "coverage": "the share of the texts that edits cover",
    "coverage.source": "of the sources",
    "coverage.source.characters": "in characters",
    "coverage.source.tokens": "in words between spaces",
    "coverage.rewrite": "of the rewrites",
    "coverage.rewrite.characters": "in characters",
    "coverage.rewrite.tokens": "in words between spaces",
    "systems": "by system: the same keys (`edits summary`), or mean scores and number of sentences (`edits score`)",
}
AGREEMENT = {
    "annotators": "how many annotators each counted pair has",
    "left_out": "pairs with another number of annotators",
    "tokens": "words between spaces, of both sides of the counted pairs",
    "results": "the rows of the table",
    "results[].label": "operation, with information change or level",
    "results[].edit": "the first column of SALSA's Table 2",
    "results[].subtype": "its second column",
    "results[].kappa": "Fleiss' kappa over all words",
    "results[].alpha": "Krippendorff's nominal alpha over all words",
    "results[].three_agree": "of the words with the label, those with three marks, in per cents cut as in the paper",
    "results[].two_agree": "the same with two marks or more, each part cut before adding",
    "results[].low": "lower end of the 95 % interval, of kappa or of the mean F1",
    "results[].high": "upper end",
    "results[].three_share": "three_agree as an exact share",
    "results[].two_share": "two_agree as an exact share",
    "results[].tokens": "words with the label, by anybody",
    "skipped": "marks that no row of the table counts, by label",
    "spans": "whether annotators found the same edits",
    "spans.exact": "edits that are the same to the character",
    **{f"spans.exact.{key}": text for key, text in F1.items()},
    "spans.overlap": "edits that overlap enough",
    **{f"spans.overlap.{key}": text for key, text in F1.items()},
    "spans.least_overlap": "how much is enough",
    "spans.pairs": "pairs with two annotators or more",
    "spans.annotators": "the same for every two annotators",
    "spans.annotators[].annotators": "the two",
    "spans.annotators[].edits": "edits of both together",
    "spans.annotators[].exact": "F1 of equal edits",
    "spans.annotators[].overlap": "F1 of overlapping edits",
    "matched": "whether annotators judge the edits alike that both found",
    "matched.types": "by type",
    **{f"matched.types.{key}": text for key, text in ALIKE.items()},
    "matched.ratings": "by rating, where the type is of the same side",
    **{f"matched.ratings.{key}": text for key, text in ALIKE.items()},
    "matched.ratings.difference": "the mean distance of the two ratings",
    "error_types": "whether annotators agree that a rewrite has such an error at all",
    "error_types[].type": "the type",
    "error_types[].kappa": "Fleiss' kappa over rewrites",
    "error_types[].two_agree": "of rewrites with the error by anybody, the share with it by two or more",
    "error_types[].frequency": "the share of annotations that have it",
}
SCORING = {
    "weights": "whose weights: `rubrica` or `published`",
    "sentences": "every annotated pair",
    "sentences[].item": "the item's id, or the number of the entry in the file",
    "sentences[].system": "its system",
    "sentences[].annotator": "whose edits these are",
    **{f"sentences[].{key}": text for key, text in SCORES.items()},
    "sentences[].edits": "how many edits",
    "sentences[].unscored": "edits without type or rating, which count as 0",
    "mean": "the mean over sentences",
    **{f"mean.{key}": text for key, text in SCORES.items()},
}
TAGGING = {
    "words": "how many words, of both sides",
    "tags": "how many of them are",
    "tags.good": "good",
    "tags.ok": "ok",
    "tags.bad": "bad",
    "model": "the name of the model, from its content",
    "results[].held_out": "what training did not see: `sentences` or `systems`",
    "results[].tagger": "which way of tagging",
    "results[].f1": "F1 of each tag over words",
    "results[].macro_f1": "the mean of the three",
    "results[].pairs": "how many pairs were tested",
    "results[].words": "how many words",
}
MEANINGS = {**SUMMARY, **AGREEMENT, **SCORING, **TAGGING}
