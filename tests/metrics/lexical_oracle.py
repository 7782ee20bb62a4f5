"""The official scorer of substitutes told again, slowly and straight from its definition, for tests to compare with.

Works on the lines of two files and knows nothing of Rubrica. Every step is a loop over plain lists and dictionaries, in
the order of the submission, so that sums of floating-point numbers come in the order of the script's.
"""

from __future__ import annotations

import math


def _parts(line: str) -> tuple[str, str, list[str]]:
    sentence, target, *rest = line.strip().split("\t")
    return sentence, target, [cell.strip() for cell in rest]


def _key(sentence: str, target: str) -> tuple[str, str]:
    """As MLSP 2024 joined rows; where TSAR 2022's own key finds its row, it finds the same."""
    return sentence.replace('"', "").strip(), target.replace('"', "").strip()


def scores(gold_lines: list[str], lines: list[str], at: tuple[int, ...], keep_target: bool) -> dict[str, float]:
    """Every figure, cut off after four digits. Raises KeyError, IndexError or ZeroDivisionError where it stops."""
    gold: dict[tuple[str, str], dict[str, int]] = {}
    for line in gold_lines:
        sentence, target, answers = _parts(line)
        votes: dict[str, int] = {}
        for answer in answers:
            if keep_target or answer != target:
                votes[answer] = votes.get(answer, 0) + 1
        gold[_key(sentence, target)] = votes
    guesses: dict[tuple[str, str], list[str]] = {}
    for line in lines:
        sentence, target, answers = _parts(line)
        kept: list[str] = []
        for answer in answers:
            if answer != target and answer not in kept:
                kept.append(answer)
        guesses[_key(sentence, target)] = kept
    found = {"ACC@1": sum(bool(own) and own[0] in gold[key] for key, own in guesses.items()) / len(guesses)}
    for k in at:
        found |= _at(gold, guesses, k)
    return {name: math.floor(value * 10_000) / 10_000 for name, value in found.items()}


def _at(
    gold: dict[tuple[str, str], dict[str, int]], guesses: dict[tuple[str, str], list[str]], k: int
) -> dict[str, float]:
    top = potential = hits_all = labels_all = matched_all = 0
    ap_sum = precision_sum = recall_sum = 0.0
    for key, own in guesses.items():
        votes = gold[key]
        first = own[:k]
        seen, ap = 0, 0.0
        for rank, word in enumerate(first, start=1):
            if word in votes:
                seen += 1
                ap += seen / rank
        ap_sum += ap / k
        if not first:
            continue
        highest = [word for word, count in votes.items() if count == sorted(votes.values())[-1]]
        top += any(word in highest for word in first)
        potential += seen > 0
        matched = len([word for word in votes if word in first])
        precision_sum += seen / len(first)
        recall_sum += matched / len(votes)
        hits_all, labels_all, matched_all = hits_all + seen, labels_all + len(first), matched_all + matched
    many = len(guesses)
    precision, recall = precision_sum / many, recall_sum / many
    micro = (hits_all / labels_all, matched_all / labels_all) if labels_all else (0.0, 0.0)
    return {
        f"ACC@{k}@Top1": top / many,
        f"Potential@{k}": potential / many,
        f"MAP@{k}": ap_sum / many,
        f"P@{k}": precision,
        f"R@{k}": recall,
        f"F1@{k}": 2 * precision * recall / (precision + recall) if precision + recall else 0.0,
        f"micro P@{k}": micro[0],
        f"micro R@{k}": micro[1],
        f"micro F1@{k}": 2 * micro[0] * micro[1] / (micro[0] + micro[1]) if sum(micro) else 0.0,
    }
