"""The commands of `ossicle` and their help texts."""
from __future__ import annotations

from typing import NamedTuple

from ..importers.suffixes import MESH_SUFFIXES, SUFFIXES, listed


class Command(NamedTuple):
    """A command of `ossicle`. topic: under which --help lists it; help: its line there; description: the text of its
    own page."""

    topic: str
    name: str
    help: str
    description: str


# In the order of --help.
COMMANDS = (
    Command("start", "init", "create a small game as a starting point",
            "Write a small game: the demo character, its TOML file, a program, a Makefile, and the start-up code of "
            "the target. `make run` builds and runs it, in an emulator if necessary. The last line of the output "
            "states the next command. Existing files are never overwritten."),
    Command("build", "encode", "source files to a bank",
            f"Encode {listed(SUFFIXES, 'and')} files that share a skeleton into one bank. Clips have the names "
            "of the glTF animations or, for .bvh, of the file without its suffix."),
    Command("build", "retarget", "clips of other skeletons to glTF for a character",
            f"Transfer the clips of {listed(SUFFIXES, 'and')} files to the skeleton of a character, and write them as "
            "glTF, which `ossicle encode` and Blender read. Joints are matched by the parts of the body that they are. "
            "Configuration files do the same with tables [[retarget]], without intermediate files."),
    Command("build", "generate", "a bank to C",
            "Generate the C of one bank: header, tables, evaluator and composition."),
    Command("build", "build", "encode and generate characters from TOML files",
            "Encode and generate the characters of TOML files. Characters whose inputs and outputs have not changed "
            "since the last build are skipped."),
    Command("build", "watch", "build whenever a source or a setting changes",
            "Build the characters of TOML files, and rebuild those that change until Ctrl-C is pressed. Each build "
            "prints a line for every character that it wrote, or the error."),
    Command("look", "clips", "list the clips of source files",
            f"List the clips of {listed(SUFFIXES, 'and')} files: names, lengths, key rates, whether they loop, which "
            "joints they move, and how far the character travels; and the naming scheme of skeletons of people."),
    Command("look", "view", "a page that plays clips in the browser",
            "Write and open an HTML page that plays a bank with the runtime, as the device does, next to its source, "
            "and shows errors and bytes. Given source files, it shows the bank that `ossicle encode` would write; "
            "given a configuration file, the bank that `ossicle build` has written. The page needs no network."),
    Command("look", "report", "a page of figures and plots about a bank",
            "Report the bytes of a bank by clip and part, the cost of each joint and the errors of clips: as a page "
            "without scripts, as JSON, as plots for a paper or, by default, as a summary in the terminal. Given source "
            "files, it reports on the bank that `ossicle encode` would write; given a configuration file, on the bank "
            "that `ossicle build` has written."),
    Command("look", "play", "a graph, from a script of inputs",
            "Play the animation graph of a bank from a script of inputs, with the runtime, and print states, events, "
            "places and pose hashes. Given a configuration file, it plays the bank that `ossicle build` has written. "
            "The exit status is 1 if the play differs from the expectations of the script, or from the recording of "
            "--expect."),
    Command("look", "inspect", "print the content of a bank",
            "Print the sections, joints and clips of a bank, or the costs of its joints and tracks."),
    Command("look", "diff", "compare two banks",
            "Compare two banks: the bytes of each clip and joint, added and removed clips, changed codecs, and the "
            "largest distance between their poses. The exit status is 3 if the bank has grown by more than "
            "--fail-above."),
    Command("look", "decode", "clips of a bank to glTF, BVH or .rawclip",
            "Play clips with the runtime's decoder and write their local transforms. The suffix of the output selects "
            "the format: .glb holds several clips, .bvh and .rawclip one."),
    Command("look", "compare", "published schemes and codecs on your clips",
            "Encode clips with every preset and codec, play and measure them, and print a table of sizes, errors and "
            "memory for each skeleton."),
    Command("look", "blender", "the Blender add-on",
            "Install the Blender add-on, which measures the clips of an armature and shows on it what the device "
            "plays, remove it, or write its archive for Blender's preferences."),
    Command("stream", "pack", "streaming tiers to an image for a card or a serial flash",
            "Write an image with the streaming tiers of one or several banks, for the medium from which a device "
            "streams them, and optionally the banks without tiers, for its internal flash. Each tier is padded with "
            "0xff to a multiple of the unit."),
    Command("stream", "strip", "a bank without its streaming tiers",
            "Write a bank without some of its streaming tiers, for devices that store them elsewhere or do not have "
            "room for them. Clips then play with larger errors."),
    Command("tools", "presets", "published schemes for encode --preset",
            "List the presets, which are published schemes."),
    Command("tools", "targets", "the machines for which code can be generated",
            "List the targets with their aliases, processors, platforms and compilers, and the emulators that run "
            "their programs on this computer."),
    Command("tools", "paths", "the folders of the runtime, the build rules, the demo character and others",
            "Print the folders of the runtime, the platforms, the targets, the mocks for unit tests, the build rules "
            "and the demo character, hero.glb, or one of them, for example for a build rule: "
            "-I$(ossicle paths runtime)."),
    Command("tools", "runtime", "the runtime as one C file",
            "Write the runtime as one C file, ossicle.c, and the headers that games and generated code include."),
    Command("tools", "mesh", "a mesh to C, for demos",
            f"Write the triangles of a {listed(MESH_SUFFIXES)} file as C in 16-bit integers, with the joints of a bank "
            "that move them, for targets/stage or the renderer of a game."),
    Command("tools", "cache", "the cache of encoded clips",
            "Show the content and the hit rate of the cache of encoded clips, verify it, or remove it."),
    Command("tools", "completion", "completion of commands and options for a shell",
            "Print a script that completes commands and options: source <(ossicle completion bash)."),
)
