import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("store", "0006_imported"),
    ]

    operations = [
        migrations.AddField(
            model_name="attempt",
            name="edits",
            field=models.JSONField(default=list),
        ),
        migrations.CreateModel(
            name="CourseTry",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("chapter", models.CharField(max_length=60)),
                ("step", models.CharField(max_length=60)),
                ("number", models.PositiveIntegerField()),
                ("answers", models.JSONField(default=dict)),
                ("edits", models.JSONField(default=list)),
                ("share", models.FloatField()),
                ("right", models.BooleanField()),
                ("at", models.DateTimeField()),
                (
                    "annotator",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="course_tries", to="store.annotator"
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
                "constraints": [
                    models.UniqueConstraint(fields=("annotator", "step", "number"), name="one_course_try")
                ],
            },
        ),
    ]
