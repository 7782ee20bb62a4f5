"""Registered metrics keep their counts of each item, so that figures of whole systems follow from them."""

from django.db import migrations, models


class Migration(migrations.Migration):
    """Two fields of the registration and two of the score; what is there already has none of them."""

    dependencies = [
        ("store", "0013_identities_known"),
    ]

    operations = [
        migrations.AddField(
            model_name="metricregistration",
            name="metric",
            field=models.CharField(blank=True, default="", max_length=100),
        ),
        migrations.AddField(
            model_name="metricregistration",
            name="options",
            field=models.JSONField(blank=True, default=dict),
        ),
        migrations.AddField(
            model_name="metricscore",
            name="statistics",
            field=models.JSONField(null=True),
        ),
        migrations.AddField(
            model_name="metricscore",
            name="left_out",
            field=models.PositiveSmallIntegerField(default=0),
        ),
    ]
