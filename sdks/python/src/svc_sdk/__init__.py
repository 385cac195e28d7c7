"""Client with which an AI agent asks before it acts. See ``Governance``; errors are in ``svc_sdk.errors``."""

from ._actions import may_proceed
from ._version import __version__
from .answers import Action, Approval, ApprovedRequest, Decision, Handshake, NewDelegation
from .client import AsyncCalls, Governance
from .errors import GovernanceError
from .options import ActionRequest, SideError, Wait
from .webhooks import WebhookDelivery, WebhookNotVerified, verify_webhook

__all__ = [
    "Action",
    "ActionRequest",
    "Approval",
    "ApprovedRequest",
    "AsyncCalls",
    "Decision",
    "Governance",
    "GovernanceError",
    "Handshake",
    "NewDelegation",
    "SideError",
    "Wait",
    "WebhookDelivery",
    "WebhookNotVerified",
    "__version__",
    "may_proceed",
    "verify_webhook",
]
