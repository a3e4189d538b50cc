"""The commands of `ossicle`, each with what its help says."""
from __future__ import annotations

from dataclasses import dataclass

from ..importers.suffixes import GLTF_SUFFIXES, SUFFIXES, listed


@dataclass(frozen=True)
class Command:
    """A command of `ossicle`, with a line for the list of commands and sentences for its own
    page."""

    name: str
    help: str
    description: str


COMMANDS = (
    Command("encode", "source files to a bank",
            f"Encode {listed(SUFFIXES, 'and')} files that share a skeleton into one bank. Clips have the names "
            "of the glTF animations, or the file's stem for .bvh."),
    Command("generate", "a bank to C",
            "Generate the C of one bank: header, tables, evaluator and composition."),
    Command("decode", "clips of a bank to glTF, BVH or .rawclip",
            "Play clips through the runtime's decoder and write their local transforms. The suffix of the output "
            "decides: .glb holds several clips, .bvh and .rawclip one."),
    Command("inspect", "print what a bank holds", "Print sections, joints and clips of a bank, or what its joints "
            "and tracks cost."),
    Command("diff", "compare two banks",
            "Compare the bytes of two banks, by clip and by joint, and the poses that they play: what is new or gone, "
            "what has grown, which codecs have changed, and how far apart the shells of joints are. The exit status is "
            "3 for a bank that has grown more than --fail-above permits."),
    Command("view", "a page that plays clips in the browser",
            "Write one HTML page that plays a bank with the runtime itself, as the device does, beside its source, and "
            "shows errors and bytes; then open it. Given source files, it shows the bank that `ossicle encode` would "
            "write; given a configuration file, the bank that `ossicle build` has written. The page needs no network."),
    Command("report", "a page of figures and plots about a bank",
            "Report where the bytes of a bank are, what each joint costs and how far clips are from their source: as a "
            "page without scripts, as JSON, as plots for a paper or, without any of these, as a summary in the "
            "terminal. Given source files, it reports on the bank that `ossicle encode` would write; given a "
            "configuration file, on the bank that `ossicle build` has written."),
    Command("strip", "a bank without its streaming tiers",
            "Write a bank without some of its streaming tiers, for devices that have no room for them, or have them "
            "elsewhere: clips play coarser without."),
    Command("pack", "streaming tiers to an image for a card or a serial flash",
            "Write one image with all streaming tiers of one or several banks, for the medium that a device streams "
            "them from, and on request the banks without tiers for its internal flash. The image is filled with 0xff "
            "up to the next unit behind each tier."),
    Command("clips", "what source files hold",
            f"List the clips of {listed(SUFFIXES, 'and')} files: their names, lengths and key rates, whether they "
            "loop, which joints they move and how far the character travels."),
    Command("presets", "published schemes for encode --preset",
            "List the presets: published schemes under their names."),
    Command("compare", "published schemes and codecs on your clips",
            "Encode clips with every preset and codec, measure them as they are played, and print "
            "sizes, errors and memory; a table for each skeleton."),
    Command("build", "encode and generate from TOML files, of one or several characters",
            "Encode and generate as TOML files say. Files whose inputs and outputs are as the last build left "
            "them are not built again."),
    Command("watch", "build again whenever a source or a setting changes",
            "Build as TOML files say, and again what changes, until Ctrl-C. Each time one line says what was built, "
            "or what is wrong."),
    Command("cache", "the cache of encoded clips",
            "Show what the cache of encoded clips holds and how often it was of use, check it, or remove it."),
    Command("runtime", "the runtime as one C file",
            "Write the runtime as one C file, ossicle.c, with the headers that games and generated code "
            "include."),
    Command("mesh", "a mesh to C, for demos",
            f"Write the triangles of a {listed(GLTF_SUFFIXES)} file as C in 16-bit integers, with the joints of a bank "
            "that move them, for targets/stage and for a game's own renderer."),
    Command("targets", "the machines that code can be laid out for",
            "List the targets with their other names, their processors and platforms, what runs programs "
            "for them on this computer, and how to compile."),
    Command("paths", "where the runtime, the platforms, the mocks and the build rules lie",
            "Print the folders of the runtime, the platforms, the targets, the mocks for unit tests and the build "
            "rules, or one of them for a build rule: -I$(ossicle paths runtime)."),
    Command("init", "a small game to begin with",
            "Write a small game: the demo character, its TOML file, a program, a Makefile, and the start-up code "
            "of the target. `make run` builds it and plays it, in an emulator if it is for another machine. The last "
            "line says what to do next. No file is overwritten."),
    Command("completion", "completion of commands and options for a shell",
            "Print a script that completes commands and options: source <(ossicle completion bash)."),
)
