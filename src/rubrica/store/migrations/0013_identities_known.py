from django.db import migrations

from rubrica.core.errors import wrong
from rubrica.home.database import KEY_FILE, current_home, secret_key
from rubrica.store.people.identities import NAME, PLATFORM, digest, fingerprint, unknown

CHUNK = 500


def know_everybody(apps, schema_editor):
    """Give everybody who is there their identity. Whoever was erased before left no name to know them by."""
    Annotator, Item = apps.get_model("store", "Annotator"), apps.get_model("store", "Item")
    people = Annotator.objects.exclude(kind="metric")
    written = Item.objects.exclude(author="").order_by()
    if not people.exists() and not written.exists():
        return
    secret = _secret(apps, schema_editor)
    apps.get_model("store", "IdentityKey").objects.create(fingerprint=fingerprint(secret))
    external = {
        row.annotator_id: row for row in apps.get_model("store", "ExternalIdentity").objects.select_related("invitation")
    }
    arrived = set(apps.get_model("store", "Invitation").objects.exclude(came_by=None).values_list("annotator", flat=True))
    rows = list(people)
    for row in rows:
        place = external.get(row.pk)
        if place is not None:
            row.identity = digest(secret, PLATFORM, place.invitation.kind, place.participant)
        elif row.erased_at is not None or row.pk in arrived:
            row.identity = unknown()
        else:
            row.identity = digest(secret, NAME, row.name)
    Annotator.objects.bulk_update(rows, ["identity"], CHUNK)
    # Pseudonyms restarted in every study: which study an author of that name comes from must be said.
    for study, author in written.values_list("study", "author").distinct():
        Item.objects.filter(study=study, author=author).update(author_identity=digest(secret, NAME, author))


def _secret(apps, schema_editor):
    """The key of this home. On PostgreSQL it may be another home's: then the studio's must be here first."""
    links = apps.get_model("store", "Invitation").objects.exists()
    if schema_editor.connection.vendor == "postgresql" and links and not (current_home() / KEY_FILE).exists():
        raise wrong(
            "the upgrade needs the key of the studio that made this database's links",
            "identity_key",
            f"Start the upgrade in the home of `rubrica serve`, or copy its {KEY_FILE} here first.",
            file=str(current_home() / KEY_FILE),
        )
    return secret_key(current_home())


class Migration(migrations.Migration):
    """Apart from 0011: PostgreSQL changes no table in the transaction that changed its rows."""

    dependencies = [
        ("store", "0012_identities"),
    ]

    operations = [
        migrations.RunPython(know_everybody, migrations.RunPython.noop),
    ]
