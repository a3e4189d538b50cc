"""The modes of clips: joints compensate for the errors of the joints above them, or every chain keeps the tolerance."""

FULL_BODY, LAYER = MODES = ("full-body", "layer")
