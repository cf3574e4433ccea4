"""The policy: only the page's own scripts and style by hash, and nothing from anywhere."""

from __future__ import annotations

from wildtrace.report.html.policy import content_security_policy, source_hash


def test_the_hash_is_that_of_the_standard() -> None:
    """The known SHA-256 of a script, in base64."""
    assert "'sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng='" == source_hash("alert('Hello, world.');")


def test_nothing_is_allowed_but_by_hash() -> None:
    """No source is named that an attacker could use."""
    policy = content_security_policy(["a", "b"], ["c"])
    directives = dict(part.split(" ", 1) for part in policy.split("; "))

    assert "'none'" == directives["default-src"] == directives["base-uri"] == directives["form-action"]
    assert f"{source_hash('a')} {source_hash('b')}" == directives["script-src"]
    assert source_hash("c") == directives["style-src"]
    assert "'script'" == directives["require-trusted-types-for"]
    for word in ("unsafe", "http", "data:", "blob:", "*", "self"):
        assert word not in policy
