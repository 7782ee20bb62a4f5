"""Metrics as annotators: their numbers stand apart from judgements, because they answer no question (design/011)."""

from django.db import models

from rubrica.core.names import METRIC_PREFIX
from rubrica.store.models.people import Annotator
from rubrica.store.models.rows import Row
from rubrica.store.models.studies import Item


class MetricRegistration(Row):
    """What an annotator of the kind metric is: which figure, under which settings. Never changed, only removed.

    ``figure`` is the key under which `rubrica score` gives it, ``better`` is higher, lower or neither, ``signature``
    every setting that the numbers depend on. ``metric`` with its ``options`` is what makes figures of whole systems of
    the scores' statistics; both are empty where nobody gave them.
    """

    annotator = models.OneToOneField(Annotator, models.CASCADE, related_name="metric")
    figure = models.CharField(max_length=100)
    title = models.CharField(max_length=200)
    better = models.CharField(max_length=10)
    signature = models.TextField()
    metric = models.CharField(max_length=100, default="", blank=True)
    options = models.JSONField(default=dict, blank=True)

    @property
    def name(self) -> str:
        """What it is called where it is clear that it is a metric: ``sari``, and ``sari-2`` under other settings."""
        return self.annotator.name.removeprefix(METRIC_PREFIX)

    @property
    def settings(self) -> str:
        """The signature as a list that can be broken into lines."""
        return self.signature.replace("|", ", ")


class MetricScore(Row):
    """The number that a metric gives one item, on its own scale. Where it is undefined there is no row.

    ``statistics`` are the metric's counts of the item, which can be added; ``left_out`` is how many of its references
    were the rewrite itself.
    """

    annotator = models.ForeignKey(Annotator, models.CASCADE, related_name="scores")
    item = models.ForeignKey(Item, models.CASCADE, related_name="scores")
    value = models.FloatField()
    statistics = models.JSONField(null=True)
    left_out = models.PositiveSmallIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["annotator", "item"], name="one_metric_score")]
