"""Addresses of this room."""

from django.urls import path

from rubrica.studio.studies import invite, items, items_add, items_targets, members, new, views
from rubrica.studio.studies.rubric import protocol_yaml
from rubrica.studio.studies.setup_annotators import annotators
from rubrica.studio.studies.setup_ethics import ethics
from rubrica.studio.studies.setup_items import items as setup_items
from rubrica.studio.studies.setup_launch import launch
from rubrica.studio.studies.setup_payment import arithmetic, payment
from rubrica.studio.studies.setup_protocol import protocol
from rubrica.studio.studies.setup_quality import quality
from rubrica.studio.studies.setup_review import review
from rubrica.studio.studies.setup_steps import setup
from rubrica.studio.studies.splitting import splitting
from rubrica.studio.studies.translations import translation, translation_file, translations
from rubrica.studio.studies.versions import new_version

urlpatterns = [
    path("studies/", views.studies, name="studies"),
    path("studies/new/", new.new_study, name="new_study"),
    path("studies/new/name/", new.new_name, name="new_name"),
    path("split/", splitting, name="splitting"),
    path("translations/", translations, name="translations"),
    path("translations/<str:code>/<str:part>.po", translation_file, name="translation_file"),
    path("translations/<str:code>/<str:part>/", translation, name="translation"),
    path("studies/<str:study>/restore/", views.restore_study, name="restore_study"),
    path("s/<str:study>/delete/", views.delete_study, name="delete_study"),
    path("s/<str:study>/setup/", setup, name="setup"),
    path("s/<str:study>/setup/protocol/", protocol, name="setup_protocol"),
    path("s/<str:study>/protocol.yaml", protocol_yaml, name="protocol_yaml"),
    path("s/<str:study>/setup/items/", setup_items, name="setup_items"),
    path("s/<str:study>/setup/review/", review, name="setup_review"),
    path("s/<str:study>/setup/annotators/", annotators, name="setup_annotators"),
    path("s/<str:study>/setup/ethics/", ethics, name="setup_ethics"),
    path("s/<str:study>/setup/quality/", quality, name="setup_quality"),
    path("s/<str:study>/setup/payment/", payment, name="setup_payment"),
    path("s/<str:study>/setup/payment/arithmetic/", arithmetic, name="setup_arithmetic"),
    path("s/<str:study>/setup/launch/", launch, name="setup_launch"),
    # Links, members, items, new versions
    path("s/<str:study>/items/", items.items, name="items"),
    path("s/<str:study>/items/add/", items_add.items_add, name="items_add"),
    path("s/<str:study>/items/add/undo/", items_add.undo, name="items_undo"),
    path("s/<str:study>/items/targets/", items_targets.targets, name="items_targets"),
    path("s/<str:study>/items/<str:pid>/", items.item, name="item"),
    path("s/<str:study>/items/<str:pid>/close/", items.close, name="item_close"),
    path("s/<str:study>/items/<str:pid>/reopen/", items.reopen, name="item_reopen"),
    path("s/<str:study>/invite/", invite.invite, name="invite"),
    path("s/<str:study>/invite/people/", invite.people, name="invite_people"),
    path("s/<str:study>/invite/door/", invite.door, name="invite_door"),
    path("s/<str:study>/invite/links.csv", invite.links_csv, name="invite_csv"),
    path("s/<str:study>/invite/<str:pid>/cap/", invite.cap, name="invite_cap"),
    path("s/<str:study>/invite/<str:pid>/revoke/", invite.revoke, name="invite_revoke"),
    path("s/<str:study>/invite/<str:pid>/renew/", invite.renew, name="invite_renew"),
    path("s/<str:study>/members/", members.members, name="members"),
    path("s/<str:study>/members/add/", members.add, name="members_add"),
    path("s/<str:study>/members/remove/", members.remove, name="members_remove"),
    path("s/<str:study>/members/transfer/", members.transfer, name="members_transfer"),
    path("s/<str:study>/members/invite/", members.invite_account, name="members_invite"),
    path("s/<str:study>/new-version/", new_version, name="new_version"),
]
