"""The offline models: lexical baselines behind an OpenAI-compatible endpoint on loopback, with scripted faults.

They need no key, no download and no network. They read and grade by shared words alone, so their scores are baselines
and rehearsals, never a measurement of a language model: every reply carries `FINGERPRINT`.
"""

FINGERPRINT = "wildtrace-offline"
