from django.db import migrations


class Migration(migrations.Migration):
    """Apart from 0005: PostgreSQL changes no table in the transaction that changed its rows."""

    dependencies = [
        ("store", "0008_suggested_edits"),
    ]

    operations = [
        migrations.RemoveField("judgement", "pending"),
        migrations.RemoveField("judgement", "last_number"),
    ]
