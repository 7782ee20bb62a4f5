import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("store", "0005_drafts"),
    ]

    operations = [
        migrations.CreateModel(
            name="ImportedFile",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField()),
                ("name", models.CharField(max_length=200)),
                ("layout", models.JSONField(default=dict)),
                ("at", models.DateTimeField()),
                (
                    "study",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="imported_files", to="store.study"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="ImportedEntry",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("position", models.PositiveIntegerField()),
                ("text", models.TextField()),
                (
                    "annotator",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="imported_entries",
                        to="store.annotator",
                    ),
                ),
                (
                    "item",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="imported_entries", to="store.item"
                    ),
                ),
                (
                    "stage",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="imported_entries", to="store.stage"
                    ),
                ),
                (
                    "file",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="entries", to="store.importedfile"
                    ),
                ),
            ],
            options={
                "ordering": ["file__number", "position"],
            },
        ),
        migrations.AddConstraint(
            model_name="importedfile",
            constraint=models.UniqueConstraint(fields=("study", "number"), name="imported_file_number"),
        ),
        migrations.AddConstraint(
            model_name="importedentry",
            constraint=models.UniqueConstraint(fields=("file", "position"), name="imported_position"),
        ),
    ]
