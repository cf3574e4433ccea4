"""Endpoints, routes, the OpenAI wire format, transport with retries, and the built-in offline models."""
