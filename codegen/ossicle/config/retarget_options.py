"""The keys of the tables [[retarget]], which are also options of `ossicle retarget`, and the other options of this
command, in addition to those of option_table.py."""
from __future__ import annotations

from ..importers.suffixes import SUFFIXES, listed
from . import option_kinds as kinds
from .option import RETARGET, Option

COMMAND = ("retarget",)

RETARGET_OPTIONS = (
    Option("inputs", kinds.INPUT, f"source files of another skeleton, {listed(SUFFIXES)}", COMMAND, RETARGET, "needed",
           '["mocap/walk.bvh"]', many=True, required=True, more="""
Names may be patterns such as `mocap/*.bvh`, as in the `inputs` of the character. The clips follow those of the
character's own files, and all settings of clips apply to them."""),
    Option("--map", kinds.JOINT_MAP, "the joint of a part of the body in these files, such as left_hand=Wrist_L, "
           "instead of the one found", COMMAND, RETARGET, "found by names and shape",
           '{ left_hand = "Wrist_L" }', many=True, more="""
The parts are `hips`, `chest` and `head`, and after `left_` or `right_`: `upper_arm`, `lower_arm`, `hand`, `upper_leg`,
`lower_leg`, `foot`, `toes`, `thumb`, `index`, `middle`, `ring` and `pinky`. `ossicle retarget --table` prints them, the
joints that it finds for them, and a map to correct. An empty name,
as in `left_toes = ""`, means that there is no such joint."""),
    Option("--character-map", kinds.JOINT_MAP, "likewise, the joint of the character", COMMAND, RETARGET,
           "found by names and shape", '{ left_hand = "hand.l" }', many=True),
    Option("--rest", kinds.REST, "a pose of the source's skeleton in which the body stands like the character in its "
                                 "bind pose: FILE@FRAME, with frames counted from 0, or FILE@bind for the bind pose of "
                                 "a file",
           COMMAND, RETARGET, "derived from the motion", '"tpose.bvh@0"', metavar="FILE@FRAME"),
    Option("--scale", kinds.RATIO, "metres that the character travels for each metre of the source", COMMAND,
           RETARGET, "the ratio of the lengths of their legs", "1.0"),
    Option("--free-feet", kinds.FLAG, "do not keep standing feet in place or soles above the ground",
           COMMAND, RETARGET, "false"),
    Option("--join-hands", kinds.FLAG, "keep hands that are near each other in the source at the same distance, in the "
           "size of the character, such as clapping or folded hands", COMMAND, RETARGET, "false"),
    Option("--plant-hands", kinds.FLAG, "keep hands that are near the ground in the source in place, scaled to the "
           "character, as when it crawls", COMMAND, RETARGET, "false"),
    Option("--skin", kinds.SKIN, "the skins of these files to use, as in [import]", COMMAND, RETARGET,
           "all skins of the only character", "0"),
    Option("--character-skin", kinds.SKIN, "the skins of the character to use", COMMAND,
           default="all skins of its only skeleton"),
    Option("--onto", kinds.INPUT, f"the file with the skeleton of the character, {listed(SUFFIXES)}", COMMAND,
           required=True, metavar="CHARACTER"),
    Option("--output", kinds.OUTPUT, "the .glb file to write all clips to, or a folder, which gets a file for each "
                                     "source", COMMAND, default="none, with --table", short="-o", metavar="GLB|DIR"),
    Option("--table", kinds.FLAG, "print which joint is which part of the body, and the map for a configuration file",
           COMMAND),
    Option("--json", kinds.FLAG, "print the measures of clips as JSON, with --table also the maps; see "
                                 "codegen/JSON.md", COMMAND),
    Option("--quiet", kinds.FLAG, "print only warnings and errors", COMMAND),
)
