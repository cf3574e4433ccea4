"""Ingest: one canonical UTF-8 text per source, whatever format, charset and layout it came in.

A format's reader gives a draft: text with a map to the decoded file and the blocks it knows (`formats`). Ordered steps
undo layout and find what the format does not know (`steps`). Charset, script and language are three facts, each judged
by itself; the source family is the user's to say.
"""
