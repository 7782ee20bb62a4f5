from django.db import migrations, models
from django.db.models import F, Value
from django.db.models.functions import Coalesce


def mark_late(apps, schema_editor):
    """Drafts after the pending one, or after the submitted one if none is pending, were not in force."""
    revisions = apps.get_model("store", "Revision").objects.filter(draft=True)
    in_force = Coalesce(F("judgement__pending__number"), F("judgement__current__number"), Value(0))
    late = revisions.annotate(in_force=in_force).filter(number__gt=F("in_force"))
    revisions.filter(pk__in=list(late.values_list("pk", flat=True))).update(late=True)


class Migration(migrations.Migration):
    dependencies = [
        ("store", "0004_reading"),
    ]

    operations = [
        migrations.AddField("revision", "late", models.BooleanField(default=False)),
        migrations.RunPython(mark_late, migrations.RunPython.noop),
    ]
