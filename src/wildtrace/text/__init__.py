"""Pure text: reading, script detection, token estimates, tiers, words, spans and quote grounding."""
