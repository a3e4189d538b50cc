"""The options and keys of source files: how they are read, and the tables [[retarget]], whose keys are also options of
`ossicle retarget`, with the other options of this command, in addition to those of option_table.py."""
from __future__ import annotations

from ..base.option_values import MAX_RATE, MIN_RATE
from ..importers.suffixes import SUFFIXES, listed
from . import option_kinds as kinds
from .command_options import DECODE, MESH, READS
from .option import IMPORT, RETARGET, Option

RETARGETS = ("retarget",)

IMPORT_OPTIONS = (
    Option("--fps", kinds.NUMBER, f"frames per second, {MIN_RATE:g} to {MAX_RATE}", READS + RETARGETS, IMPORT,
           "the rate of the file's keys, or a multiple if the tolerance needs it", "30"),
    Option("--scale", kinds.NUMBER, "metres per unit of length in the file; a factor for .fbx and .dae",
           READS + MESH + DECODE, IMPORT, ".bvh: 0.01, others: 1", "1.0", metavar="METRES", more="""
Only `.fbx` and `.dae` files state their units and axes, and are read in metres. `encode` prints the size of the bind
pose, and warns below 0.5 m and above 5 m: then choose a scale (0.056444 for CMU's `.bvh` files, whose characters
would otherwise be a quarter of a metre high)."""),
    Option("--up", kinds.AXIS, "the axis that points up in the file", READS + DECODE, IMPORT, "y"),
    Option("--skin", kinds.SKIN, "the glTF skin whose joints are read, by name or index; several, separated by commas; "
           "none: all nodes that move", READS, IMPORT, "all skins of the only character", "0", more="""
Skins belong to the same character if they share a joint, if one skin's joints are below the other's, if the lowest node
above the joints is the same for both, or if a node above the joints of both moves. The bank contains the joints of all
these skins, and vertex joint numbers are those of the first skin. If a file has several characters, choose one. A node
above joints that moves or has a non-uniform scale becomes a joint even if no skin lists it; for other nodes see
`sockets`. With `none`, the joints of all skins, all nodes that move, and all nodes above them become joints."""),
    Option("--ancestors", kinds.ANCESTORS, "nodes above the root joint: fold static nodes into it and convert others "
                                           "to joints, or drop all", READS + MESH + DECODE, IMPORT, "fold", more="""
Folding is exact, even for mirrored nodes: their transform is multiplied into the joint below."""),
    Option("--joint-axes", kinds.JOINT_AXES, "the axes of joints: those of the source, or in the bind pose parallel to "
           "those of the model, for fewer products", READS + MESH + DECODE, IMPORT, "source", field="axes", more="""
With `model`, clips look the same, also between frames, and banks have about the same size, but skinning matrices take
one product of matrices for each joint instead of two. The pose and the model matrices of the character then have other
axes than in the source: rotations by the game, props, and settings that name an axis of a joint refer to these. Joints
must not scale differently along their axes."""),
    Option("--clips", kinds.CLIPS, "read only clips with these names, such as 'Walk*'", READS + RETARGETS, IMPORT,
           "all", '["Walk*", "Idle"]', many=True, field="only", more="""
Tables `[clips."NAME"]` may name clips that are not chosen. A pattern that matches no clip is an error."""),
    Option("--exclude", kinds.CLIPS, "ignore clips with these names, even if `clips` matches them", READS +
           RETARGETS, IMPORT, "none", '["*_test"]', many=True),
    Option("--rename", kinds.RENAME, "a new name for a clip, such as 'mixamo.com=Walk'", READS + RETARGETS, IMPORT,
           "none", '{ "mixamo.com" = "{file}", "b.glb:Take 1" = "Run" }', many=True, more="""
The old name is a name or a pattern. It applies to clips in all files or, as `FILE:NAME`, to those in one file. `NAME#2`
is the second clip with this name in a file. In the new name, `{file}` is replaced by the file's name without its
suffix, and `{name}` by the old name. If several patterns match, the most specific one wins in a file, and the last one
on the command line. A pattern without a match is an error. `clips` and `exclude` accept both names; all other settings
use the new name."""),
    Option("--drop", kinds.CHOSEN_JOINTS, "joints to leave out, such as '*IK*'; unweighted: joints that carry no "
                                          "vertex or mesh, like all joints below "
                                          "them", READS, IMPORT, "none", '["*IK*"]', many=True, more="""
The clips look the same: the motion of a dropped joint moves to the joints below, and the tolerance holds relative to
the file. A non-uniform scale above a joint that rotates cannot be moved, which is an error. `unweighted` leaves out
joints without weighted vertices and attached meshes, unless a joint below has some; `encode` warns of such joints. It
needs a glTF file with its mesh."""),
    Option("--keep", kinds.CHOSEN_JOINTS, "exceptions from drop, such as 'handslot*'; without drop, the only joints to "
                                          "keep", READS, IMPORT, "all", '["handslot*"]', many=True),
    Option("--socket", kinds.SOCKETS, "nodes to convert to joints, such as those that carry props; joints with these "
           "names are never dropped", READS + MESH + DECODE, IMPORT, "none", '["handslot*"]', many=True, key="sockets",
           field="sockets", more="""
Nodes below joints are searched first, then all others. A socket takes as much RAM as a joint, but takes bytes in a clip
only if it moves relative to the joint above. The first file must contain the nodes; in files without them, sockets stay
at rest. A table gives the sockets new names, by which settings of joints also refer to them: with
`sword = "handslot.r"`, the transform of the sword in a pose is `model.joints[HERO_JOINT_SWORD]`."""),
    Option("--outside", kinds.FLAG, "also read buffers and images outside the folder of the .gltf file, and follow "
                                    "links", READS + RETARGETS + MESH + DECODE, IMPORT, "false", more="""
Without this option, an untrusted file cannot make the command read other files of your disk, or copy them into a page
or a .glb."""),
)

RETARGET_OPTIONS = (
    Option("inputs", kinds.INPUT, f"source files of another skeleton, {listed(SUFFIXES)}", RETARGETS, RETARGET,
           "needed", '["mocap/walk.bvh"]', many=True, required=True, more="""
Names may be patterns such as `mocap/*.bvh`, as in the `inputs` of the character. The clips follow those of the
character's own files, and all settings of clips apply to them."""),
    Option("--map", kinds.JOINT_MAP, "the joint of a part of the body in these files, such as left_hand=Wrist_L, "
           "instead of the one found", RETARGETS, RETARGET, "found by names and shape",
           '{ left_hand = "Wrist_L" }', many=True, more="""
The parts are `hips`, `chest` and `head`, and after `left_` or `right_`: `upper_arm`, `lower_arm`, `hand`, `upper_leg`,
`lower_leg`, `foot`, `toes`, `thumb`, `index`, `middle`, `ring` and `pinky`. `ossicle retarget --table` prints them, the
joints that it finds for them, and a map to correct. An empty name,
as in `left_toes = ""`, means that there is no such joint."""),
    Option("--character-map", kinds.JOINT_MAP, "likewise, the joint of the character", RETARGETS, RETARGET,
           "found by names and shape", '{ left_hand = "hand.l" }', many=True),
    Option("--rest", kinds.REST, "a pose of the source's skeleton in which the body stands like the character in its "
                                 "bind pose: FILE@FRAME, with frames counted from 0, or FILE@bind for the bind pose of "
                                 "a file",
           RETARGETS, RETARGET, "derived from the motion", '"tpose.bvh@0"', metavar="FILE@FRAME"),
    Option("--scale", kinds.RATIO, "metres that the character travels for each metre of the source", RETARGETS,
           RETARGET, "the ratio of the lengths of their legs", "1.0"),
    Option("--free-feet", kinds.FLAG, "do not keep standing feet in place or soles above the ground",
           RETARGETS, RETARGET, "false"),
    Option("--join-hands", kinds.FLAG, "keep hands that are near each other in the source at the same distance, in the "
           "size of the character, such as clapping or folded hands", RETARGETS, RETARGET, "false"),
    Option("--plant-hands", kinds.FLAG, "keep hands that are near the ground in the source in place, scaled to the "
           "character, as when it crawls", RETARGETS, RETARGET, "false"),
    Option("--skin", kinds.SKIN, "the skins of these files to use, as in [import]", RETARGETS, RETARGET,
           "all skins of the only character", "0"),
    Option("--character-skin", kinds.SKIN, "the skins of the character to use", RETARGETS,
           default="all skins of its only skeleton"),
    Option("--onto", kinds.INPUT, f"the file with the skeleton of the character, {listed(SUFFIXES)}", RETARGETS,
           required=True, metavar="CHARACTER"),
    Option("--output", kinds.OUTPUT, "the .glb file to write all clips to, or a folder, which gets a file for each "
                                     "source", RETARGETS, default="none, with --table", short="-o", metavar="GLB|DIR"),
    Option("--table", kinds.FLAG, "print which joint is which part of the body, and the map for a configuration file",
           RETARGETS),
    Option("--json", kinds.FLAG, "print the measures of clips as JSON, with --table also the maps; see "
                                 "codegen/JSON.md", RETARGETS),
    Option("--quiet", kinds.FLAG, "print only warnings and errors", RETARGETS),
)
