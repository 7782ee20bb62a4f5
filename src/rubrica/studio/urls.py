"""Every address of the studio, by room."""

from django.urls import URLPattern, URLResolver, include, path

from rubrica.studio.marked_texts import colours_css

urlpatterns: list[URLPattern | URLResolver] = [
    # First, because every save looks here.
    path("api/v1/", include("rubrica.studio.api.urls")),
    path("colours/<str:name>.css", colours_css, name="look_colours"),
    path("", include("rubrica.studio.accounts.urls")),
    path("", include("rubrica.studio.studies.urls")),
    path("", include("rubrica.studio.dashboard.urls")),
    path("", include("rubrica.studio.annotate.urls")),
]
handler400 = "rubrica.studio.errors.bad"
handler404 = "rubrica.studio.errors.not_found"
handler403 = "rubrica.studio.errors.refused"
handler500 = "rubrica.studio.storage.broken"
