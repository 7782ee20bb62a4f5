"""Addresses of this room."""

from django.contrib.auth.views import LogoutView
from django.urls import path

from rubrica.studio.accounts import administration, own, sign_up, views
from rubrica.studio.accounts.sign_in import SignIn
from rubrica.studio.storage import health

urlpatterns = [
    path("", views.start, name="start"),
    path("health", health, name="health"),
    path("sign-in/", SignIn.as_view(), name="sign_in"),
    path("sign-out/", LogoutView.as_view(next_page="sign_in"), name="sign_out"),
    path("first/<str:token>/", views.first_account, name="first_account"),
    path("sign-up/<str:token>/", sign_up.sign_up, name="sign_up"),
    path("new-password/<str:token>/", sign_up.new_password, name="new_password"),
    path("account/", own.account, name="account"),
    path("account/password/", own.password, name="change_password"),
    path("account/tokens/", own.make_token, name="make_token"),
    path("account/tokens/<str:pid>/revoke/", own.revoke_token, name="revoke_token"),
    path("accounts/", administration.everyone, name="accounts"),
    path("accounts/invite/", administration.invite, name="invite_account"),
    path("accounts/password-link/", administration.password_link, name="password_link"),
    path("accounts/switch/", administration.switch, name="switch_account"),
    path("language/", views.language, name="language"),
]
