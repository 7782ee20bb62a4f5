"""The API, assembled from the routers of this room, and its addresses.

The library's own page of documentation loads a script from an outside host, so it is switched off; ``openapi.json`` is
the description, and a page of our own shows it.
"""

from django.urls import URLPattern, URLResolver, path
from ninja import NinjaAPI

from rubrica.studio.api import (
    accounts,
    administration,
    arithmetic,
    attention,
    docs,
    exports,
    invitations,
    item_files,
    items,
    judgements,
    members,
    metrics,
    payments,
    people,
    protocols,
    quality,
    results,
    setup,
    studies,
    versions,
    work,
)
from rubrica.studio.api.errors import handle_errors, in_one_shape
from rubrica.studio.api.schemas import StrictParser

api = NinjaAPI(title="Rubrica", version="1", urls_namespace="api", docs_url=None, parser=StrictParser())
handle_errors(api)
api.add_router("/work", work.router, tags=["work"])
api.add_router("", accounts.router, tags=["account"])
api.add_router("/accounts", administration.router, tags=["accounts"])
api.add_router("/protocols", protocols.router, tags=["protocols"])
api.add_router("/studies", studies.router, tags=["studies"])
api.add_router("/studies/{study}", setup.router, tags=["setup"])
api.add_router("/studies/{study}", arithmetic.router, tags=["setup"])
api.add_router("/studies/{study}", versions.router, tags=["setup"])
api.add_router("/studies/{study}/items", item_files.router, tags=["items"])
api.add_router("/studies/{study}/items", items.router, tags=["items"])
api.add_router("/studies/{study}/invitations", invitations.router, tags=["invitations"])
api.add_router("/studies/{study}", members.router, tags=["members"])
api.add_router("/studies/{study}/annotators", people.router, tags=["annotators"])
api.add_router("/studies/{study}", judgements.router, tags=["judgements"])
api.add_router("/studies/{study}", attention.router, tags=["attention"])
api.add_router("/studies/{study}", quality.router, tags=["quality"])
api.add_router("/studies/{study}", results.router, tags=["results"])
api.add_router("/studies/{study}", metrics.router, tags=["results"])
api.add_router("/studies/{study}", payments.router, tags=["payments"])
api.add_router("/studies/{study}", exports.router, tags=["exports"])

_patterns, _app, _namespace = api.urls
in_one_shape(_patterns)
item_files.bound_files(_patterns)
urlpatterns: list[URLPattern | URLResolver] = [
    path("docs", docs.page, name="api_docs"),
    path("", (_patterns, _app, _namespace)),
]
