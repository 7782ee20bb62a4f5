import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("store", "0003_sign_in"),
    ]

    operations = [
        migrations.CreateModel(
            name="ReadMark",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("subject", models.CharField(max_length=40)),
                ("reader", models.CharField(max_length=200)),
                ("at", models.DateTimeField()),
                (
                    "study",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="read_marks", to="store.study"
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("study", "subject"), name="one_read_mark")],
            },
        ),
    ]
