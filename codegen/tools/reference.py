"""Writes codegen/CONFIGURATION.md, the reference of commands, options and keys: `python3 -m tools.reference`."""
from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from pathlib import Path

from ossicle.base.output import write_atomically
from ossicle.cli.command_table import COMMANDS
from ossicle.config.option_kinds import FLAG
from ossicle.config.option import (CLIPS, GENERATE, IMAGE, IMPORT, JOINTS, NOT_IN_FILES, PROJECT, RULES, SCREEN,
                                   SETTINGS, Option)
from ossicle.config.option_lookup import keys_of, options_of

PAGE = Path(__file__).resolve().parents[1] / "CONFIGURATION.md"
_WIDTH = 104
_INTRODUCTION = """
What the commands of `ossicle` take, and the keys of a configuration file. `ossicle COMMAND --help` prints
the same; `source <(ossicle completion bash)` makes bash complete commands, options and choices;
`ossicle completion zsh` is for zsh. The exit status is 0, or another one after a message of one line on
standard error.

This page is generated: `PYTHONPATH=codegen /usr/bin/python3 -m tools.reference` writes it from
`codegen/ossicle/config/option_table.py`.
"""
_FILE = """
`ossicle build hero.toml` encodes and generates as the file says. `ossicle encode --config hero.toml` takes
the settings alone: options on the command line win over the file, and options that can be repeated are
added to it. Paths are relative to the file. An unknown key is an error that names the nearest key.

A file of several characters has a table `[character.NAME]` for each, with any keys and tables of this page
(`[character.NAME.clips."PATTERN"]`). They win over those above, which are for all characters. NAME stands for
the name of the file where no `output` or `name` is given. Only `ossicle build` and `ossicle runtime --for`
read such a file.

In it, a table `[folder."NAME"]` has defaults for the characters whose inputs all lie in that folder: any keys
and tables except `inputs`, `output` and `name`. They win over those above all characters, inner folders win
over outer ones, and a character's own keys win over all of them: see
[Defaults for folders](LIBRARIES.md#defaults-for-folders).

This file has every key:
"""
_PATTERNS = """
`[clips."PATTERN"]` is for the clips, `[joints."PATTERN"]` for the joints whose name is or matches the
pattern: `*` stands for any text, `?` for one character, `[ab]` for one of these. If several match, the most specific
one wins, wherever it is in the file: a name wins over patterns, and a pattern with more characters over one with fewer
(`?` and `[ab]` count as one, `*` as none). Of equally specific patterns the last one wins. The same holds in all other
tables of patterns. A pattern that matches nothing is an error.
"""
_CURVES = """\
Curves are numbers that play with a clip: weights of morph targets, the glow of a lamp, how far a mouth is open. They
come from three places:

- Animations of glTF files that move the weights of a mesh or a node. A curve has the name of its shape key
  (`extras.targetNames` of the mesh). Equal curves of several meshes are one; where they differ, each has the name of
  its node in front, as in `Teeth.smile`. With `KHR_animation_pointer`, `/nodes/N/weights`, `/meshes/N/weights` and one
  of their numbers are weights too, and `/nodes/N/extras/NAME` and `/meshes/N/extras/NAME` are curves of this name. A
  warning lists pointers to anything else. Curves that keep their value at rest in all clips are left out.
- Tables of a clip. Values are linear between keys; the first one holds before them and the last one behind. Two keys at
  one time are a jump.
- A CSV file for a clip, whose path is relative to the configuration file. The first row has `time`, in seconds, and the
  names of curves; each further row is a key of all of them. `ossicle decode -o walk.csv` writes such a file.

```toml
[clips."Walk".curves]
glow = [[0.0, 0.0], ["0.5s", 1.0]]

[clips."Talk"]
curves = "talk.csv"

[curves]
"mouth_*" = 0.01
```

Times of tables and CSV files are those of the clip after `from`, `to`, `speed` and `reverse`; what they state wins over
a curve of the same name in the source file. Place keys on frames: a clip gets more frames a second where a key between
two frames asks for it. A clip without a curve has its value at rest, which is the weight that the mesh or node states,
or 0.

The tolerance is an error of the value, 1/256 unless `[curves]` says otherwise. With `tolerance = "none"`, only curves
that `[curves]` names have one. Values reach from -2047 to 2047 in steps of 2^-20. A curve that changes by 1 or more
between two frames makes its clip denser, up to eight times; where that is not enough, it jumps, and a warning says so.

In an additive clip, curves are differences too: from their values in the pose that the clip is added to. A curve
without keys in the clip counts as at rest there, as a joint without keys counts as in its bind pose. Tables and CSV
files state values, from which the difference is taken, and `ossicle decode -o talk.csv` writes the differences. A curve
that only the other clip moves is in the bank, too.

A bank holds curves as translations of joints behind those of the skeleton, three curves of one tolerance in a joint,
whose name lists them: `curve:smile,blink_l,blink_r`. Players, blends, mixes, transitions, shared rows and streaming
treat them as all else; a transition fades a value that is up to 4 away, and jumps from further off. Root motion does
not follow curves, `contacts` finds no feet among them, and they do not count for the size of a character. Each of these
joints takes 28 bytes of a pose, 48 of a model, and 48 of the bank if it has skinning matrices;
[Curves](../runtime/POSES.md#curves) says how many instructions it takes.

Patterns of joints do not mean them, unless they begin with `curve:`, as `"curve:*" = 1.0` in the weights of a mask;
other masks have the weight 0 for curves. A mask has one weight for the curves of a joint. A mirror exchanges curves of
left and right, such as `blink_l` and `blink_r`.

In C, `hero_curve_q20(&pose, HERO_CURVE_SMILE)` is the value in a pose, of which 2^20 is 1.0: see
[an example](../runtime/POSES.md#curves). `HERO_JOINT_COUNT` counts all joints of a pose, `HERO_MATRIX_COUNT` those
before the curves: skinning matrices end there, and `hero_compose` writes none behind it.
"""
_SECTIONS = (
    ("Input, output", "At the top of the file. Only `ossicle build` reads these keys.", PROJECT),
    ("Generated C", "At the top of the file. Only `ossicle build` reads these keys, and they need "
     "`generate`.", GENERATE),
    ("Encoding", "At the top of the file.", SETTINGS),
    ("[import]", "How source files are read. `clips`, `exclude`, `rename`, `drop`, `keep` and `sockets` may also "
     "stand at the top of the file, `clips` only where no `[clips.\"PATTERN\"]` follows.", IMPORT),
    ("[screen]", "The screen and camera of the game, for tolerances in pixels.", SCREEN),
    ("[clips.\"PATTERN\"]", "Where no table has a key, the setting of the bank holds.", CLIPS),
    ("[joints.\"PATTERN\"]", "Joints with a tolerance of their own.", JOINTS),
    ("[pack]", "One image with the streaming tiers of all characters of the file, which `ossicle build` writes after "
     "them, as `ossicle pack` would. Characters without tiers are left out. The table comes before all characters.",
     IMAGE),
)


def _table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    cells = [headings, ["---"] * len(headings), *rows]
    return "".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |\n"
                   for row in cells)


def _code(text: str) -> str:
    return f"`{text}`" if text else ""


def _filled(text: str) -> str:
    return textwrap.fill(" ".join(text.split()), _WIDTH, break_on_hyphens=False,
                         break_long_words=False) + "\n"


def _key_rows(table: str) -> Iterable[Sequence[str]]:
    for key, option in keys_of(table).items():
        if option.table == table:
            yield (_code(key), _code(option.name if option.is_flag else ""), option.kind.words,
                   option.default if option.sample else _code(option.default), option.help)
        else:
            yield _code(key), "", option.kind.words, "the bank's", "as above, for these clips"


def _notes(options: Iterable[Option], name: str) -> list[str]:
    return [_filled(f"`{getattr(option, name)}`: {option.more}") for option in options if option.more]


def example() -> str:
    """Returns a configuration file with every key."""
    lines = ["# hero.toml: every key"]
    for heading, _, table in _SECTIONS:
        if heading.startswith("["):
            lines += ["", heading.replace("PATTERN", "Idle" if table == CLIPS else "*_hand")]
        for key, option in keys_of(table).items():
            preset = key == "preset"  # replaces a codec
            lines.append(f"{key} = {option.sample_value()}" + ("  # or a codec" if preset else ""))
    return "\n".join(lines) + "\n"


def _usage(option: Option) -> str:
    if not option.is_flag:
        return option.metavar
    name = f"{option.short}, {option.name}" if option.short else option.name
    return name if option.kind is FLAG else f"{name} {option.metavar}"


def _command(name: str) -> str:
    options = list(options_of(name))
    own = [option for option in options if option.table in (RULES, NOT_IN_FILES) or not option.is_flag]
    shared = [_code(option.name) for option in options if option not in own]
    text = ""
    if own:
        text += _table(("argument or option", "default", "meaning"), (
            (_code(_usage(option)), "needed" if option.required else option.default,
             option.help + ("; repeatable" if option.many else "")) for option in own)) + "\n"
    if shared:
        text += _filled(f"Further options, which have keys in the file: {', '.join(shared)}.") + "\n"
    return text


def page() -> str:
    """Returns the whole page."""
    parts = ["# Configuration", _INTRODUCTION, "## The configuration file", _FILE,
             f"```toml\n{example()}```", _PATTERNS]
    for heading, text, table in _SECTIONS:
        parts += [f"### {heading}\n", text + "\n", _table(
            ("key", "option", "value", "default", "meaning"), _key_rows(table))]
        parts += _notes((option for option in keys_of(table).values() if option.table == table), "key")
    parts += ["## Curves", _CURVES, "## Commands\n"]
    for command in COMMANDS:
        parts += [f"### ossicle {command.name}\n", _filled(command.description)]
        if table := _command(command.name):
            parts.append(table)
        parts += _notes((option for option in options_of(command.name)
                         if option.table == NOT_IN_FILES), "name")
    return "\n".join(part.rstrip("\n") + "\n" for part in parts)


if __name__ == "__main__":
    write_atomically(PAGE, page().encode())
