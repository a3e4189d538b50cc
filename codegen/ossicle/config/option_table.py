"""All options and keys. The parser, configuration files, their checks, codegen/CONFIGURATION.md and shell completion
read this table."""
from __future__ import annotations

from ..base.places import FOLDERS
from ..base.unrolling import PARTS
from ..importers.suffixes import MESH_SUFFIXES, SUFFIXES, listed
from . import option_kinds as kinds
from .command_options import (BUILD, CLIP_LIST, COMMAND_OPTIONS, COMPARE, DECODE, DIFF, ENCODE, GENERATES, INIT,
                              INSPECT, LOOKS, MESH, PACK, PLAY, REPORT, RUNTIME, SOURCES, STRIP, VIEW, WATCH)
from .option import CLIPS, GENERATE, IMAGE, JOINTS, PROJECT, RULES, SCREEN, SETTINGS, Option
from .source_options import IMPORT_OPTIONS, RETARGET_OPTIONS

OPTIONS = (
    Option("inputs", kinds.INPUT, f"source files, {listed(SUFFIXES)}; the first determines the skeleton", ENCODE,
           PROJECT, "needed", '["../../codegen/demo/hero.glb"]', many=True, required=True, more="""
The bank has the skeleton and bind pose of the first file, which need not contain clips. Clips of other files are used
unchanged if their skeleton and bind pose are the same within 1 mm. Otherwise the nodes of a glTF file move the joints
that have the same names, and all other joints stay as in the first file. Warnings name joints that are missing or have
a different rest pose, and nodes whose motion is left out.

In a configuration file, names may be patterns, such as `["hero/*.glb"]`, which are replaced by all matching files,
sorted by name; `**` matches any number of folders. A pattern without a match is an error. `ossicle build` detects new
and deleted files."""),
    Option("inputs", kinds.INPUT, f"{listed(SUFFIXES)} files, or folders with such files", COMPARE,
           many=True, required=True, metavar="FILE|FOLDER"),
    Option("inputs", kinds.INPUT, f"source files, {listed(SUFFIXES)}", CLIP_LIST, many=True, required=True),
    Option("bank", kinds.INPUT, "the bank to read", GENERATES + DECODE + INSPECT + STRIP, required=True,
           metavar="BANK"),
    Option("banks", kinds.INPUT, "a bank with streaming tiers", PACK, many=True, required=True, metavar="BANK"),
    Option("before", kinds.INPUT, "the bank to compare with", DIFF, required=True, metavar="A"),
    Option("after", kinds.INPUT, "the bank to compare", DIFF, required=True, metavar="B"),
    Option("played", kinds.INPUT, "a configuration file (.toml) or a bank (.ossb), with an animation graph", PLAY,
           required=True, metavar="FILE"),
    Option("source", kinds.INPUT, f"a {listed(MESH_SUFFIXES)} file with the mesh", MESH, required=True, metavar="FILE"),
    Option("--bank", kinds.INPUT, "the bank whose joints move the mesh; it needs skinning "
                                  "matrices", MESH, required=True),
    Option("configs", kinds.INPUT, "configuration files; a source file, such as hero.glb, is built with default "
                                   "settings", BUILD + WATCH, many=True, required=True,
           metavar="TOML"),
    Option("inputs", kinds.INPUT,
           f"source files ({', '.join(SUFFIXES)}), a bank (.ossb), or a configuration file (.toml)",
           LOOKS, many=True, required=True),
    Option("--output", kinds.OUTPUT, "the page to write, such as hero.html; with --stream, the folder for the page and "
                                     "its tiers", VIEW, default="a temporary file", short="-o", metavar="PAGE"),
    Option("--output", kinds.OUTPUT, "the page to write, such as hero.html", REPORT, short="-o", metavar="PAGE"),
    Option("machine", kinds.TARGET, "the machine for the game, as listed by `ossicle targets`, except targets that "
                                    "cannot run or need a script", INIT, default="host", metavar="TARGET"),
    Option("--output", kinds.OUTPUT, "the folder to write to", INIT, default=".", short="-o", metavar="DIR"),
    Option("shell", kinds.one_of(("bash", "zsh"), "SHELL"), "bash or zsh", ("completion",), required=True),
    Option("folder", kinds.one_of(tuple(FOLDERS), "FOLDER"), "runtime, platforms, targets, testing, rules or demo",
           ("paths",)),
    Option("--output", kinds.OUTPUT, "the bank to write, such as hero.ossb", ENCODE + STRIP,
           required=True, short="-o", metavar="BANK"),
    Option("--output", kinds.OUTPUT, "the image to write, such as card.img", PACK, IMAGE, "needed", '"card.img"',
           required=True, short="-o", metavar="IMAGE"),
    Option("--output", kinds.OUTPUT, "the folder to write to", GENERATES + RUNTIME + MESH, required=True, short="-o",
           metavar="DIR"),
    Option("--for", kinds.INPUT, "a configuration file that `ossicle build` has built: write only the codecs of its "
                                 "banks, for its "
                                 "target", RUNTIME, metavar="TOML", field="project", default="all codecs"),
    Option("--target", kinds.TARGET, "a machine, such as microbit, whose platform and defines to use", RUNTIME,
           default="plain C", sample='"microbit"'),
    Option("--library", kinds.FLAG, "write a library for Arduino and PlatformIO: the files in DIR/src, "
                                    "library.properties and library.json", RUNTIME),
    Option("--output", kinds.OUTPUT, "the file to write, such as hero.glb, walk.bvh or walk.rawclip, or walk.csv for "
                                     "curves", DECODE, required=True, short="-o"),
    Option("--output", kinds.OUTPUT, "also write tables (CSV) and pictures (PNG) to this folder", COMPARE,
           short="-o", metavar="DIR"),
    Option("--output", kinds.OUTPUT, "the folder for all outputs, instead of those that the files "
                                     "name", BUILD + WATCH, short="-o",
           metavar="DIR"),
    Option("output", kinds.OUTPUT, "the bank to write", (), PROJECT, "the file's name with .ossb", '"hero.ossb"'),
    Option("generate", kinds.OUTPUT, "the folder for generated C", (), PROJECT, "no C is generated", '"."'),
    Option("--config", kinds.INPUT, "a configuration file; options override it",
           ENCODE, metavar="TOML"),
    Option("--config", kinds.INPUT, "with --source, the configuration file with which the bank was encoded, for its "
                                    "[import]; options override it", DECODE, metavar="TOML"),

    # content and precision of the bank
    Option("--tolerance", kinds.TOLERANCE_OR_NONE, "largest error allowed, such as 0.5mm, or 0.5px on the screen; none "
                                                   "allows any error, for presets that do not adapt to a "
                                                   "tolerance", ENCODE,
           SETTINGS, "1mm", in_clips=True, more="""
Units are `um`, `mm`, `cm` and `m`. A tolerance in pixels, `px`, needs the screen's height, field of view and distance.
It is converted to pixels * 2 * distance * tan(fov / 2) / height, and the report states the millimetres. `none` accepts
any error of presets that do not adapt to a tolerance, and the report states the error. `error mm` in the report is the
largest error of any joint; if joints have different tolerances, `tightest mm` is the error that is nearest to its
joint's tolerance (`of mm`)."""),
    Option("--tolerance", kinds.LENGTHS, "largest error allowed, such as 0.5mm", COMPARE, default="1mm",
           many=True, field="tolerances"),
    Option("--shell", kinds.LENGTH, "distance from the joint, in model space at the bind pose, at which errors are "
           "measured", SOURCES, SETTINGS, "3cm", field="shell_m"),
    Option("points", kinds.SHELL_POINTS, "the points of a joint's shell to which the tolerance applies: axes, the "
                                         "three points on the joint's axes, or sphere, all "
                                         "points", (), SETTINGS, "axes"),
    Option("mode", kinds.MODE, "whether joints compensate for the errors of the joints above them (full-body), or "
                               "every chain of joints keeps the tolerance independently (layer)", (), SETTINGS,
           "full-body", in_clips=True, more="""
In a `full-body` clip joints compensate for the errors of the joints above them, which is correct if the whole skeleton
plays the clip. Use `layer` (`--layer`) for a clip that plays under a mask or is blended with others. Joints of a layer
do not compensate, and the tolerance holds for every chain of joints, from any joint to any joint below, if the joints
above the chain are exact. The report states the largest error of a chain as `layer mm`, and its first joint. Layers
take more bytes. Pinning joints has no advantage in a layer, in which all joints above are equally precise."""),
    Option("--codec", kinds.CODEC, "the codec of clips; auto chooses from delta, curve and transform according to "
                                   "optimise", ENCODE, SETTINGS, "auto", in_clips=True, more="""
`auto` first chooses the best codec for each clip, and then tries to remove codecs from the bank: see `optimise`. In
large banks, the code of a codec is comparatively small, and this ends after a few clips. If you choose the codec of a
clip, the game also links the code of that codec."""),
    Option("--preset", kinds.PRESET, "a published scheme instead of a codec: see `ossicle presets`", ENCODE,
           SETTINGS, "none", in_clips=True,
           more="[PRESETS.md](PRESETS.md) describes the presets. A preset determines the codec: stating both is an "
                "error."),
    Option("--tiers", kinds.TIERS, "streaming tiers: the errors with only the first 0, 1, .. tiers, such as 8mm,3mm; "
                                   "or the sizes of the bank with these tiers, such as 30%,60% or "
                                   "40kB", ENCODE, SETTINGS,
           "none, or those of the preset", '["8mm", "3mm"]', more="""
The first error applies without any tier, the next one with the first tier, and the tolerance with all tiers. For each
clip that needs one, a tier contains a more precise version, which replaces the previous version. A size includes the
base and all tiers up to that one; percentages are of the bank without tiers. With sizes, the base is as precise as its
size permits, and the first tiers contain the clips with the largest errors. Presets that have their own tiers move
single keys into them instead. `encode` lists the size of each tier; [Streaming](../runtime/STREAMING.md) explains how
tiers are loaded and unloaded."""),
    Option("tier_block", kinds.BLOCK, "tiers divide longer clips into blocks of this many frames: a power of two "
           "from 64 on, or 0 to divide none", (), SETTINGS, "512", field="tier_block_log2", more="""
A clip streams block by block, and needs memory for two blocks regardless of its length. Because blocks share no data,
small blocks take more bytes."""),
    Option("random_access", kinds.FLAG, "use only codecs that reach every frame at the same cost: transform",
           (), SETTINGS, "false", in_clips=True,
           more="Choosing a codec that decodes frames in sequence is then an error."),
    Option("--max-ram-bytes", kinds.BYTES, "largest memory of a player on a 32-bit machine, including its "
                                           "osc_player", ENCODE, SETTINGS, "no limit", "4096", more="""
Clips whose codec needs too much state are encoded again. In `curve` clips, more tracks get a key on every frame, which
takes less memory and a few more bytes of the bank; other clips get a codec that needs less memory. If even `delta` does
not fit, or no other codec is allowed, `encode` fails and states the necessary memory."""),
    Option("--effort", kinds.EFFORT, "how long to search for a smaller encoding; max takes minutes",
           SOURCES, SETTINGS, "default"),
    Option("--restart", kinds.FRAMES, "frames between restart points, a power of two; 0: only the first frame",
           ENCODE, SETTINGS, "64; 256 with optimise = bank; or the preset's", "64", field="restart_log2", more="""
A jump in time unpacks all rows from the preceding restart point. Restart points take bytes, so that `optimise = "bank"`
uses fewer. `transform` clips have a restart point at least every 64 frames, regardless of `restart`; a smaller value
makes them larger and their jumps only a little faster."""),
    Option("--skin-matrices", kinds.FLAG, "store the inverse bind matrices, from which skinning matrices are computed: "
                                          "48 bytes per "
                                          "joint", ENCODE, SETTINGS, "false", key="skinning", field="skinning"),
    Option("--loop", kinds.LOOPS, "clips that loop: their last frame equals the first, within the tolerance",
           ENCODE, RULES, sample='loop = true in [clips."NAME"]', field="clips", many=True),
    Option("--close-loop", kinds.CLOSED_LOOPS, "clips that loop, and whose last frame only nearly equals the first",
           ENCODE, RULES, sample='loop = "close" in [clips."NAME"]', field="clips", many=True),
    Option("loop", kinds.LOOP, "the clip loops: its last frame equals the first, within the tolerance; close: "
           "nearly equals it", (), CLIPS, "false", "true", more="""
`"close"` spreads the gap over the clip: half of it at each end, and less towards the middle. The report states the gap
and the largest change of a pose. The tolerance applies relative to the closed clip. A gap above `loop_limit` is an
error."""),
    Option("loop_limit", kinds.LENGTH, "the largest gap that `loop = \"close\"` spreads over a clip", (),
           SETTINGS, "3 % of the character's size", '"5cm"', field="loop_limit_m"),
    Option("root_motion", kinds.ROOT_MOTION, "remove these components of a joint's motion from the clip, which then "
           "plays in place and has a trajectory", (), SETTINGS, "none", '"xz yaw"', in_clips=True, more="""
The components are motion across the ground (x and z), up and down (y), and rotation about the axis y, which points up
(yaw). Steps and sways stay in the clip. The clip plays above the origin, and initially faces in the direction of the
bind pose; y begins at the height of the first frame. The tolerance holds for the clip in place, and therefore also for
the clip moved along its trajectory. A captured walk that ends metres from its start can then loop. osc_motion.h moves
the character along the trajectory, without drift."""),
    Option("root_joint", kinds.NAME, "the joint whose motion is removed, such as \"Hips\"", (), SETTINGS,
           "the first joint that a clip moves", '"Hips"', in_clips=True),
    Option("root_tolerance", kinds.LENGTH, "largest distance of a trajectory from its joint: larger values make it "
           "smoother and smaller, and leave sways in the clip", (), SETTINGS, "3cm", in_clips=True,
           field="root_tolerance_m", more="""
This also limits the error of the yaw, which moves a point half a metre away by at most this length."""),
    Option("root_yaw", kinds.ROOT_YAW, "the reference of a trajectory's yaw: the first frame, the bind pose, or an "
           "axis of the joint", (), SETTINGS, "first", '"z"', in_clips=True, more="""
`first` measures the rotation of the joint about y since the first frame; the heading of the first frame is its rotation
from the bind pose. A bow or a lean then rotates the trajectory by no more than the hips. `bind` measures the rotation
from the bind pose in every frame. `x`, `y` and `z` follow the horizontal direction of that axis of the joint; an axis
that points up in the bind pose is an error."""),
    Option("from", kinds.SECONDS, "start of the clip in the file; from and to are rounded to whole frames",
           (), CLIPS, "0.0", field="start_s"),
    Option("to", kinds.SECONDS, "end of the clip in the file", (), CLIPS, "its end", "1.0", field="end_s"),
    Option("speed", kinds.SPEED, "speed of the clip as a multiple of that in the file", (), CLIPS, "1.0"),
    Option("reverse", kinds.FLAG, "play the clip from its end to its beginning", (), CLIPS, "false"),
    Option("keep_frames", kinds.KEPT_FRAMES, "frames of the encoded clip, or times, whose keys never move into a "
                                             "streaming tier; for presets with keys in "
                                             "tiers", (), CLIPS, "none", '[0, 12, "0.4s", "last"]',
           more="""
The keys at both ends of every segment of 16 frames also stay. Tolerances determine from which joints keys are moved: a
joint with twice the tolerance may have twice the error without tiers, and loses more keys."""),
    Option("additive", kinds.ADDITIVE, "the clip stores differences from a pose, to be added to other clips; the pose "
                                       "is the first frame of a clip, another frame or time of it, or the bind "
                                       "pose", (), CLIPS, "none",
           '"Idle@0"', more="""
`osc_mix_add` adds such a clip, for example a breath, a lean or a wave, to any pose. The reference pose may be a frame
of the clip or of any other clip in the sources, even one that is not chosen. Frames and times refer to that clip after
`from`, `to`, `speed`, `reverse` and `root_motion`; frames have the rate of its file. Joints that match the reference
pose take no bytes. The tolerance holds for the sum of reference pose and differences, compared with the source;
`osc_mix_add` adds rounding errors, 0.07 mm for the demo character. If a game adds the clip to another pose, errors
scale with the lengths of that pose's joints. `mode = "layer"` makes the tolerance hold for every chain of joints, which
masks need. `none` overrides the key of a less specific table. Clips named bind or none are written as `"bind@0"` or
`"none@0"`."""),
    Option("mirror_of", kinds.MIRROR_OF, "the clip is the mirror image of this clip, such as \"TurnLeft\" of "
                                         "\"TurnRight\", and takes 12 bytes and its name", (), CLIPS, "none", more="""
The table creates a new clip, whose name must not occur in the sources. The table must not have other keys, because the
clip takes all other settings from the original. In the bank, it follows the original. Left and right are exchanged in
the names of its events, and its trajectory is mirrored. The bank stores the data once: a game plays the clip like any
other, and calls `osc_mirror_pose` for clips whose osc_clip_info is `mirrored`, with a table that `generate` then writes
even without `mirror`. The tolerance holds for the mirrored points, or with `points = "sphere"` for all points. Pairs of
joints are found by their names, as for `mirror`; the axis is that between the sides of the bind pose. The page of
`ossicle view` shows the original clip instead."""),
    Option("events", kinds.EVENTS, "named times of the clip, which are reported to the game when playback passes them: "
                                   "tables [[clips.\"PATTERN\".events]]", (), CLIPS, "those of the file",
           '[{ time = "0.4s", name = "footstep_left" }]', more="""
Each event has a `name`, a `time` (`"0.4s"`, or seconds as a number) or a `frame` (a number, or `"last"`), and
optionally a `value`, a 32-bit integer for the game. With a `length` (a time) or `until` (a time or a frame) it is a
span, both ends of which are reported; in a loop it may extend beyond the end. Times and frames refer to the clip after
`from`, `to`, `speed` and `reverse`; frames have the rate of its file. These events are added to those of the file: in
glTF, `extras.events` of an animation is a list of objects with `time` in seconds, `name`, and optionally `value` and
`length`, such as `[{"time": 0.4, "name": "footstep_left", "value": 1}]`. The header declares their names, such as
`HERO_EVENT_FOOTSTEP_LEFT`; osc_motion.h describes how a game reads them. At most 32 events may begin or end within a
frame, which bounds the work of a tick."""),
    Option("curves", kinds.CURVES,
           "numbers that play with the clip, such as the glow of a lamp: a table, or a CSV file",
           (), CLIPS, "those of the file", '{ glow = [[0.0, 0.0], ["0.5s", 1.0]] }', more="""
Each curve is a list of keys: pairs of a time (`"0.4s"`, or seconds as a number) and a value. See
[Curves](#curves)."""),
    Option("contacts", kinds.CONTACTS, "joints that touch the ground; their touch-downs become events; true: the feet, "
                                       "found by their "
                                       "names", (), SETTINGS, "false", '["left_foot", "right_foot"]', in_clips=True,
           more="""
The joint `left_foot`, or each joint that matches a pattern, gets the event `left_foot_down`; a table gives other names,
such as `{ left_foot = "step_left" }`. Games play footsteps at these events, and osc_motion.h uses them to synchronise a
walk and a run. `true` selects the joints whose names contain `foot`, or otherwise `ankle` or `toe`, without the joints
below them and without joints that carry no vertices. Contacts are found from heights alone, so a clip in place and one
that travels have the same contacts. The rise of a joint is the difference between its highest and lowest position in
the clip. The joint touches down when it falls below a tenth of its rise after it was above a quarter. If a joint rises
by less than 2 cm, it has no contacts, and `encode` reports this. In a long capture, a single jump raises these limits,
so that steps are not found: cut the clip with `from` and `to`. Other `events` of the clip with the same name, in this
file or in the source, replace the detected ones."""),
    Option("contact_spans", kinds.CONTACTS, "joints that touch the ground; the times during which they stay there "
                                            "become spans; true: the feet, found by their names", (), SETTINGS, "false",
           '["left_foot", "right_foot"]', in_clips=True, more="""
The joint `left_foot` gets the spans `left_foot_planted`; patterns, tables and `true` have the same meaning as for
`contacts`, which is independent of this key. Limbs of [animation graphs](#animation-graphs) can hold a foot in place
while its span is open (`lock`); other games read spans with `osc_event_is_inside` of osc_motion.h. A span begins where
the joint touches down, as for `contacts`, and ends where it would touch down if the clip played in reverse. A clip that
begins or ends on the ground has spans from its first frame or to its last one. In a loop, a span may extend beyond the
end. A joint that rises by less than 2 cm has no spans, because its heights do not tell whether it stands or hangs:
state a span with `events`."""),
    Option("--layer", kinds.LAYERS, "clips with the mode layer, for masks and blends", ENCODE, RULES,
           sample='mode = "layer" in [clips."NAME"]', field="clips", many=True),
    Option("--joint-tolerance", kinds.JOINT_RULE, "another tolerance for these joints, such as "
           "'*_hand=0.3mm'; on the command line the last match wins", ENCODE, RULES,
           sample='tolerance = "0.3mm" in [joints."NAME"]', field="joints", many=True),
    Option("tolerance", kinds.TOLERANCE, "another tolerance for these joints", (), JOINTS, "needed", '"0.3mm"', more="""
It overrides every other tolerance, including a tighter one of a clip or of `pin`."""),
    Option("curve", kinds.CURVE_RULES, "other tolerances for these curves; false leaves them out", (), SETTINGS,
           "1/256 for each",
           '{ smile = 0.01, "debug_*" = false }', key="curves", field="curve_rules", more="""
In the file, `[curves]` is a table of curves or patterns with the largest error of their values, a number above 0;
`false` leaves curves out. The tolerance holds at every key, frame and midpoint, as for joints. See
[Curves](#curves)."""),
    Option("--pin", kinds.JOINTS, "joints that stay within a tenth of the tolerance, or within their own, such as "
           "'*_foot'", ENCODE, SETTINGS, "none", '["*_foot"]',
           field="pins", many=True, more="""
If necessary, pinned joints get a translation of their own, so that feet stand still even though the joints above them
have the usual precision. The JSON report states their error as `pinned_error_mm`."""),
    Option("screen_height", kinds.NUMBER, "height of the screen", (), SCREEN, "unknown", "240",
           key="height", field="height"),
    Option("screen_width", kinds.NUMBER, "width of the screen, for the page of `ossicle view`", (), SCREEN,
           "1.5 times its height", "240", key="width", field="width"),
    Option("fov", kinds.NUMBER, "vertical field of view, in degrees", (), SCREEN, "unknown", "60"),
    Option("distance", kinds.LENGTH, "smallest distance from the camera to the character, such as 2m",
           (), SCREEN, "unknown", '"2m"', field="distance_m"),

    *IMPORT_OPTIONS,

    # generated C
    Option("--name", kinds.C_NAME, "prefix of all generated names", GENERATES + MESH, GENERATE,
           "the bank's file stem", '"hero"', more="""
The default is the bank's file stem in lower case: `My Hero-2.ossb` gives `my_hero_2`."""),
    Option("embed", kinds.EMBED, "also write the bank, as an array; base: without its tiers", (), GENERATE, "false",
           '"base"'),
    Option("--target", kinds.TARGET, "a machine, such as gba or m4 (see `ossicle targets`): choose codecs and the "
                                     "layout of code for it, and print the compiler's command line and the flash of "
                                     "each layout",
           ENCODE + GENERATES, SETTINGS, "none", '"microbit"', more="""
By default, codecs are chosen for a Cortex-M4."""),
    Option("--unroll", kinds.UNROLL, "straight-line code (full) or loops over tables (loop: less flash), "
           f"for all parts or one of {', '.join(PARTS)}", GENERATES, GENERATE,
           "loop, or the fastest layout with optimise = cycles",
           '"loop"', many=True, more="""
`full` writes straight-line code for every joint, `loop` writes loops over small tables. Both give the same bits;
[Generated code](README.md#generated-code) states their costs. Mixes of poses have the layout of `evaluate`."""),
    Option("--hot-bytes", kinds.FAST_BYTES, "bytes of fast memory for code and tables, on machines that have such "
                                            "memory; the rest stays in normal "
                                            "memory", GENERATES, GENERATE, "that of the target", "16384", more="""
The code that every pose needs is placed first, then the codecs of most clips. For a codec that does not fit, the header
defines a macro such as `HERO_COLD_CURVE`; compile the runtime with `-DOSC_COLD_CURVE=1`, as build rules do.
`generate
--target gba` prints the placement. The poses are the same."""),
    Option("--optimise", kinds.OPTIMISE, "the quantity to minimise: flash of the bank and its code, size of the bank, "
                                         "RAM, or cycles of a "
                                         "row", ENCODE + GENERATES, SETTINGS, "flash", '"cycles"', more="""
Because the code of every codec takes flash, the smallest bank seldom takes the least flash. The codec `auto` encodes
the clips with each set of codecs and keeps the best bank: with `flash` the bank that takes the least flash together
with the code of its codecs, with `bank` the smallest file, with `ram` the bank whose players take the least memory, and
with `cycles` the bank whose rows take the fewest instructions on average. With `flash`, each byte of a player beyond 16
KB counts as 16 bytes of flash, so a large rig gets a codec with much state only if this saves a lot of flash. With
`flash` or `bank`, clips of more than 8,192 frames are first encoded in part, and sets of codecs that this sample rules
out are not tried. The output lists all sets that were tried. A bank with `curve` clips can store a base row and, for
each clip, only the difference of its first keys from this row. It does so if this saves more bytes than the code of
base rows takes on the target, or with `bank` if it saves any bytes. With `cycles`, code is laid out for speed,
otherwise in loops. With `cycles` and clips of the codec `curve`, the header defines `HERO_FAST_ROWS`: compile the
runtime with `-DOSC_FAST_ROWS=1`, together with the platform's `.S` files. [Platforms](../platforms/README.md#fast-rows)
states costs and savings."""),
    Option("graph", kinds.GRAPH, "the animation graph: states, transitions and parameters", (), SETTINGS, "none",
           '{ start = "idle", states = { idle = { play = "Idle" } } }', more="""
The bank contains the graph: see [Animation graphs](#animation-graphs)."""),
    Option("--joints", kinds.JOINT_SETS, "functions for only these joints, such as upper=Spine*,*Arm* for "
                                         "..._evaluate_upper and ..._compose_upper", GENERATES, GENERATE, "none",
           '{ upper = ["chest", "*_arm"] }', key="sets", field="sets", many=True, more="""
In the file, `[sets]` has an entry for each set: its name, and a list of joints or patterns. Each set has two generated
functions, for masks and for distant characters. `hero_evaluate_upper` writes only these joints of the local pose, with
the same bits as `hero_evaluate`, and does not change the others. `hero_compose_upper` writes only the matrices of these
joints and of the joints above them. Curves have no matrices: a set that contains only curves, such as
`face = ["curve:*"]`, has no such function."""),
    Option("--mask", kinds.MASKS, "a mask for mixes and blends: a set of --joints, and the number of joints over which "
                                  "the weight rises, such as upper=upper:3 for "
                                  "..._mask_upper", GENERATES, GENERATE, "none",
           '{ upper = { set = "upper", feather = 1 } }', key="masks", field="masks", many=True, more="""
In the file, `[masks]` has an entry for each mask: its name, and a table with `set`, `feather` and `weights`. Each mask
becomes an array in flash, `hero_mask_upper`, with a weight for every joint. Joints of the set have the weight 1, others
0. With `feather = 3`, the topmost joints of the set have the weight 1/4, those below them 2/4, then 3/4, and the rest
1, so that a gesture fades in along the spine. A feather that leaves no joint with the weight 1 is an error.
`weights = { "*_arm" = 0.5 }` gives joints another weight, from 0 to 1, with or without a set; the most specific pattern
wins."""),
    Option("--matrices", kinds.MATRICES, "format of skinning matrices", GENERATES, GENERATE,
           "q20 if the bank has inverse bind matrices", '"none"', more="""
`q20`: 48 bytes per joint, in the format of model matrices. `20.12`: 48 bytes, in the format of `MTX_LOAD_4x3` of the
Nintendo DS. `q14`: 32 bytes, for machines with 32-bit products."""),
    Option("--rigid", kinds.FLAG, "joints that no clip moves use the skinning matrix of their parent if the bind pose "
                                  "permits it; edits of their local pose then have no "
                                  "effect", GENERATES, GENERATE, "false"),

    Option("--mirror", kinds.MIRROR, "a table for mirrored poses, ..._mirror; AXIS points from one side of "
           "the character to the other: x, y, z", GENERATES, GENERATE, "none",
           '{ axis = "x", pairs = [["hand_a", "hand_b"]] }', more="""
In the file, `[mirror]` is a table with `axis`, by default x, and `pairs`, which lists the pairs of joints that cannot
be found by name. Pairs are found by `left` and `right` in names, as in `left_hand`, `LeftHand` or `handLeft`, or by a
separate letter, as in `hand.l`, `Hand_R` or `l-hand`. If a joint must not have a partner, pair it with itself. The bind
pose must be symmetric. Joints that exist only on one side do not change."""),

    *COMMAND_OPTIONS,
    *RETARGET_OPTIONS,
)
