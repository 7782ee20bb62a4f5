"""The tables, drawn in design/001-data-model.md."""

from rubrica.store.models.audit import AuditEvent, HealthCheck
from rubrica.store.models.jobs import ImportedEntry, ImportedFile, Job
from rubrica.store.models.metrics import MetricRegistration, MetricScore
from rubrica.store.models.people import Annotator, ApiToken, IdentityKey, LoginFailure, Member, Payment, Profile
from rubrica.store.models.studies import Item, Planted, ProtocolVersion, Stage, Study
from rubrica.store.models.taking_part import (
    Attempt,
    Consent,
    ConsentReading,
    ConsentText,
    CourseTry,
    ExternalIdentity,
    Invitation,
    StepDone,
)
from rubrica.store.models.work import (
    Assignment,
    Edit,
    EditSuggestion,
    Feedback,
    Flag,
    Judgement,
    ReadMark,
    Review,
    Revision,
    Sheet,
    SuggestionFate,
)
