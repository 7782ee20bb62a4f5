"""Ranks and clusters, derived by hand."""

from __future__ import annotations

from rubrica.stats.significance.clusters import Rank, ranks


def test_a_cluster_ends_where_all_above_beat_all_below() -> None:
    """b is not told apart from a, nor from c: one cluster of three; d loses to all, so it is a second."""
    better = {("a", "c"): True, ("a", "d"): True, ("b", "d"): True, ("c", "d"): True}
    found = ranks({"d": 1.0, "b": 3.0, "a": 4.0, "c": 2.0}, better)
    assert found == [
        Rank("a", 4.0, 1, 1, 2, 1),  # better than c and d: at worst second
        Rank("b", 3.0, 2, 1, 3, 1),  # better than d only
        Rank("c", 2.0, 3, 2, 3, 1),  # a is better: at best second
        Rank("d", 1.0, 4, 4, 4, 2),
    ]


def test_equal_scores_share_a_place() -> None:
    """Two systems with the same score have the same place and cluster."""
    assert [(one.system, one.place, one.cluster) for one in ranks({"a": 1.0, "b": 1.0, "c": 0.5}, {})] == [
        ("a", 1, 1),
        ("b", 1, 1),
        ("c", 3, 1),
    ]


def test_systems_that_all_differ_are_clusters_of_one() -> None:
    """Each boundary is a boundary of clusters."""
    better = {("a", "b"): True, ("a", "c"): True, ("b", "c"): True}
    assert [one.cluster for one in ranks({"a": 3.0, "b": 2.0, "c": 1.0}, better)] == [1, 2, 3]
