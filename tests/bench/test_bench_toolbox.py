"""`scons bench` on operations: the table is written, and its numbers can be."""
from __future__ import annotations

import csv
from pathlib import Path

import pytest

import bench_toolbox
from compiling_here import symbols_of
from ossicle.encode.encoder import encode_clips
from ossicle.encode.settings import Settings
from ossicle.targets import list_supported_targets
from toolbox_character import character, joints
from toolbox_table import OPERATIONS, Operation
