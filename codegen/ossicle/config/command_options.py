"""The commands, and the options that single ones have beside those of option_table.py."""
from __future__ import annotations

from ..bank.device_units import DEFAULT_UNIT, UNITS
from ..importers.suffixes import GLTF_SUFFIXES, listed
from . import option_kinds as kinds
from .option import IMAGE, Option

ENCODE, GENERATES, DECODE, INSPECT, STRIP, PACK, COMPARE, BUILD, RUNTIME, CLIP_LIST, INIT, MESH = (
    (name,) for name in ("encode", "generate", "decode", "inspect", "strip", "pack", "compare", "build", "runtime",
                         "clips", "init", "mesh"))
VIEW, REPORT, DIFF, WATCH, CACHE = (("view",), ("report",), ("diff",), ("watch",), ("cache",))
LOOKS = VIEW + REPORT  # commands that show a bank, or encode one from sources first
SOURCES = ENCODE + COMPARE
READS = SOURCES + CLIP_LIST

COMMAND_OPTIONS = (
    Option("--embed", kinds.FLAG, "also write the bank, as an array", GENERATES),
    Option("--embed-base", kinds.FLAG, "also write the bank without its streaming tiers, as an array", GENERATES),
    Option("--source", kinds.INPUT, "the source files of the bank, to compare with; a configuration file names its own",
           LOOKS, many=True, metavar="FILE"),
    Option("--config", kinds.INPUT, "a configuration file with the settings that source files are encoded with, or "
           "that the bank beside --source was encoded with", LOOKS, metavar="TOML"),
    Option("--character", kinds.NAME, "the character to show, of a configuration file that has several", LOOKS +
           WATCH),
    Option("--compare", kinds.INPUT, "another bank of the same clips, to switch to", VIEW, many=True, metavar="BANK"),
    Option("--stream", kinds.FLAG, "serve the page with the base of the bank, to which tiers come while it plays, "
           "until Ctrl-C; with -o, write it for another web server", VIEW),
    Option("--rate", kinds.RATE, "with --stream, how much of the tiers comes in a second, such as 50kB", VIEW,
           default="as fast as possible"),
    Option("--view", kinds.FLAG, "show the character in the browser, in the page of `ossicle view`, and again after "
           "each build", WATCH),
    Option("--no-open", kinds.FLAG, "do not open the page in the browser", VIEW + WATCH, field="stays_closed"),
    Option("--clip", kinds.NAME, "the clip to play", DECODE, default="all, where the file can hold them", many=True),
    Option("--source", kinds.INPUT, f"the {listed(GLTF_SUFFIXES)} file that the bank was encoded from: write a .glb "
           "with all that it has, and the clips as NAME (decoded) beside its own animations", DECODE, metavar="FILE"),
    Option("--midpoints", kinds.FLAG, "also half way between frames: 2F-1 frames", DECODE),
    Option("--joints", kinds.FLAG, "what each joint costs over all clips, instead of what the bank holds", INSPECT),
    Option("--tracks", kinds.FLAG, "what each track of each clip costs: its header, keys and values", INSPECT),
    Option("--sort", kinds.SORT, "order of joints, tracks or clips: by bytes, the largest first, or by name", INSPECT,
           default="as in the bank"),
    Option("--sort", kinds.SORT, "order of clips and joints: by the change in bytes, the largest first, or by name",
           DIFF, default="as in the banks"),
    Option("--fail-above", kinds.PERCENT, "end with the exit status 3 if B has grown by more than this share of A, "
           "such as 2%", DIFF, default="no limit"),
    Option("--source", kinds.INPUT,
           f"a {listed(GLTF_SUFFIXES)} file with the mesh, for --joints: which joints carry something",
           INSPECT, many=True),
    Option("--tiers", kinds.COUNT, "how many tiers stay, from the first one on; 0: none", STRIP, required=True),
    Option("--tier-files", kinds.FLAG, "also write the tiers that are left out, beside the bank that is "
           "written, as hero.ossb.tie1, hero.ossb.tie2 .., for osc_bank_attach_tier", STRIP),
    Option("--unit", kinds.UNIT, "how the device reads: tiers begin at multiples of this many bytes; "
           f"a number, or {', '.join(f'{name} ({size})' for name, size in UNITS.items())}", PACK, IMAGE, DEFAULT_UNIT),
    Option("--at", kinds.PLACE, "where on the medium the image will lie, which is added to all places; a multiple of "
           "the unit", PACK, IMAGE, "0"),
    Option("--header", kinds.OUTPUT, "also write a C header with the places of all tiers, for osc_stream_add", PACK,
           IMAGE,
           "none", '"card.h"', more="""
For hero.ossb, `hero_tier_places` has the place of each tier, and `HERO_TIER_1_BYTES` its size; for card.img,
`CARD_IMAGE_BYTES`, `CARD_IMAGE_UNIT_BYTES`, `CARD_IMAGE_PLACE` and `CARD_IMAGE_CRC` (CRC-32 of the whole image)
describe the image."""),
    Option("--bases", kinds.OUTPUT, "also write the banks without tiers, such as hero.base.ossb, to this folder", PACK,
           default="none", metavar="DIR"),
    Option("--embed", kinds.FLAG, "write C instead of these banks, as `ossicle generate --embed-base` does without "
           "further options; the folder is that of the image unless --bases names one", PACK),
    Option("--tier-files", kinds.FLAG, "take tiers that were left out of BANK from BANK.tie1, BANK.tie2 .., which "
           "`ossicle strip --tier-files` writes", PACK),
    Option("--presets", kinds.SCHEMES, "only these presets and codecs, beside auto", COMPARE, default="all",
           many=True, more="""
Where a scheme cannot hold the tolerance on a clip, `compare` doubles the tolerance until it can, and the table has the
true error. Pictures name `unreal4-identity`, which has no keys, below, as it would press all others together."""),
    Option("--rows", kinds.FLAG, "also count what a row costs on a Cortex-M4; slow, needs "
           "arm-none-eabi-gcc and qemu-system-arm", COMPARE),
    Option("action", kinds.one_of(("stats", "clear", "verify"), "ACTION"),
           "stats: what it holds, and how often a clip was "
           "there; clear: remove it; verify: check all entries, and remove those that are damaged", CACHE,
           required=True),
    Option("--cache", kinds.CACHE, "the folder where encoded clips are kept, so that none is encoded twice, or off; "
           "also OSSICLE_CACHE in the environment", ENCODE + LOOKS + BUILD + WATCH + CACHE, metavar="DIR|off",
           default="with --effort max that of the user, otherwise off", more="""
A clip is found again by all that determines its bytes: its samples as they are read, the skeleton, the settings that
matter and the encoder itself. Names do not count, so that copies of a clip are encoded once. The bank is the same with
and without a cache: what comes out of it is played and measured before it is used, and clips whose entries are damaged
or exceed their tolerance are encoded again. Any number of processes of one machine may use a folder at once, but not of
several machines over a network. The folder is closed to other users, and a folder of another user is refused. The
user's folder is ~/.cache/ossicle, or ossicle in XDG_CACHE_HOME."""),
    Option("--cache-size", kinds.SIZE, "how large the cache may become before the clips that were used longest ago are "
           "removed; kept for the folder", ENCODE + LOOKS + BUILD + WATCH + CACHE, default="5GB"),
    Option("--jobs", kinds.JOBS, "threads", ENCODE + LOOKS + COMPARE + BUILD + WATCH, default="one a core"),
    Option("--workers", kinds.JOBS, "encode in this many processes, with Dask distributed", BUILD, default="none",
           more="""
The files are the same, whatever the number of workers. A worker that dies is replaced, and what it was encoding is
encoded again. With `--cache` workers keep every clip as soon as it is encoded, so that a build that was interrupted
goes on where it was. `--jobs` is then the number of threads that a worker may use for a whole bank, by default
one."""),
    Option("--scheduler", kinds.SCHEDULER, "encode on the workers of this scheduler of Dask distributed, on many "
           "machines", BUILD, default="none", more="""
[Libraries](LIBRARIES.md#many-machines) says how to start one, and which programs it trusts."""),
    Option("--tls-ca-file", kinds.INPUT,
           "with --scheduler tls://.., the certificate of the authority that both sides trust",
           BUILD, default="Dask's configuration"),
    Option("--tls-cert", kinds.INPUT, "the certificate of this build", BUILD, default="Dask's configuration"),
    Option("--tls-key", kinds.INPUT, "the key of this certificate, if it is in another file", BUILD,
           default="Dask's configuration"),
    Option("--fail-fast", kinds.FLAG, "stop at the first character that cannot be built", BUILD, more="""
Without it, each character that cannot be built is reported on one line, all others are built, and the exit status is 1.
Files that an earlier build wrote for a character that cannot be built are removed, so that no game ships them with the
others by mistake; if no character can be built, they are kept. With `--fail-fast` they are always kept, and if a source
cannot be read, nothing is written."""),
    Option("--summary", kinds.OUTPUT, "write one report about all characters: .csv, .html or .txt", BUILD, more="""
The page and the text have totals of each character, the clips that stand out, and the characters that cannot be built;
the CSV has all clips, and in its last column the reason why a character cannot be built. Each character then has a JSON
report beside its manifest, from which the summary is made if the character is unchanged."""),
    Option("--json", kinds.OUTPUT, "write the report as JSON", ENCODE + BUILD, metavar="REPORT"),
    Option("--json", kinds.OUTPUT, "write all figures as JSON, which codegen/VIEWING.md describes", REPORT,
           metavar="FILE"),
    Option("--svg", kinds.OUTPUT, "write the plots as files of their own to this folder", REPORT, metavar="DIR"),
    Option("--html", kinds.OUTPUT, "also write the page of `ossicle report`", ENCODE, metavar="PAGE"),
    Option("--json", kinds.FLAG, "print JSON", INSPECT + DIFF + CLIP_LIST + CACHE + ("targets",)),
    Option("--depfile", kinds.OUTPUT, "write a rule for Make and Ninja: the outputs, and the files that they "
           "depend on", BUILD, more="""
Spaces, `#`, `$` and `:` are escaped. Make and Ninja cannot read a name with one of ``" & ' * ; < = > ? [ \\ ^ ` | ``,
with `~` as its first or `:` or `)` as its last character, nor `%` in the name of an output; such a name is an
error."""),
    Option("--list", kinds.FLAG, "write nothing; print which files a build writes and reads, and which of the "
           "runtime the game needs, as KIND=PATH", BUILD, more="""
The kinds are `manifest`, `header`, `source`, `bank`, `image` and `report` for outputs, `include` for the folder of a
header, `input` for files that are read, `runtime` for the runtime's sources, `runtime-include` for its folders,
`define` for definitions with which the whole game is compiled, and `flag` for further flags of the generated code and
the runtime. Defines and flags together are those of the target; they follow those of the game."""),
    Option("--compiler", kinds.NAME, "with --list, the command that compiles C, such as arm-none-eabi-gcc", BUILD,
           default="one for the target", metavar="CC", more="""
If the compiler makes programs for this computer and refuses the target's flags, flags and defines are left out, and the
platform is `scalar`, so that unit tests of a handheld game run on a PC. The poses are the same."""),
    Option("--quiet", kinds.FLAG, "print nothing but errors", ENCODE + LOOKS + GENERATES + COMPARE + BUILD + RUNTIME +
           MESH + PACK),
)
