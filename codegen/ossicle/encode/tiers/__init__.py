"""Streaming tiers: what the bank holds without them, and what each tier adds."""
