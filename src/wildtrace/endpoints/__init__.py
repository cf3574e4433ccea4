"""Endpoints: their config, the wire format, transport, retries, errors, redaction; offline models."""
