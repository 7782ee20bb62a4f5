"""The tables, drawn in design/001-data-model.md."""

from rubrica.store.models.audit import AuditEvent, HealthCheck
from rubrica.store.models.course import CourseTry
from rubrica.store.models.imports import ImportedEntry, ImportedFile
from rubrica.store.models.jobs import Job
from rubrica.store.models.metrics import MetricRegistration, MetricScore
from rubrica.store.models.people import Annotator, IdentityKey, Payment, Profile
from rubrica.store.models.reviewing import Feedback, Flag, ReadMark, Review
from rubrica.store.models.studies import Item, Planted, ProtocolVersion, Stage, Study
from rubrica.store.models.taking_part import (
    Attempt,
    Consent,
    ConsentReading,
    ConsentText,
    ExternalIdentity,
    Invitation,
    StepDone,
)
from rubrica.store.models.team import ApiToken, LoginFailure, Member
from rubrica.store.models.work import (
    Assignment,
    Edit,
    EditSuggestion,
    Judgement,
    Revision,
    Sheet,
    SuggestionFate,
)
