"""Addresses of this room."""

from django.contrib.auth.views import LoginView, LogoutView
from django.urls import path

from rubrica.studio.accounts import views

urlpatterns = [
    path("", views.start, name="start"),
    path("health", views.health, name="health"),
    path("sign-in/", LoginView.as_view(template_name="accounts/sign_in.html"), name="sign_in"),
    path("sign-out/", LogoutView.as_view(next_page="sign_in"), name="sign_out"),
    path("first/<str:token>/", views.first_account, name="first_account"),
    path("account/", views.account, name="account"),
    path("language/", views.language, name="language"),
]
