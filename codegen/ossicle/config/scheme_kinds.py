"""Kinds of values that can be listed: codecs, presets, and settings of the encoder. Read them as attributes of
option_kinds."""
from __future__ import annotations

from dataclasses import replace

from ..base.codec import CODEC_CHOICES
from ..base.encoder_library import EFFORTS, POINTS
from ..compare.schemes import scheme_names
from ..encoding.choice.codec_sets import GOALS
from ..encoding.presets import NO_PRESET, PRESETS
from .option_kinds import Kind, one_of

CODEC = one_of(CODEC_CHOICES)
PRESET = replace(one_of((NO_PRESET, *PRESETS), "NAME"), words="the name of a preset")
SCHEMES = Kind("names", "NAME[,NAME]", lambda value, _: value, choices=scheme_names())
EFFORT = one_of(EFFORTS)
SHELL_POINTS = one_of(POINTS)
OPTIMISE = one_of(GOALS)
