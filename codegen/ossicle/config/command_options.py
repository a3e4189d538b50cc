"""The names of commands, and the options of single commands, in addition to those of option_table.py."""
from __future__ import annotations

from ..bank.device_units import DEFAULT_UNIT, UNITS
from ..importers.suffixes import GLTF_SUFFIXES, MESH_SUFFIXES, listed
from . import option_kinds as kinds
from .option import IMAGE, Option

ENCODE, GENERATES, DECODE, INSPECT, STRIP, PACK, COMPARE, BUILD, RUNTIME, CLIP_LIST, INIT, MESH = (
    (name,) for name in ("encode", "generate", "decode", "inspect", "strip", "pack", "compare", "build", "runtime",
                         "clips", "init", "mesh"))
VIEW, REPORT, DIFF, WATCH, CACHE, PLAY, BLENDER = (
    ("view",), ("report",), ("diff",), ("watch",), ("cache",), ("play",), ("blender",))
LOOKS = VIEW + REPORT  # commands that show a bank, or encode one from sources first
SOURCES = ENCODE + COMPARE
READS = SOURCES + CLIP_LIST

COMMAND_OPTIONS = (
    Option("--embed", kinds.FLAG, "also write the bank, as an array", GENERATES),
    Option("--embed-base", kinds.FLAG, "also write the bank without its streaming tiers, as an array", GENERATES),
    Option("--source", kinds.INPUT, "the source files of the bank, to compare with; not for configuration files, which "
                                    "name theirs",
           LOOKS, many=True, metavar="FILE"),
    Option("--config", kinds.INPUT, "a configuration file with the settings with which to encode source files, or with "
           "which the bank of --source was encoded", LOOKS, metavar="TOML"),
    Option("--character", kinds.NAME, "the character to show, if the configuration file has several", LOOKS +
           WATCH + PLAY),
    Option("--script", kinds.INPUT, "the script: inputs over time, and expectations", PLAY, required=True,
           metavar="TOML"),
    Option("--expect", kinds.INPUT, "a recording that --json has printed, with which the play must agree", PLAY,
           metavar="JSON"),
    Option("--every-tick", kinds.FLAG, "print all ticks, not only those with inputs, switches and events", PLAY),
    Option("--compare", kinds.INPUT, "another bank of the same clips, to switch to", VIEW, many=True, metavar="BANK"),
    Option("--stream", kinds.FLAG, "serve the page with only the base of the bank until Ctrl-C; tiers stream while it "
                                   "plays; with -o, write the files for another web server", VIEW),
    Option("--rate", kinds.RATE, "with --stream, the bytes of tiers per second, such as 50kB", VIEW,
           default="as fast as possible"),
    Option("--view", kinds.FLAG, "show the character in the browser, in the page of `ossicle view`, which follows each "
                                 "build", WATCH),
    Option("--no-open", kinds.FLAG, "do not open the page in the browser", VIEW + WATCH, field="stays_closed"),
    Option("--clip", kinds.NAME, "the clip to play", DECODE, default="all, if the file can hold them", many=True),
    Option("--source", kinds.INPUT, f"the {listed(GLTF_SUFFIXES)} file from which the bank was encoded: write a .glb "
           "with its content and the decoded clips, as animations named NAME (decoded)", DECODE, metavar="FILE"),
    Option("--midpoints", kinds.FLAG, "also write the midpoints between frames: 2F-1 frames", DECODE),
    Option("--joints", kinds.FLAG, "print the cost of each joint over all clips instead of the content", INSPECT),
    Option("--tracks", kinds.FLAG, "print the cost of each track of each clip: header, keys and values", INSPECT),
    Option("--sort", kinds.SORT, "order of joints, tracks or clips: by bytes, the largest first, or by name", INSPECT,
           default="as in the bank"),
    Option("--sort", kinds.SORT, "order of clips and joints: by the change in bytes, the largest first, or by name",
           DIFF, default="as in the banks"),
    Option("--fail-above", kinds.PERCENT, "exit with status 3 if B is larger than A by more than this percentage, such "
                                          "as 2%", DIFF, default="no limit"),
    Option("--source", kinds.INPUT,
           f"with --joints, a {listed(MESH_SUFFIXES)} file with the mesh, which tells which joints carry something",
           INSPECT, many=True),
    Option("--tiers", kinds.COUNT, "the number of tiers to keep, from the first; 0: none", STRIP, required=True),
    Option("--tier-files", kinds.FLAG, "also write the removed tiers next to the output, as hero.ossb.tie1, "
                                       "hero.ossb.tie2 and so on, for osc_bank_attach_tier", STRIP),
    Option("--unit", kinds.UNIT, "the number of bytes that the device reads as a unit; tiers begin at its multiples; "
           f"a number, or {', '.join(f'{name} ({size})' for name, size in UNITS.items())}", PACK, IMAGE, DEFAULT_UNIT),
    Option("--at", kinds.PLACE, "the address of the image on the medium, which is added to all addresses; a multiple "
                                "of the unit", PACK, IMAGE, "0"),
    Option("--header", kinds.OUTPUT, "also write a C header with the addresses of all tiers, for osc_stream_add", PACK,
           IMAGE,
           "none", '"card.h"', more="""
For hero.ossb, `hero_tier_places` contains the address of each tier, and `HERO_TIER_1_BYTES` its size; for card.img,
`CARD_IMAGE_BYTES`, `CARD_IMAGE_UNIT_BYTES`, `CARD_IMAGE_PLACE` and `CARD_IMAGE_CRC` (CRC-32 of the whole image)
describe the image."""),
    Option("--bases", kinds.OUTPUT, "also write the banks without tiers, such as hero.base.ossb, to this folder", PACK,
           default="none", metavar="DIR"),
    Option("--embed", kinds.FLAG, "write C instead of the banks of --bases, as `ossicle generate --embed-base` does by "
                                  "default; without --bases, to the folder of the image", PACK),
    Option("--tier-files", kinds.FLAG, "read tiers that BANK lacks from BANK.tie1, BANK.tie2 and so on, which `ossicle "
                                       "strip --tier-files` writes", PACK),
    Option("--presets", kinds.SCHEMES, "only these presets and codecs, in addition to auto", COMPARE, default="all",
           many=True, more="""
If a scheme cannot hold the tolerance of a clip, `compare` doubles the tolerance until it can, and the table shows the
actual error. Pictures list `unreal4-identity`, which has no keys, in a note, because it would dominate the scale."""),
    Option("--rows", kinds.FLAG, "also count the instructions of a row on a Cortex-M4; slow, needs arm-none-eabi-gcc "
                                 "and qemu-system-arm", COMPARE),
    Option("--install", kinds.FLAG, "copy the add-on to the user's folders of all versions of Blender", BLENDER),
    Option("--uninstall", kinds.FLAG, "remove it from there", BLENDER),
    Option("--into", kinds.OUTPUT, "another folder of add-ons to install into or to uninstall from", BLENDER,
           default="the user's folders", metavar="DIR"),
    Option("--zip", kinds.OUTPUT, "write the archive that Blender installs, such as ossicle_blender.zip", BLENDER,
           metavar="FILE"),
    Option("action", kinds.one_of(("stats", "clear", "verify"), "ACTION"),
           "stats: print the content and the hit rate; clear: remove the cache; verify: check all entries and remove "
           "damaged ones", CACHE,
           required=True),
    Option("--cache", kinds.CACHE, "the folder that stores encoded clips for later use, or off; "
           "also OSSICLE_CACHE in the environment", ENCODE + LOOKS + BUILD + WATCH + CACHE, metavar="DIR|off",
           default="with --effort max the user's folder, otherwise off", more="""
The key of a clip consists of everything that determines its bytes: its samples, the skeleton, the relevant settings and
the encoder. Names are not part of the key, so that copies of a clip are encoded only once. The folder also stores which
codecs were chosen for characters of 16 or more clips without curves between frames, such as BVH captures, whose clips
are then not loaded with every codec. The bank is the same with and without a cache: cached clips are played and
measured before they are used, and encoded again if they are damaged or exceed their tolerance. Any number of processes
on one machine may share the folder, but machines must not share it over a network. Other users have no access to it,
and a folder that belongs to another user is refused. The user's folder is ~/.cache/ossicle, or ossicle in
XDG_CACHE_HOME."""),
    Option("--cache-size", kinds.SIZE, "the size above which the cache removes the clips that were unused for the "
                                       "longest time; stored in the "
                                       "folder", ENCODE + LOOKS + BUILD + WATCH + CACHE, default="5GB"),
    Option("--jobs", kinds.JOBS, "threads", ENCODE + LOOKS + COMPARE + BUILD + WATCH, default="one per core"),
    Option("--workers", kinds.JOBS, "the number of processes that encode, with Dask distributed", BUILD, default="none",
           more="""
The files do not depend on the number of workers. A worker that dies is replaced, and its clips are encoded again. With
`--cache`, workers store each clip as soon as it is encoded, so that an interrupted build continues where it stopped.
With workers, `--jobs` is the number of threads that each of them may use to encode a whole bank; the default is
one."""),
    Option("--scheduler", kinds.SCHEDULER, "encode on the workers of this Dask distributed scheduler, on any number of "
                                           "machines", BUILD, default="none", more="""
[Libraries](LIBRARIES.md#many-machines) explains how to start a scheduler, and which programs it trusts."""),
    Option("--tls-ca-file", kinds.INPUT,
           "with --scheduler tls://.., the certificate of the authority that both sides trust",
           BUILD, default="Dask's configuration"),
    Option("--tls-cert", kinds.INPUT, "the certificate of this build", BUILD, default="Dask's configuration"),
    Option("--tls-key", kinds.INPUT, "the key of this certificate, if it is in another file", BUILD,
           default="Dask's configuration"),
    Option("--fail-fast", kinds.FLAG, "stop at the first character that cannot be built", BUILD, more="""
Without it, each character that cannot be built is reported on one line, all others are built, and the exit status is 1.
Old files of a character that cannot be built are removed, so that no game ships them with the others by mistake; if no
character can be built, they are kept. With `--fail-fast`, old files are always kept, and nothing is written if a source
cannot be read."""),
    Option("--summary", kinds.OUTPUT, "write a report about all characters: .csv, .html or .txt", BUILD, more="""
The page and the text list the totals of each character, notable clips, and the characters that cannot be built; the CSV
lists all clips, with the reason why a character cannot be built in the last column. With this option, a build writes a
JSON report of each character next to its manifest; later builds read the figures of unchanged characters from it."""),
    Option("--json", kinds.OUTPUT_OR_STDOUT, "write the report as JSON, see codegen/JSON.md, to a file or with - to "
                                             "the standard output",
           ENCODE + BUILD, metavar="REPORT"),
    Option("--json", kinds.OUTPUT_OR_STDOUT, "write all figures as JSON, see codegen/JSON.md, to a file or with - to "
                                             "the standard output", REPORT,
           metavar="FILE"),
    Option("--svg", kinds.OUTPUT, "write the plots as separate files to this folder", REPORT, metavar="DIR"),
    Option("--html", kinds.OUTPUT, "also write the page of `ossicle report`", ENCODE, metavar="PAGE"),
    Option("--json", kinds.FLAG, "print JSON, see codegen/JSON.md", INSPECT + DIFF + CLIP_LIST + ("targets",)),
    Option("--json", kinds.FLAG, "with stats, print JSON, see codegen/JSON.md", CACHE),
    Option("--json", kinds.FLAG, "print all ticks as JSON, a recording for --expect, see codegen/JSON.md", PLAY),
    Option("--depfile", kinds.OUTPUT, "write a rule for Make and Ninja with the outputs and their "
                                      "dependencies", BUILD, more="""
Spaces, `#`, `$` and `:` are escaped. Names that Make or Ninja cannot read are errors: names with one of
``" & ' * ; < = > ? [ \\ ^ ` | ``, with `~` as the first or `:` or `)` as the last character, and outputs with `%`."""),
    Option("--list", kinds.FLAG, "write nothing; print the files that a build writes and reads and the files of the "
                                 "runtime that the game needs, as KIND=PATH", BUILD, more="""
The kinds are `manifest`, `header`, `source`, `bank`, `image` and `report` for outputs, `include` for the folder of a
header, `input` for files that are read, `runtime` for the runtime's sources, `runtime-include` for its folders,
`define` for macros with which to compile the whole game, and `flag` for further flags of the generated code and the
runtime. The defines and flags together are those of the target; put them after those of the game."""),
    Option("--compiler", kinds.NAME, "with --list, the command that compiles C, such as arm-none-eabi-gcc", BUILD,
           default="one for the target", metavar="CC", more="""
If the compiler builds for this computer and refuses the target's flags, flags and defines are left out, and the
platform is `scalar`, so that unit tests of a handheld game run on a PC. The poses are the same."""),
    Option("--quiet", kinds.FLAG, "print only warnings and errors", ENCODE + LOOKS + GENERATES + COMPARE + BUILD +
           RUNTIME + MESH + PACK + PLAY),
)
