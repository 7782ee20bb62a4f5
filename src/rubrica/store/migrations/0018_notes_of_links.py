from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('store', '0017_fewer_indexes'),
    ]

    operations = [
        migrations.AddField(
            model_name='invitation',
            name='note',
            field=models.CharField(default='', max_length=200),
        ),
    ]
