"""The frame rates that a clip may have, in frames per second."""

MIN_RATE = 0.001  # Q16 is too coarse for lower rates
HIGHEST = 480  # a position per microsecond still fits Q32 at this rate
