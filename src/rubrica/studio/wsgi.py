"""What the server runs: `rubrica serve` tells the home by RUBRICA_HOME."""

import os
from importlib import import_module
from pathlib import Path

from django.core.wsgi import get_wsgi_application
from django.db import connections
from django.db.backends.signals import connection_created

from rubrica.studio.serving import end_with_server
from rubrica.studio.settings import open_studio

open_studio(Path(os.environ["RUBRICA_HOME"]), os.environ.get("DATABASE_URL", ""))
connection_created.connect(import_module("rubrica.studio.storage").limit_waiting)
connections.close_all()
end_with_server()
application = get_wsgi_application()
# Now, so that the first visitor need not wait for it.
import_module("rubrica.studio.urls")
