"""The tables, drawn in design/001-data-model.md."""

from rubrica.store.models.audit import AuditEvent
from rubrica.store.models.people import Annotator, Payment, Profile
from rubrica.store.models.studies import Item, Planted, ProtocolVersion, Stage, Study
from rubrica.store.models.work import Assignment, Edit, Judgement, Revision, Sheet

__all__ = [
    "Annotator",
    "Assignment",
    "AuditEvent",
    "Edit",
    "Item",
    "Judgement",
    "Payment",
    "Planted",
    "Profile",
    "ProtocolVersion",
    "Revision",
    "Sheet",
    "Stage",
    "Study",
]
