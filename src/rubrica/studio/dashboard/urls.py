"""Addresses of this room."""

from django.urls import path

from rubrica.studio.dashboard import (
    attention,
    controls,
    course,
    exports,
    judgements,
    overview,
    payments,
    people,
    person,
    results,
    reviews,
)

urlpatterns = [
    path("s/<str:study>/", overview.dashboard, name="dashboard"),
    path("s/<str:study>/live/", overview.live, name="dashboard_live"),
    path("s/<str:study>/run/", controls.run, name="run_study"),
    path("s/<str:study>/people/", people.people, name="people"),
    path("s/<str:study>/metrics/remove/", people.remove_metric, name="remove_metric"),
    path("s/<str:study>/people/<str:person>/", person.person_page, name="person"),
    path("s/<str:study>/people/<str:person>/act/", person.act, name="person_act"),
    path("s/<str:study>/course/", course.course, name="study_course"),
    path("s/<str:study>/judgements/<str:judgement>/", judgements.judgement_page, name="judgement"),
    path("s/<str:study>/judgements/<str:judgement>/review/", reviews.review, name="review_judgement"),
    path("s/<str:study>/judgements/<str:judgement>/feedback/", reviews.give_feedback, name="give_feedback"),
    path(
        "s/<str:study>/judgements/<str:judgement>/feedback/<str:words>/take-back/",
        reviews.take_feedback_back,
        name="take_feedback_back",
    ),
    path("s/<str:study>/attention/", attention.attention, name="attention"),
    path("s/<str:study>/attention/act/", attention.act, name="attention_act"),
    path("s/<str:study>/payments/", payments.payments_page, name="payments"),
    path("s/<str:study>/payments/record/", payments.record, name="record_payment"),
    path("s/<str:study>/payments/csv/", payments.payments_csv, name="payments_csv"),
    path("s/<str:study>/payments/<str:payment>/correct/", payments.correct, name="correct_payment"),
    path("s/<str:study>/results/", results.results, name="results"),
    path("s/<str:study>/results/state/", results.results_state, name="results_state"),
    path("s/<str:study>/results/archive/", results.results_archive, name="results_archive"),
    path("s/<str:study>/results/<path:part>", results.results_part, name="results_part"),
    path("s/<str:study>/export/", exports.export, name="export"),
    path("s/<str:study>/export/<str:export>/", exports.one_export, name="one_export"),
    path("s/<str:study>/export/<str:export>/file/", exports.export_file, name="export_file"),
]
