"""What the server runs: `rubrica serve` tells the home by RUBRICA_HOME."""

import os
from pathlib import Path

from django.core.wsgi import get_wsgi_application

from rubrica.studio.settings import open_studio

open_studio(Path(os.environ["RUBRICA_HOME"]), os.environ.get("DATABASE_URL", ""))
application = get_wsgi_application()
