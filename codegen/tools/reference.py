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
The options of the commands of `ossicle`, and the keys of a configuration file. `ossicle COMMAND --help`
prints the same information. `source <(ossicle completion bash)` enables completion of commands, options and
choices in bash, `ossicle completion zsh` in zsh. The exit status is 0, or another value after an error message
of one line on standard error.

This page is generated: `PYTHONPATH=codegen /usr/bin/python3 -m tools.reference` writes it from
`codegen/ossicle/config/option_table.py`.
"""
_FILE = """
`ossicle build hero.toml` encodes the character of the file and generates its C. `ossicle encode --config
hero.toml` reads only the settings: options on the command line override the file, and repeatable options are
added to it. Paths are relative to the file. An unknown key is an error that names the nearest key.

A file of several characters has a table `[character.NAME]` for each, with any keys and tables of this page
(`[character.NAME.clips."PATTERN"]`). They override the keys at the top, which apply to all characters. NAME is
the default of `output` and `name`. Only `ossicle build` and `ossicle runtime --for` read such a file.

A table `[folder."NAME"]` in such a file contains defaults for the characters whose inputs are all in that folder:
any keys and tables except `inputs`, `output` and `name`. They override the keys at the top; inner folders override
outer ones, and a character's own keys override all of them. See
[Defaults for folders](LIBRARIES.md#defaults-for-folders).

This file contains every key:
"""
_PATTERNS = """
`[clips."PATTERN"]` applies to the clips, and `[joints."PATTERN"]` to the joints, whose names equal or match the
pattern: `*` matches any text, `?` one character, `[ab]` one of these characters. If several patterns match, the most
specific one wins, regardless of its position in the file: a name is more specific than a pattern, and a pattern with
more characters than one with fewer (`?` and `[ab]` count as one, `*` as none). Of equally specific patterns the last
one wins. The same rules apply to all other tables of patterns. A pattern without a match is an error.
"""
_CURVES = """\
Curves are numbers that play with a clip, such as weights of morph targets, the glow of a lamp or the opening of a
mouth. They have three sources:

- Animations of glTF files that move the weights of a mesh or a node. A curve has the name of its shape key
  (`extras.targetNames` of the mesh). Equal curves of several meshes are merged; if they differ, the names of their
  nodes are prepended, as in `Teeth.smile`. With `KHR_animation_pointer`, `/nodes/N/weights`, `/meshes/N/weights` and
  their elements are also weights, and `/nodes/N/extras/NAME` and `/meshes/N/extras/NAME` are curves of this name. A
  warning lists other pointers. Curves that keep their rest value in all clips are left out.
- Tables of a clip. Values are linear between keys, and constant before the first and after the last key. Two keys at
  the same time are a jump.
- A CSV file for a clip, whose path is relative to the configuration file. The first row contains `time`, for times in
  seconds, and the names of curves; each further row is a key of all curves. `ossicle decode -o walk.csv` writes such a
  file.

```toml
[clips."Walk".curves]
glow = [[0.0, 0.0], ["0.5s", 1.0]]

[clips."Talk"]
curves = "talk.csv"

[curves]
"mouth_*" = 0.01
```

Times of tables and CSV files are those of the clip after `from`, `to`, `speed` and `reverse`. Tables and CSV files
override a curve of the same name in the source file. Place keys on frames, because a key between two frames may
increase the frame rate of its clip. In a clip without keys of a curve, it has its rest value, which is the weight that
the mesh or node states, or 0.

The tolerance is the largest error of the value, by default 1/256; `[curves]` overrides it. With `tolerance = "none"`,
only curves in `[curves]` have a tolerance. Values range from -2047 to 2047 in steps of 2^-20. A curve that changes by 1
or more between two frames increases the frame rate of its clip up to eight times; if that is not enough, it jumps,
which a warning reports.

Curves of an additive clip are also differences from their values in the reference pose. A curve without keys in the
clip has its rest value, like a joint without keys its bind pose. Tables and CSV files state values, from which the
differences are computed; `ossicle decode -o talk.csv` writes the differences. A curve that only the reference clip
moves is also in the bank.

A bank stores curves as translations of additional joints after those of the skeleton, up to three curves with the same
tolerance per joint, whose name lists them: `curve:smile,blink_l,blink_r`. Players, blends, mixes, transitions, shared
rows and streaming treat them like other joints; a transition fades differences of up to 4, and jumps over larger ones.
Root motion and `contacts` ignore curves, and they do not affect the size of a character. Each of these joints takes 28
bytes of a pose, 48 of a model, and 48 of the bank if it has skinning matrices; [Curves](../runtime/POSES.md#curves)
states the instructions.

Patterns of joints do not match them unless they begin with `curve:`, such as `"curve:*" = 1.0` in the weights of a
mask; other masks have the weight 0 for curves. All curves of a joint have the same weight in a mask. A mirror exchanges
left and right curves, such as `blink_l` and `blink_r`.

In C, `hero_curve_q20(&pose, HERO_CURVE_SMILE)` returns the value in a pose in Q20: see
[an example](../runtime/POSES.md#curves). `HERO_JOINT_COUNT` is the number of all joints of a pose, `HERO_MATRIX_COUNT`
that without curves: `hero_compose` and skinning write only these matrices.
"""
_SECTIONS = (
    ("Input, output", "At the top of the file. Only `ossicle build` reads these keys.", PROJECT),
    ("Generated C", "At the top of the file. Only `ossicle build` reads these keys, which require "
     "`generate`.", GENERATE),
    ("Encoding", "At the top of the file.", SETTINGS),
    ("[import]", "The import of source files. `clips`, `exclude`, `rename`, `drop`, `keep` and `sockets` are also "
                 "allowed at the top of the file, `clips` only without tables `[clips.\"PATTERN\"]`.", IMPORT),
    ("[screen]", "The screen and camera of the game, for tolerances in pixels.", SCREEN),
    ("[clips.\"PATTERN\"]", "Keys that no table contains have the value of the bank.", CLIPS),
    ("[joints.\"PATTERN\"]", "Joints with a tolerance of their own.", JOINTS),
    ("[pack]", "An image with the streaming tiers of all characters of the file, which `ossicle build` writes after "
               "them, like `ossicle pack`. Characters without tiers are left out. The table precedes all characters.",
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
