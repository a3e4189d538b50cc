"""The commands of `ossicle`, each with its help."""
from __future__ import annotations

from dataclasses import dataclass

from ..importers.suffixes import GLTF_SUFFIXES, SUFFIXES, listed


@dataclass(frozen=True)
class Command:
    """A command of `ossicle`. help: its line in the list of commands; description: the text of its own page."""

    name: str
    help: str
    description: str


COMMANDS = (
    Command("encode", "source files to a bank",
            f"Encode {listed(SUFFIXES, 'and')} files that share a skeleton into one bank. Clips are named after the "
            "glTF animations, or after the .bvh file."),
    Command("generate", "a bank to C",
            "Generate the C for one bank: header, tables, evaluator and composition."),
    Command("decode", "clips of a bank to glTF, BVH or .rawclip",
            "Play clips with the runtime's decoder and write their local transforms. The suffix of the output "
            "is the format: .glb has several clips, .bvh and .rawclip one."),
    Command("inspect", "print the contents of a bank", "Print sections, joints and clips of a bank, or the bytes of "
            "its joints and tracks."),
    Command("diff", "compare two banks",
            "Compare the bytes of two banks, by clip and by joint, and their poses: added and removed clips and "
            "joints, growth, changed codecs, and the distance between the shells of joints. The exit status is "
            "3 if the bank has grown more than --fail-above permits."),
    Command("view", "a page that plays clips in the browser",
            "Write and open an HTML page that plays a bank with the runtime, as the device does, beside its source, "
            "and shows errors and bytes. Given source files, it shows the bank that `ossicle encode` would "
            "write; given a configuration file, the bank that `ossicle build` has written. The page needs no network."),
    Command("report", "a page of figures and plots about a bank",
            "Report the bytes of a bank by clip and part, the cost of each joint and the errors of clips: as a page "
            "without scripts, as JSON, as plots for a paper or, by default, as a summary in the terminal. Given source "
            "files, it reports on the bank that `ossicle encode` would write; given a configuration file, on the bank "
            "that `ossicle build` has written."),
    Command("strip", "a bank without its streaming tiers",
            "Remove streaming tiers from a bank, for devices that have no room for them or store them elsewhere. "
            "Clips are coarser without them."),
    Command("pack", "streaming tiers to an image for a card or a serial flash",
            "Write an image with the streaming tiers of one or several banks, for the medium from which a device "
            "streams them, and optionally the banks without tiers for its internal flash. The image is filled with "
            "0xff up to the next unit after each tier."),
    Command("clips", "list the clips of source files",
            f"List the clips of {listed(SUFFIXES, 'and')} files: their names, lengths and key rates, whether they "
            "loop, which joints they move and how far the character travels."),
    Command("presets", "published schemes for encode --preset",
            "List the presets, which are published schemes."),
    Command("compare", "published schemes and codecs on your clips",
            "Encode clips with every preset and codec, measure them as the runtime plays them, and print "
            "sizes, errors and memory in a table for each skeleton."),
    Command("build", "encode and generate from TOML files, of one or several characters",
            "Encode and generate with the settings of TOML files. Files whose inputs and outputs have not changed "
            "since the last build are not built again."),
    Command("watch", "build again whenever a source or a setting changes",
            "Build TOML files, and build again after each change, until Ctrl-C. Each build prints one line with its "
            "result or its error."),
    Command("cache", "the cache of encoded clips",
            "Show the size and the hits of the cache of encoded clips, check it, or remove it."),
    Command("runtime", "the runtime as one C file",
            "Write the runtime as one C file, ossicle.c, and the headers that games and generated code include."),
    Command("mesh", "a mesh to C, for demos",
            f"Write the triangles of a {listed(GLTF_SUFFIXES)} file as C in 16-bit integers, with the joints of a bank "
            "that move them, for targets/stage and for a game's own renderer."),
    Command("targets", "the machines for which code can be generated",
            "List the targets with their other names, processors, platforms, emulators and compiler flags."),
    Command("paths", "the folders of the runtime, the platforms, the mocks and the build rules",
            "Print the folders of the runtime, the platforms, the targets, the mocks for unit tests and the build "
            "rules, or one of them for a build rule: -I$(ossicle paths runtime)."),
    Command("init", "a small game to begin with",
            "Write a small game: the demo character, its TOML file, a program, a Makefile, and the start-up code "
            "of the target. `make run` builds and runs it, in an emulator if it is for another machine. Existing files "
            "are not overwritten."),
    Command("completion", "completion of commands and options for a shell",
            "Print a script that completes commands and options: source <(ossicle completion bash)."),
)
