import django.db.models.deletion
from django.db import migrations, models

FATES = ["accepted", "adjusted", "rejected", "ignored"]


class Migration(migrations.Migration):

    dependencies = [
        ("store", "0007_course"),
    ]

    operations = [
        migrations.CreateModel(
            name="EditSuggestion",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key", models.CharField(max_length=100)),
                ("position", models.PositiveIntegerField()),
                ("engine", models.CharField(max_length=100)),
                ("operation", models.CharField(max_length=100)),
                ("parent", models.CharField(default="", max_length=100)),
                ("source_spans", models.JSONField(default=list)),
                ("rewrite_spans", models.JSONField(default=list)),
                ("created_at", models.DateTimeField()),
                (
                    "item",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="suggestions", to="store.item"
                    ),
                ),
                (
                    "stage",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="suggestions", to="store.stage"
                    ),
                ),
            ],
            options={
                "ordering": ["position"],
                "constraints": [models.UniqueConstraint(fields=("stage", "item", "key"), name="one_suggestion")],
            },
        ),
        migrations.CreateModel(
            name="SuggestionFate",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("fate", models.CharField(choices=[(word, word) for word in FATES], max_length=10)),
                ("edit", models.CharField(default="", max_length=100)),
                (
                    "revision",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="fates", to="store.revision"
                    ),
                ),
                (
                    "suggestion",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="fates", to="store.editsuggestion"
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("revision", "suggestion"), name="one_fate")],
            },
        ),
    ]
