"""Secrets that only the detectors of detect-secrets know: the ones with fixed shapes.

Only the shapes are used: no settings, no verification, no network. A look at the text decides
whether the library is loaded at all, since it takes a quarter of a second.
"""

from __future__ import annotations

from importlib import import_module

from memtools.core.pattern import lazy
from memtools.core.screen_secrets import is_placeholder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

# Left out: the entropy and keyword detectors, which flag ordinary lines; public IP addresses, which
# are no secrets; Artifactory, which takes words in capitals for passwords; basic auth, JWT and npm,
# which need more than linear time on hostile lines, and private keys, which flags words about keys:
# these screen_secrets knows itself.
_PLUGINS = (
    ("aws", "AWSKeyDetector"),
    ("azure_storage_key", "AzureStorageKeyDetector"),
    ("cloudant", "CloudantDetector"),
    ("discord", "DiscordBotTokenDetector"),
    ("github_token", "GitHubTokenDetector"),
    ("gitlab_token", "GitLabTokenDetector"),
    ("ibm_cloud_iam", "IbmCloudIamDetector"),
    ("ibm_cos_hmac", "IbmCosHmacDetector"),
    ("mailchimp", "MailchimpDetector"),
    ("openai", "OpenAIDetector"),
    ("pypi_token", "PypiTokenDetector"),
    ("sendgrid", "SendGridDetector"),
    ("slack", "SlackDetector"),
    ("softlayer", "SoftlayerDetector"),
    ("square_oauth", "SquareOAuthDetector"),
    ("stripe", "StripeDetector"),
    ("telegram_token", "TelegramBotTokenDetector"),
    ("twilio", "TwilioKeyDetector"),
)
# What one of their shapes cannot do without.
_MAY_HOLD = lazy(
    r"AccountKey=|SG\.[\w-]{22}|sq0csp-|A3T[A-Z0-9]|T3BlbkFJ"
    r"|-us[0-9]|[0-9]{8}:[\w-]{35}|(?:AC|SK)[a-z0-9]{32}|[MNO][\w-]{23,25}\.[\w-]{6}\.[\w-]{27}"
    r"|(?i:aws.{0,20}?(?:key|pw|pass|token)|cloudant|softlayer|sl[_-]?(?:api)?[_-]?(?:key|pass)"
    r"|secret[-_]?(?:access)?[-_]?key|(?:key|pwd|pass|password|token)\W{1,8}[\w-]{44})"
)
_BLANKS = lazy(r"[ \t]+")
_LONGEST = 4096  # characters of a line that are looked at in one go
_OVERLAP = 1024


def plugin_secrets_in(plain: str) -> Iterator[tuple[str, int]]:
    """(name, offset of its line) of each secret that a detector of detect-secrets finds."""
    if not _MAY_HOLD.search(plain):
        return
    detectors = [
        getattr(import_module(f"detect_secrets.plugins.{module}"), name)()
        for module, name in _PLUGINS
    ]
    at = 0
    for line in plain.split("\n"):
        for piece in _pieces(_BLANKS.sub(" ", line)):
            for detector in detectors:
                if any(not is_placeholder(value) for value in detector.analyze_string(piece)):
                    yield detector.secret_type.lower().replace(" ", "-"), at
        at += len(line) + 1


def _pieces(line: str) -> Iterator[str]:
    """A line in overlapping parts: some of the shapes are slow on very long ones."""
    for start in range(0, max(1, len(line) - _OVERLAP), _LONGEST - _OVERLAP):
        yield line[start : start + _LONGEST]
