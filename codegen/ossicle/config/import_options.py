"""The options and keys of the import of sources."""
from __future__ import annotations

from ..base.frame_rates import HIGHEST, MIN_RATE
from . import option_kinds as kinds
from .command_options import DECODE, MESH, READS
from .option import IMPORT, Option
from .retarget_options import COMMAND as RETARGETS

IMPORT_OPTIONS = (
    Option("--fps", kinds.NUMBER, f"frames per second, {MIN_RATE:g} to {HIGHEST}", READS + RETARGETS, IMPORT,
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
