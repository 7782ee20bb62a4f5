"""Addresses of this room."""

from django.urls import URLPattern, path

from rubrica.studio import static_files
from rubrica.studio.annotate import (
    consent,
    course,
    desk_preview,
    history,
    join,
    languages,
    practice,
    profile,
    qualification,
    steps,
    thanks,
    welcome,
    work,
)

urlpatterns: list[URLPattern] = [
    path("join/<str:token>/", join.join, name="join"),
    path("w/worker.js", static_files.worker, name="service_worker"),
    path("w/<str:token>/", steps.start, name="annotator_start"),
    path("w/<str:token>/welcome/", welcome.welcome, name="annotator_welcome"),
    path("w/<str:token>/consent/", consent.consent, name="annotator_consent"),
    path("w/<str:token>/profile/", profile.profile, name="annotator_profile"),
    path("w/<str:token>/guidelines/", welcome.guidelines, name="annotator_guidelines"),
    path("w/<str:token>/course/", course.course, name="annotator_course"),
    path("w/<str:token>/course/done/", course.course_done, name="annotator_course_done"),
    path("w/<str:token>/course/<str:chapter>/", course.course_stage, name="annotator_course_stage"),
    path("w/<str:token>/course/<str:chapter>/<int:at>/", course.course_step, name="annotator_course_step"),
    path("w/<str:token>/practice/", practice.practice, name="annotator_practice"),
    path("w/<str:token>/practice/done/", practice.practice_done, name="annotator_practice_done"),
    path("w/<str:token>/practice/<int:number>/<int:at>/", practice.practice_page, name="annotator_practice_page"),
    path("w/<str:token>/qualification/", qualification.qualification, name="annotator_qualification"),
    path(
        "w/<str:token>/qualification/<int:number>/<int:at>/",
        qualification.qualification_page,
        name="annotator_qualification_page",
    ),
    path("w/<str:token>/thanks/", thanks.thanks, name="annotator_thanks"),
    path("w/<str:token>/history/", history.history, name="annotator_history"),
    path("w/<str:token>/history/<str:feedback>/read/", history.feedback_read, name="annotator_feedback_read"),
    path("w/<str:token>/flags/<str:flag>/take-back/", history.flag_taken_back, name="annotator_flag_taken_back"),
    path("w/<str:token>/device/", join.device, name="annotator_device"),
    path("w/<str:token>/withdraw/", consent.withdraw, name="annotator_withdraw"),
    path("w/<str:token>/language/", languages.choose, name="annotator_language"),
    path("w/<str:token>/work/", work.work, name="annotator_work"),
    path("w/<str:token>/work/guide/<str:stage>/", work.work_guide, name="annotator_work_guide"),
    path("w/<str:token>/work/<str:lease>/", work.work_item, name="annotator_work_item"),
    path("protocols/<str:protocol>/preview/<int:number>/", desk_preview.protocol_preview, name="protocol_preview"),
    path("protocols/<str:protocol>/preview/<int:number>/submit", desk_preview.preview_submit, name="preview_submit"),
    path("protocols/<str:protocol>/guide/", desk_preview.protocol_guide, name="protocol_guide"),
    path("s/<str:study>/try/<int:number>/", desk_preview.try_study, name="try_study"),
    path("s/<str:study>/try/<int:number>/submit", desk_preview.try_submit, name="try_submit"),
]
