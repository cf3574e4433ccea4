"""What a browser may do with a report: run its own scripts, use its own style, and nothing else.

Scripts and the style sheet are named by their hashes, so markup that came from data could not run even if it got into
the document. No address can be fetched, no form sent, no text compiled to code. `require-trusted-types-for` makes
every sink of markup (`innerHTML` and its kin) refuse a string; the one policy there is lets the empty string through,
which the chart library writes to clear its element.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable


def content_security_policy(scripts: Iterable[str], styles: Iterable[str]) -> str:
    """The policy for these inline scripts and style sheets, each given as the exact text of its element."""
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src {' '.join(map(source_hash, scripts))}",
            f"style-src {' '.join(map(source_hash, styles))}",
            "base-uri 'none'",
            "form-action 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types default",
        )
    )


def source_hash(text: str) -> str:
    """The source expression that allows one inline element: 'sha256-…' of its text in UTF-8."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
