"""All options and keys. The parser, configuration files, their checks, codegen/CONFIGURATION.md and shell completion
read this table."""
from __future__ import annotations

from ..base.places import FOLDERS
from ..base.unrolling import PARTS
from ..importers.suffixes import GLTF_SUFFIXES, SUFFIXES, listed
from ..model.import_options import HIGHEST, MIN_RATE
from . import option_kinds as kinds
from .command_options import (BUILD, CLIP_LIST, COMMAND_OPTIONS, COMPARE, DECODE, DIFF, ENCODE, GENERATES, INIT,
                              INSPECT, LOOKS, MESH, PACK, READS, REPORT, RUNTIME, SOURCES, STRIP, VIEW, WATCH)
from .option import CLIPS, GENERATE, IMAGE, IMPORT, JOINTS, PROJECT, RULES, SCREEN, SETTINGS, Option

OPTIONS = (
    Option("inputs", kinds.INPUT, f"source files, {listed(SUFFIXES)}; the first determines the skeleton", ENCODE,
           PROJECT, "needed", '["../../codegen/demo/hero.glb"]', many=True, required=True, more="""
The bank has the skeleton and bind pose of the first file, which may have no clips. Clips of other files are used as they
are if their skeleton and bind pose are the same within 1 mm. Otherwise the clips of a glTF file move the joints whose
names its nodes have; joints that they do not move stay as in the first file. Warnings name joints that are missing or
have a different rest pose, and nodes whose motion is left out.

In a configuration file, names may be patterns, such as `["hero/*.glb"]`, for all files that match, in the order of their
names; `**` matches any number of folders. A pattern that matches no file is an error. `ossicle build` notices new and
deleted files."""),
    Option("inputs", kinds.INPUT, f"a {listed(SUFFIXES)} file, or a folder with such files", COMPARE,
           many=True, required=True, metavar="FILE|FOLDER"),
    Option("inputs", kinds.INPUT, f"source files, {listed(SUFFIXES)}", CLIP_LIST, many=True, required=True),
    Option("bank", kinds.INPUT, "the bank to read", GENERATES + DECODE + INSPECT + STRIP, required=True,
           metavar="BANK"),
    Option("banks", kinds.INPUT, "a bank with streaming tiers", PACK, many=True, required=True, metavar="BANK"),
    Option("before", kinds.INPUT, "the bank to compare with", DIFF, required=True, metavar="A"),
    Option("after", kinds.INPUT, "the bank to compare", DIFF, required=True, metavar="B"),
    Option("source", kinds.INPUT, f"a {listed(GLTF_SUFFIXES)} file with the mesh", MESH, required=True, metavar="FILE"),
    Option("--bank", kinds.INPUT, "the bank whose joints move the mesh, with skinning matrices", MESH, required=True),
    Option("configs", kinds.INPUT, "configuration files; or source files, such as hero.glb, to build with default "
           "settings", BUILD + WATCH, many=True, required=True,
           metavar="TOML"),
    Option("inputs", kinds.INPUT,
           f"source files ({', '.join(SUFFIXES)}), a bank (.ossb), or a configuration file (.toml)",
           LOOKS, many=True, required=True),
    Option("--output", kinds.OUTPUT, "the page to write, such as hero.html; with --stream, the folder for the page and "
                                     "its tiers", VIEW, default="a temporary file", short="-o", metavar="PAGE"),
    Option("--output", kinds.OUTPUT, "the page to write, such as hero.html", REPORT, short="-o", metavar="PAGE"),
    Option("machine", kinds.TARGET, "the machine of the game, one of `ossicle targets`, except targets without an "
           "emulator and those that need a script to run", INIT, default="host", metavar="TARGET"),
    Option("--output", kinds.OUTPUT, "the folder to write to", INIT, default=".", short="-o", metavar="DIR"),
    Option("shell", kinds.one_of(("bash", "zsh"), "SHELL"), "bash or zsh", ("completion",), required=True),
    Option("folder", kinds.one_of(tuple(FOLDERS), "FOLDER"), "runtime, platforms, targets, testing or rules",
           ("paths",)),
    Option("--output", kinds.OUTPUT, "the bank to write, such as hero.ossb", ENCODE + STRIP,
           required=True, short="-o", metavar="BANK"),
    Option("--output", kinds.OUTPUT, "the image to write, such as card.img", PACK, IMAGE, "needed", '"card.img"',
           required=True, short="-o", metavar="IMAGE"),
    Option("--output", kinds.OUTPUT, "the folder to write to", GENERATES + RUNTIME + MESH, required=True, short="-o",
           metavar="DIR"),
    Option("--for", kinds.INPUT, "a configuration file that `ossicle build` has built: keep only the codecs of "
           "its bank, for its target", RUNTIME, metavar="TOML", field="project", default="all codecs"),
    Option("--target", kinds.TARGET, "a machine, such as microbit, whose platform and defines to use", RUNTIME,
           default="plain C", sample='"microbit"'),
    Option("--library", kinds.FLAG, "write a library for Arduino and PlatformIO: the files in DIR/src, with "
           "library.properties and library.json", RUNTIME),
    Option("--output", kinds.OUTPUT, "the file to write, such as hero.glb, walk.bvh or walk.rawclip; or walk.csv for "
           "the curves", DECODE, required=True, short="-o"),
    Option("--output", kinds.OUTPUT, "also write tables (CSV) and pictures (PNG) to this folder", COMPARE,
           short="-o", metavar="DIR"),
    Option("--output", kinds.OUTPUT, "the folder for all outputs, instead of those in the files", BUILD + WATCH,
           short="-o", metavar="DIR"),
    Option("output", kinds.OUTPUT, "the bank to write", (), PROJECT, "the file's name with .ossb", '"hero.ossb"'),
    Option("generate", kinds.OUTPUT, "the folder for generated C", (), PROJECT, "no C is generated", '"."'),
    Option("--config", kinds.INPUT, "a configuration file; options on the command line override it",
           ENCODE, metavar="TOML"),
    Option("--config", kinds.INPUT, "with --source, the configuration file with which the bank was encoded, for its "
           "[import]; options on the command line override it", DECODE, metavar="TOML"),

    # content and precision of the bank
    Option("--tolerance", kinds.TOLERANCE_OR_NONE, "largest error allowed, such as 0.5mm, or 0.5px on "
           "the screen; none for presets that do not fit to a tolerance", ENCODE,
           SETTINGS, "1mm", in_clips=True, more="""
Units are `um`, `mm`, `cm` and `m`. A tolerance in pixels, `px`, needs the screen's height, field of view
and distance; it becomes pixels * 2 * distance * tan(fov / 2) / height, and the report states the
millimetres. With `none`, which only presets that do not fit to a tolerance accept, the report states the error. [The
report](README.md#the-report) explains its columns."""),
    Option("--tolerance", kinds.LENGTHS, "largest error allowed, such as 0.5mm", COMPARE, default="1mm",
           many=True, field="tolerances"),
    Option("--shell", kinds.LENGTH, "distance from the joint, in model space at the bind pose, at which errors are "
           "measured", SOURCES, SETTINGS, "3cm", field="shell_m"),
    Option("points", kinds.SHELL_POINTS, "the points of a joint's shell at which the tolerance holds: axes, the "
           "three on the joint's axes, or sphere, all of them", (), SETTINGS, "axes"),
    Option("mode", kinds.MODE, "full-body: joints compensate for the errors of the joints above them; layer: the "
           "tolerance holds for every chain of joints independently", (), SETTINGS,
           "full-body", in_clips=True, more="""
Use `full-body` for clips that the whole skeleton plays. Clips that play on some joints only, under a mask, or are blended
with others need `layer` (`--layer`): the tolerance then holds for every chain of joints, from any joint to any joint below
it, while the joints above the chain are exact. The report has the largest error of a chain as `layer mm` and names its
first joint. Layers are larger, and pinning saves nothing in them."""),
    Option("--codec", kinds.CODEC, "the codec of the clips; auto chooses from delta, curve and transform as "
           "optimise says", ENCODE, SETTINGS, "auto", in_clips=True, more="""
`auto` first chooses a codec for every clip, and then tries to do without some of these codecs in the bank: see `optimise`.
In large banks, for which the code of a codec is cheap, it stops after a few clips. If you choose the codec of a clip, the
game links the code of that codec, too."""),
    Option("--preset", kinds.PRESET, "a published scheme instead of a codec: see `ossicle presets`", ENCODE,
           SETTINGS, "none", in_clips=True,
           more="[PRESETS.md](PRESETS.md) describes the presets. A preset chooses the codec: to state both is an error."),
    Option("--tiers", kinds.TIERS, "streaming tiers: the errors of clips with the first 0, 1, .. tiers, such as "
           "8mm,3mm; or the sizes of the bank with these tiers, such as 30%,60% or 40kB", ENCODE, SETTINGS,
           "none, or those of the preset", '["8mm", "3mm"]', more="""
Clips stay within the first error without any tier, within the next one with the first tier, and within the tolerance with
all tiers. A tier has finer versions of the clips that need them, which replace the versions before. Sizes count the base
and all tiers up to that one; percentages are of the bank without tiers. With sizes, the base is as exact as its size
permits, and the first tiers have the clips with the largest errors. Presets with tiers of their own move keys instead.
`encode` lists the size of each tier; [Streaming](../runtime/STREAMING.md) explains how tiers are loaded."""),
    Option("tier_block", kinds.BLOCK, "tiers divide longer clips into blocks of this many frames, a power of two from "
           "64 on; 0: never", (), SETTINGS, "512", field="tier_block_log2", more="""
A clip streams block by block, and needs memory for two blocks, however long it is. Blocks share no data, so small blocks
take more bytes."""),
    Option("random_access", kinds.FLAG, "use only codecs that decode every frame at the same cost: transform",
           (), SETTINGS, "false", in_clips=True,
           more="Codecs that decode frames in sequence are then an error."),
    Option("--max-ram-bytes", kinds.BYTES, "the RAM that a player may take on a 32-bit machine, its osc_player "
           "included", ENCODE, SETTINGS, "no limit", "4096", more="""
Clips whose codec needs too much RAM are encoded again with another codec. If even `delta` does not fit, or the codec of
a clip is stated, `encode` fails and states the RAM that it needs."""),
    Option("--effort", kinds.EFFORT, "how long to search for a smaller encoding; max takes minutes",
           SOURCES, SETTINGS, "default"),
    Option("--restart", kinds.FRAMES, "frames between restart points, a power of two; 0: only the first frame",
           ENCODE, SETTINGS, "64; 256 with optimise = bank; or the preset's", "64", field="restart_log2", more="""
A jump in time unpacks all rows from the last restart point before it. Restart points take bytes, so `optimise = "bank"`
has fewer. `transform` clips have a restart point at least every 64 frames; a smaller `restart` makes them larger and
their jumps only a little faster."""),
    Option("--skin-matrices", kinds.FLAG, "store the inverse bind matrices, which skinning matrices need: 48 bytes for "
           "each joint", ENCODE, SETTINGS, "false", key="skinning", field="skinning"),
    Option("--loop", kinds.LOOPS, "clips that loop: their last frame equals the first, within the tolerance",
           ENCODE, RULES, sample='loop = true in [clips."NAME"]', field="clips", many=True),
    Option("--close-loop", kinds.CLOSED_LOOPS, "clips that loop, and whose last frame only nearly equals the first",
           ENCODE, RULES, sample='loop = "close" in [clips."NAME"]', field="clips", many=True),
    Option("loop", kinds.LOOP, "the clip loops: its last frame equals the first, within the tolerance; close: "
           "nearly equals it", (), CLIPS, "false", "true", more="""
`"close"` spreads the gap over the clip: half of it at each end, and less towards the middle. The report states the gap,
and how far poses moved. The tolerance applies to the closed clip. A gap above `loop_limit` is an error."""),
    Option("loop_limit", kinds.LENGTH, "the largest gap that `loop = \"close\"` spreads over a clip", (),
           SETTINGS, "3 % of the character's size", '"5cm"', field="loop_limit_m"),
    Option("root_motion", kinds.ROOT_MOTION, "remove these components of a joint's motion from the clip, which then "
           "plays in place and has a trajectory", (), SETTINGS, "none", '"xz yaw"', in_clips=True, more="""
The components are motion across the ground (x and z), up and down (y), and rotation about the axis y, which points up
(yaw). The clip keeps its steps and sways. It stays above the origin and begins in the direction of the bind pose; y begins
at the height of the first frame. The tolerance holds for the clip in place, and therefore also for clip and trajectory
together, whatever `root_tolerance` is. A captured walk that ends metres from its start may then loop. osc_motion.h moves
the character along the trajectory, without drift."""),
    Option("root_joint", kinds.NAME, "the joint whose motion is removed, such as \"Hips\"", (), SETTINGS,
           "the first one that a clip moves", '"Hips"', in_clips=True),
    Option("root_tolerance", kinds.LENGTH, "how far a trajectory may be from its joint: a larger value makes it "
           "smoother and smaller, and sways stay in the clip", (), SETTINGS, "3cm", in_clips=True,
           field="root_tolerance_m", more="""
The yaw may be off by the angle that moves a point half a metre away by this length."""),
    Option("root_yaw", kinds.ROOT_YAW, "the reference of a trajectory's yaw: the first frame, the bind pose, or an "
           "axis of the joint", (), SETTINGS, "first", '"z"', in_clips=True, more="""
`first` measures the rotation of the joint about y since the first frame, whose own yaw is measured from the bind pose. A
bow or a lean then rotates the trajectory no more than the hips. `bind` measures the rotation from the bind pose in every
frame. `x`, `y` and `z` follow the direction of that axis of the joint over the ground; an axis that points up in the bind
pose is an error."""),
    Option("from", kinds.SECONDS, "where the clip begins in the file; from and to are rounded to whole frames",
           (), CLIPS, "0.0", field="start_s"),
    Option("to", kinds.SECONDS, "where the clip ends in the file", (), CLIPS, "its end", "1.0", field="end_s"),
    Option("speed", kinds.SPEED, "how many times faster than in the file the clip plays", (), CLIPS, "1.0"),
    Option("reverse", kinds.FLAG, "the clip plays from its end to its beginning", (), CLIPS, "false"),
    Option("keep_frames", kinds.KEPT_FRAMES, "frames of the clip as encoded, or times in it, whose keys never move "
           "into a streaming tier; for presets with keys in tiers", (), CLIPS, "none", '[0, 12, "0.4s", "last"]',
           more="""
Keys at both ends of every segment of 16 frames stay as well. Tolerances determine which joints keep their keys: a joint
with twice the tolerance may be off by twice as much without tiers, and loses more keys."""),
    Option("additive", kinds.ADDITIVE, "store differences from a reference pose, to be added to other clips: the "
           "first frame of a clip, another frame or time of it, or the bind pose", (), CLIPS, "none",
           '"Idle@0"', more="""
`osc_mix_add` adds such a clip to any pose: a breath, a lean or a wave. The reference pose may be a frame of the clip
itself or of any other clip of the sources, also of one that is not chosen. Frames and times refer to that clip after
`from`, `to`, `speed`, `reverse` and `root_motion`, frames at the rate of its file. Joints that match the reference pose
take no bytes. The tolerance applies to the sum of reference pose and differences; `osc_mix_add` adds a rounding error of
0.07 mm for the demo character. Added to another pose, errors scale with the lengths of its chains of joints; use
`mode = "layer"` with masks. `none` overrides an earlier table. The first frame of a clip called bind is
`"bind@0"`, likewise for none."""),
    Option("mirror_of", kinds.MIRROR_OF, "the clip is the mirror image of this one, such as \"TurnLeft\" of "
           "\"TurnRight\", and takes 12 bytes and its name", (), CLIPS, "none", more="""
The table defines a new clip, whose name the sources do not have, and has no other key. The new clip follows the mirrored
clip in the bank and has the same settings; in the names of its events, left and right are exchanged, and its trajectory is
mirrored. A game plays it like any other clip, and calls `osc_mirror_pose` for clips whose osc_clip_info has `mirrored`
set, with a table that `generate` then writes even without `mirror`. The tolerance holds for the mirrored points, and with
`points = "sphere"` for all. Joints form pairs by their names, as for `mirror`, and the axis is that between the sides of
the bind pose. The page of `ossicle view` shows the original clip instead."""),
    Option("events", kinds.EVENTS, "named times of the clip, which are reported to the game when it passes them: "
           "tables [[clips.\"PATTERN\".events]]", (), CLIPS, "those of the file",
           '[{ time = "0.4s", name = "footstep_left" }]', more="""
Each event has a `name`, a `time` (`"0.4s"`, or seconds as a number) or a `frame` (a number, or `"last"`), and may have
a `value`, a whole number of 32 bits for the game. With a `length` (a time) or `until` (a time or a frame) the event is a
span, whose two ends are reported; in a loop a span may extend beyond the end. Times and frames refer to the clip after
`from`, `to`, `speed` and `reverse`, frames at the rate of its file. Events are added to those of the source file: in glTF,
`extras.events` of an animation is a list of objects with `time` in seconds and `name`, and optionally `value` and
`length`, such as `[{"time": 0.4, "name": "footstep_left", "value": 1}]`. The header has their names as
`HERO_EVENT_FOOTSTEP_LEFT`; osc_motion.h explains how a game reads them. At most 32 events may begin or end within one
frame."""),
    Option("curves", kinds.CURVES,
           "numbers that play with the clip, such as the glow of a lamp: a table, or a CSV file",
           (), CLIPS, "those of the file", '{ glow = [[0.0, 0.0], ["0.5s", 1.0]] }', more="""
Each curve is a list of keys, a time (`"0.4s"`, or seconds as a number) and a value: see [Curves](#curves)."""),
    Option("contacts", kinds.CONTACTS, "joints whose touch-downs on the ground become events; true: the feet, by their "
           "names", (), SETTINGS, "false", '["left_foot", "right_foot"]', in_clips=True,
           more="""
The joint `left_foot`, or each joint of a pattern, has the event `left_foot_down`; a table states other names,
`{ left_foot = "step_left" }`. A game plays footsteps at these events, and osc_motion.h uses them to keep a walk and a run
in step. `true` takes the joints whose names contain `foot`, otherwise `ankle` or `toe`, without the joints below them and
without joints that carry no vertices. Only heights count, so a clip in place has the same contacts as one that travels: a
joint touches down when it falls below a tenth of its rise in the clip after it was above a quarter. A joint that rises by
less than 2 cm has no contacts, and `encode` warns. One jump in a long capture hides its steps: cut it with `from` and
`to`. Other `events` of the clip with the same name, in this file or in the source, replace the contacts."""),
    Option("--layer", kinds.LAYERS, "clips for masks and blends, of the mode layer", ENCODE, RULES,
           sample='mode = "layer" in [clips."NAME"]', field="clips", many=True),
    Option("--joint-tolerance", kinds.JOINT_RULE, "another tolerance for these joints, such as "
           "'*_hand=0.3mm'; on the command line the last match wins", ENCODE, RULES,
           sample='tolerance = "0.3mm" in [joints."NAME"]', field="joints", many=True),
    Option("tolerance", kinds.TOLERANCE, "another tolerance for these joints", (), JOINTS, "needed", '"0.3mm"', more="""
It overrides every other tolerance, also a tighter one of a clip or of `pin`."""),
    Option("curve", kinds.CURVE_RULES, "other tolerances for these curves; false leaves them out", (), SETTINGS,
           "1/256 for each",
           '{ smile = 0.01, "debug_*" = false }', key="curves", field="curve_rules", more="""
The table `[curves]` of a file has curves or patterns with the largest error of their values, a number above 0;
`false` leaves curves out. The tolerance holds at every key, at every frame and half way between. See
[Curves](#curves)."""),
    Option("--pin", kinds.JOINTS, "joints that stay within a tenth of the tolerance, or within their own, such as "
           "'*_foot'", ENCODE, SETTINGS, "none", '["*_foot"]',
           field="pins", many=True, more="""
Pinned joints get a translation where they need one, so that feet stand still although the joints above
them are encoded no better than the rest. The JSON report has their error as `pinned_error_mm`."""),
    Option("screen_height", kinds.NUMBER, "height of the screen", (), SCREEN, "unknown", "240",
           key="height", field="height"),
    Option("screen_width", kinds.NUMBER, "width of the screen, for the page of `ossicle view`", (), SCREEN,
           "1.5 times its height", "240", key="width", field="width"),
    Option("fov", kinds.NUMBER, "vertical field of view, in degrees", (), SCREEN, "unknown", "60"),
    Option("distance", kinds.LENGTH, "the smallest distance from the camera to the character, such as 2m",
           (), SCREEN, "unknown", '"2m"', field="distance_m"),

    # import of the source
    Option("--fps", kinds.NUMBER, f"frames per second, {MIN_RATE:g} to {HIGHEST}", READS, IMPORT,
           "the rate of the file's keys, or a multiple if the tolerance needs it", "30"),
    Option("--scale", kinds.NUMBER, "metres per unit of length in the file", READS + MESH + DECODE, IMPORT,
           "glTF: 1, .bvh: 0.01", "1.0", metavar="METRES", more="""
Files may be in other units. `encode` prints the size of the bind pose, and warns below 0.5 m and above 5 m: then choose a
scale (0.056444 for CMU's `.bvh` files, whose characters are a quarter of a metre tall otherwise)."""),
    Option("--up", kinds.AXIS, "the axis that points up in the file", READS + DECODE, IMPORT, "y"),
    Option("--skin", kinds.SKIN, "the glTF skin whose joints are read, by name or index; several, separated by commas; "
           "none: all nodes that move", READS, IMPORT, "all skins of the only character", "0", more="""
Skins belong to the same character if they share a joint, if one skin's joints are below the other's, if the lowest node
above the joints is the same for both, or if a node above the joints of both moves. The bank has the joints of all these
skins, and vertices use the joint numbers of the first skin. If a file has several characters, choose one. A node above
joints that moves, or scales one axis more than another, becomes a joint even if no skin lists it; for other nodes see
`sockets`. With `none`, the joints of all skins, all nodes that move, and all nodes above them become joints."""),
    Option("--ancestors", kinds.ANCESTORS, "nodes above the root joint: fold merges those that do not move into the "
           "root joint, and turns others into joints; drop ignores all", READS + MESH + DECODE, IMPORT, "fold", more="""
Folding is exact, even for mirrored nodes: the joint below takes over their transform."""),

    Option("--clips", kinds.CLIPS, "only clips of these names, such as 'Walk*'", READS, IMPORT, "all",
           '["Walk*", "Idle"]', many=True, field="only", more="""
Tables `[clips."NAME"]` may name clips that are not chosen. A pattern that matches no clip is an error."""),
    Option("--exclude", kinds.CLIPS, "leave out clips of these names, even if `clips` has them", READS,
           IMPORT, "none", '["*_test"]', many=True),
    Option("--rename", kinds.RENAME, "a new name for a clip, such as 'mixamo.com=Walk'", READS, IMPORT,
           "none", '{ "mixamo.com" = "{file}", "b.glb:Take 1" = "Run" }', many=True, more="""
The old name is a name or a pattern for clips in all files or, as `FILE:NAME`, in one file. `NAME#2` is the second clip
of this name in a file. In the new name, `{file}` stands for the file's name without its suffix and `{name}` for the old
name. If several old names match, the more specific wins in a configuration file, and the last on the command line; an old
name that matches nothing is an error. `clips` and `exclude` may use either name; all other settings use the new name."""),
    Option("--drop", kinds.CHOSEN_JOINTS, "joints to leave out, such as '*IK*'; unweighted: joints that carry "
           "nothing, and below which no joint carries anything", READS, IMPORT, "none", '["*IK*"]', many=True, more="""
The clips look as before: joints below a joint that is left out take over its motion, and their error is measured against
the source. A joint that rotates cannot take over a scale that differs along the axes, which is an error. `unweighted`
leaves out joints without vertices and meshes, unless a joint below has some; `encode` warns of such joints. It needs a
glTF file with its mesh."""),
    Option("--keep", kinds.CHOSEN_JOINTS, "joints to keep although drop names them, such as 'handslot*'; "
           "without drop, the only joints to keep", READS, IMPORT, "all", '["handslot*"]', many=True),
    Option("--socket", kinds.SOCKETS, "nodes that become joints, such as those that carry props; joints of these names "
           "are never dropped", READS + MESH + DECODE, IMPORT, "none", '["handslot*"]', many=True, key="sockets",
           field="sockets", more="""
Nodes below joints are searched first, then all others. A socket takes the RAM of a joint, and no bytes in a clip unless
it moves relative to the joint above. The first file must have the nodes; in files without them, sockets stay at rest. A
table gives sockets names, which settings of joints then use as well: with `sword = "handslot.r"`, the matrix of the sword
is `model.joints[HERO_JOINT_SWORD]`."""),
    Option("--outside", kinds.FLAG, "also read buffers and images outside the folder of the .gltf file that names "
           "them, directly or through links", READS + MESH + DECODE, IMPORT, "false", more="""
By default, an untrusted file cannot make the command read other files of your disk, or copy them into a page or a
.glb."""),

    # generated C
    Option("--name", kinds.C_NAME, "prefix of generated files and names", GENERATES + MESH, GENERATE,
           "the bank's file stem", '"hero"', more="""
The bank's file stem becomes a C name in lower case: `My Hero-2.ossb` gives `my_hero_2`."""),
    Option("embed", kinds.EMBED, "also write the bank as an array; base: without its tiers", (), GENERATE, "false",
           '"base"'),
    Option("--target", kinds.TARGET, "a machine, such as gba or m4 (see `ossicle targets`): choose codecs and "
           "the layout of code for it, and print its compiler flags and the flash that each layout takes",
           ENCODE + GENERATES, SETTINGS, "none", '"microbit"', more="""
By default, codecs are chosen for a Cortex-M4."""),
    Option("--unroll", kinds.UNROLL, "straight-line code (full) or loops over tables (loop: less flash), "
           f"for all parts or for one of {', '.join(PARTS)}", GENERATES, GENERATE,
           "loop, or the fastest layout with optimise = cycles",
           '"loop"', many=True, more="""
`full` writes straight-line code for every joint, `loop` loops over small tables; both give the same
bits. [Generated code](README.md#generated-code) states their costs. Mixes of poses have the layout of `evaluate`."""),
    Option("--hot-bytes", kinds.FAST_BYTES, "how much fast memory code and tables may take, on machines with fast "
           "memory; the rest stays in normal memory", GENERATES, GENERATE, "that of the target", "16384", more="""
The code that every pose needs has precedence, then the codecs of most clips. The header names the codecs that do
not fit, such as `HERO_COLD_CURVE`: compile the runtime with `-DOSC_COLD_CURVE=1`, as build rules do.
`generate --target gba` prints which code is where. The poses are the same."""),
    Option("--optimise", kinds.OPTIMISE, "what to minimise: flash for the bank and its code, the bank "
           "alone, RAM, or the cycles of a row", ENCODE + GENERATES, SETTINGS, "flash", '"cycles"', more="""
Every codec takes flash for its code, so the smallest bank seldom takes the least flash. The codec
`auto` encodes the clips with each set of codecs and keeps the best bank: `flash` minimises the bank and the code of its
codecs together, `bank` the file, `ram` the memory of players, and `cycles` the average instructions of a row.
With `flash`, each byte of a player beyond 16 KB counts as 16 bytes of flash, so that a large rig gets
a codec with much state only if that saves a lot of flash. The output lists all sets that were tried; for clips of more
than 8,192 frames, a sample rules out some with `flash` and `bank`. Code is laid out for speed with
`cycles`, and otherwise in loops. With `cycles`, and clips of the codec `curve`, the header defines `HERO_FAST_ROWS`:
compile the runtime with `-DOSC_FAST_ROWS=1`, and the platform's `.S` files with it.
[Platforms](../platforms/README.md#fast-rows) states the cost and the gain."""),
    Option("--joints", kinds.JOINT_SETS, "functions for sets of joints, such as upper=Spine*,*Arm* for "
           "..._evaluate_upper and ..._compose_upper", GENERATES, GENERATE, "none",
           '{ upper = ["chest", "*_arm"] }', key="sets", field="sets", many=True, more="""
The table `[sets]` of a file has the name of each set with a list of its joints or patterns. Two functions
are generated for each set, for masks and for characters far away. `hero_evaluate_upper` writes the local pose of these
joints, with the same bits as `hero_evaluate`, and does not touch the others. `hero_compose_upper` writes the matrices of
these joints and of the joints above. Curves have no matrices: a set of curves alone, such as `face = ["curve:*"]`, has no
such function."""),
    Option("--mask", kinds.MASKS, "a mask for mixes and blends: a set of --joints, and the number of joints over which "
           "its weight rises, such as upper=upper:3 for ..._mask_upper", GENERATES, GENERATE, "none",
           '{ upper = { set = "upper", feather = 1 } }', key="masks", field="masks", many=True, more="""
The table `[masks]` of a file has the name of each mask with a table of `set`, `feather` and `weights`. Each mask
becomes an array in flash, `hero_mask_upper`, with a weight for every joint. Joints of the set have the weight 1, others
0. With `feather = 3` the topmost joints of the set have 1/4, the next ones below 2/4, then 3/4, and the rest 1, so that
a gesture fades in along the spine. A feather that leaves no joint with the weight 1 is an error. `weights = { "*_arm" =
0.5 }` gives joints another weight, from 0 to 1, with or without a set; the most specific pattern wins."""),
    Option("--matrices", kinds.MATRICES, "format of skinning matrices", GENERATES, GENERATE,
           "q20 if the bank has inverse bind matrices", '"none"', more="""
`q20`: 48 bytes for each joint, the format of model matrices. `20.12`: 48 bytes, the format of `MTX_LOAD_4x3` of the
Nintendo DS. `q14`: 32 bytes, for machines whose products have 32 bits."""),
    Option("--rigid", kinds.FLAG, "joints that no clip moves share the skinning matrix of their parent, "
           "if the bind pose permits it; changes of their local pose have no effect", GENERATES, GENERATE, "false"),

    Option("--mirror", kinds.MIRROR, "generate a table for mirrored poses, ..._mirror; AXIS points from one side of "
           "the character to the other: x, y, z", GENERATES, GENERATE, "none",
           '{ axis = "x", pairs = [["hand_a", "hand_b"]] }', more="""
The table `[mirror]` of a file has `axis`, by default x, and `pairs`, for joints whose names do not show that they belong
together. Names show it by `left` and `right`, as in `left_hand`, `LeftHand` or `handLeft`, or by a single letter, as in
`hand.l`, `Hand_R` or `l-hand`. A pair of a joint with itself states that it has no partner. The bind pose has to be its
own mirror image. Joints that exist on one side only are not mirrored."""),

    *COMMAND_OPTIONS,
)
