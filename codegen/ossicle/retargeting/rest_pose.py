"""Reads the pose in which the source of a transfer stands like the character in its bind pose."""
from __future__ import annotations

import numpy as np

from ..base.arrays import Array
from ..base.problem import nearest
from ..importers.importer import read_all_joints
from ..model.clip import Imported, ImportProblem, Skeleton, problems_of
from ..model.import_options import ImportOptions
from .rules import RestPose


def read_rest_file(rest: RestPose, options: ImportOptions) -> Imported:
    """Returns the content of the file. Raises ImportProblem if its only clip lacks the frame, or if there are several
    clips."""
    file, = read_all_joints([rest.path], options, may_be_empty=rest.frame is None)
    if rest.frame is None:
        return file
    with problems_of(str(rest.path)):
        if len(file.clips) != 1:
            raise ImportProblem(f"has {len(file.clips)} clips, but a rest pose is a frame of a single one; export only "
                                "the clip with the pose")
        count = len(file.clips[0].frames)
        if rest.frame >= count:
            raise ImportProblem(f"clip {file.clips[0].name}: has no frame {rest.frame}; give 0 to {count - 1}")
    return file


def rest_pose_of(rest: RestPose, file: Imported, skeleton: Skeleton) -> Array:
    """Returns the pose [J, 10] for the joints of a skeleton. Raises ImportProblem if the file lacks one of them."""
    known = {name: joint for joint, name in enumerate(file.skeleton.names)}
    for name in skeleton.names:
        if name not in known:
            raise ImportProblem(f"joint {name}: not in {rest.path.name}, the file of the rest pose"
                                f"{nearest(name, known)}; take the pose from a file of the same skeleton")
    pose = file.skeleton.bind if rest.frame is None else np.asarray(file.clips[0].frames[rest.frame])
    return pose[[known[name] for name in skeleton.names]]
