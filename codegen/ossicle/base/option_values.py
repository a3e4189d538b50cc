"""Values of options that several packages use."""

# --mode: joints compensate for the errors of the joints above them, or every chain keeps the tolerance
FULL_BODY, LAYER = MODES = ("full-body", "layer")

EMBED_BASE = "base"  # --embed: the bank without its tiers

# frames per second
MIN_RATE = 0.001  # Q16 is too coarse for lower rates
MAX_RATE = 480  # a position per microsecond still fits Q32 at this rate
