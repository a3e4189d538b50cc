"""Writes codegen/CONFIGURATION.md, the reference of commands, options and keys: `python3 -m tools.reference`."""
from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from pathlib import Path

from ossicle.base.files.output import write_atomically
from ossicle.cli.command_table import COMMANDS
from ossicle.config.option_kinds import FLAG
from ossicle.config.option import (CLIPS, GENERATE, IMAGE, IMPORT, JOINTS, NOT_IN_FILES, PROJECT, RETARGET, RULES,
                                   SCREEN, SETTINGS, Option)
from ossicle.config.option_lookup import keys_of, options_of

from tools.reference_of_graphs import graphs

PAGE = Path(__file__).resolve().parents[1] / "CONFIGURATION.md"
_WIDTH = 104
_INTRODUCTION = """
This page lists the keys of a configuration file, and the commands of `ossicle` with their options.
`ossicle COMMAND --help` also prints the options. `source <(ossicle completion bash)` makes bash complete commands,
options and choices; `ossicle completion zsh` is for zsh. A command that fails prints one line to standard error and
exits with a status other than 0.

`PYTHONPATH=codegen /usr/bin/python3 -m tools.reference` writes this page from
`codegen/ossicle/config/option_table.py`.
"""
_FILE = """
`ossicle build hero.toml` encodes and generates with the settings of the file. `ossicle encode --config hero.toml`
reads only its settings for encoding: options on the command line override them, and options that can be repeated are
added to them. Paths are relative to the file. An unknown key is an error that names the nearest key.

A file of several characters has a table `[character.NAME]` for each of them, which may contain all keys and tables of
this page, such as `[character.NAME.clips."PATTERN"]`. They override the keys above these tables, which apply to all
characters. Without `output` and `name`, NAME is the name of the bank and of its C. `ossicle encode` and
`ossicle decode` refuse such a file; `watch --view`, `view`, `report` and `play` show the character of `--character`.

A table `[folder."NAME"]` in such a file has defaults for the characters whose inputs are all in that folder: any keys
and tables except `inputs`, `output` and `name`. They override the keys for all characters, inner folders override
outer ones, and a character's own keys override all of them: see [Defaults for
folders](LIBRARIES.md#defaults-for-folders).

This file has every key:
"""
_PATTERNS = """
`[clips."PATTERN"]` applies to the clips, and `[joints."PATTERN"]` to the joints, whose name matches the pattern: `*`
stands for any text, `?` for one character, `[ab]` for one of these. If several patterns match, the most specific wins,
wherever it is in the file: a name wins over patterns, and a pattern with more characters over a pattern with fewer (`?`
and `[ab]` count as one, `*` as none). Of equally specific patterns, the last wins. The same rule holds in all other
tables of patterns. A pattern that matches nothing is an error.
"""
_CURVES = """\
Curves are numbers that play with a clip, such as weights of morph targets, the glow of a lamp or the opening of a
mouth. They have three sources:

- Animations of glTF files that move the weights of a mesh or a node. A curve has the name of its shape key
  (`extras.targetNames` of the mesh). If several meshes have different curves of the same name, the node's name precedes
  each of them, as in `Teeth.smile`; equal curves become one. With `KHR_animation_pointer`, `/nodes/N/weights`,
  `/meshes/N/weights` and single elements of them are weights, too, and `/nodes/N/extras/NAME` and
  `/meshes/N/extras/NAME` are curves of this name. A warning lists all other pointers. Curves that keep their rest value
  in all clips are left out.
- Tables of a clip. Values are linear between keys, and constant before the first and after the last key. Two keys at
  the same time are a jump.
- A CSV file for a clip, whose path is relative to the configuration file. The first row has `time`, in seconds, and
  the names of curves; each further row is a key of all of them. `ossicle decode -o walk.csv` writes such a file.

```toml
[clips."Walk".curves]
glow = [[0.0, 0.0], ["0.5s", 1.0]]

[clips."Talk"]
curves = "talk.csv"

[curves]
"mouth_*" = 0.01
```

Times of tables and CSV files refer to the clip after `from`, `to`, `speed` and `reverse`. Curves of tables and CSV
files override curves of the same name in the source file. Place keys on frames: a key between two frames may raise the
frame rate of the clip. If a clip does not move a curve, the curve has its rest value, which is the weight that the mesh
or node states, or 0.

The tolerance of a curve limits the error of its value. It is 1/256 unless `[curves]` sets another. With
`tolerance = "none"`, only the curves in `[curves]` have a tolerance. Values range from -2047 to 2047 in steps of 2^-20.
A curve that changes by 1 or more between two frames raises the frame rate of its clip, up to eight times; if this rate
is not enough, the curve jumps, with a warning.

In an additive clip, curves are stored as differences from their values in the reference pose. A curve without keys in
the clip is treated as having its rest value, like a joint without keys. Tables and CSV files state values, not
differences; `ossicle decode -o talk.csv` writes the differences. A curve that only the reference clip moves is also in
the bank.

A bank stores curves as translations of extra joints, which follow those of the skeleton. Each of these joints stores up
to three curves of the same tolerance and lists them in its name, as in `curve:smile,blink_l,blink_r`. Players, blends,
mixes, transitions, shared rows and streaming handle them like other joints; a transition fades a value if the
difference is at most 4, and otherwise jumps. Root motion, `contacts` and the size of a character ignore curves. Each of
these joints takes 28 bytes of a pose, 48 of a model, and 48 of the bank if it has skinning matrices;
[Curves](../runtime/POSES.md#curves) states the instructions.

Patterns of joints match curves only if they begin with `curve:`, as in `"curve:*" = 1.0` in the weights of a mask;
other masks have the weight 0 for curves. The curves of one joint have the same weight in a mask. A mirror exchanges
curves of left and right, such as `blink_l` and `blink_r`.

In C, `hero_curve_q20(&pose, HERO_CURVE_SMILE)` returns the value in a pose, where 2^20 is 1.0: see [an
example](../runtime/POSES.md#curves). `HERO_JOINT_COUNT` is the number of all joints of a pose. `HERO_MATRIX_COUNT` is
the number of those before the curves, which are the only ones with model and skinning matrices.
"""
_SECTIONS = (
    ("Input, output", "At the top of the file. Only `ossicle build` reads these keys.", PROJECT),
    ("Generated C", "At the top of the file. Only `ossicle build` reads these keys, and they need "
     "`generate`.", GENERATE),
    ("Encoding", "At the top of the file.", SETTINGS),
    ("[import]", "How source files are read. `clips`, `exclude`, `rename`, `drop`, `keep` and `sockets` may also "
     "be at the top of the file, `clips` only if the file has no `[clips.\"PATTERN\"]`.", IMPORT),
    ("[screen]", "The screen and camera of the game, for tolerances in pixels.", SCREEN),
    ("[clips.\"PATTERN\"]", "Settings of single clips. If no table has a key, the bank's setting applies.", CLIPS),
    ("[joints.\"PATTERN\"]", "Joints with a tolerance of their own.", JOINTS),
    ("[[retarget]]", "Files of another skeleton, whose clips are transferred to the character: see [Your character, "
     "somebody else's motion](ARTISTS.md#your-character-somebody-elses-motion). There may be several such tables. "
     "Those of a character, `[[character.NAME.retarget]]`, or a folder replace those of the whole file.", RETARGET),
    ("[pack]", "An image with the streaming tiers of all characters of the file, which `ossicle build` writes like "
     "`ossicle pack`. Characters without tiers are left out. The table must precede all characters.", IMAGE),
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
        return option.value_name
    name = f"{option.short}, {option.name}" if option.short else option.name
    return name if option.kind is FLAG else f"{name} {option.value_name}"


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
        text += _filled(f"Options that are keys of the file, described above: {', '.join(shared)}.") + "\n"
    return text


def page() -> str:
    """Returns the whole page."""
    parts = ["# Configuration", _INTRODUCTION, "## The configuration file", _FILE,
             f"```toml\n{example()}```", _PATTERNS]
    for heading, text, table in _SECTIONS:
        parts += [f"### {heading}\n", _filled(text), _table(
            ("key", "option", "value", "default", "meaning"), _key_rows(table))]
        parts += _notes((option for option in keys_of(table).values() if option.table == table), "key")
    parts += ["## Curves", _CURVES, "## Animation graphs", graphs(_table), "## Commands\n"]
    noted: list[Option] = []  # an option of several commands has its note at the first
    for command in COMMANDS:
        parts += [f"### ossicle {command.name}\n", _filled(command.description)]
        if table := _command(command.name):
            parts.append(table)
        own = [option for option in options_of(command.name) if option.table == NOT_IN_FILES and option not in noted]
        parts += _notes(own, "name")
        noted += own
    return "\n".join(part.rstrip("\n") + "\n" for part in parts)


if __name__ == "__main__":
    write_atomically(PAGE, page().encode())
