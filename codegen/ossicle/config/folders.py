"""Assigns the tables [folder."NAME"] of a TOML file to the characters whose inputs are in these folders. Folders are
compared by name; links are not followed."""
from __future__ import annotations

import os
from collections.abc import Container, Iterable, Mapping, Sequence
from pathlib import Path

from ..base.problem import SettingProblem, nearest
from .input_names import folder_of

FOLDER = "folder"


def title_of_folder(name: str) -> str:
    """Returns the name of the folder's table in messages."""
    return f"[{FOLDER}.{name!r}]"


def folders_of(home: Path, inputs: Mapping[str, Iterable[Path]], names: Iterable[str]) -> dict[str, Sequence[str]]:
    """Returns for each character the names of the folders that contain all its inputs, the outermost first. Raises
    SettingProblem for a folder that is named twice or that contains no character. home: the absolute folder to which
    names are relative; inputs: of each character."""
    named: dict[Path, str] = {}
    for name in names:
        if (other := named.setdefault(_place(home, name), name)) != name:
            raise SettingProblem(f"{title_of_folder(name)}: names the same folder as {title_of_folder(other)}; merge "
                                 "the two tables")
    sources = {character: {folder_of(home, str(name)) for name in own} for character, own in inputs.items()}
    around = {character: _around({_place(home, source) for source in own}) for character, own in sources.items()}
    used = set().union(*around.values())
    for place, name in named.items():
        if place not in used:
            raise SettingProblem(f"{title_of_folder(name)}: no character has all its inputs in this folder"
                                 + _remedy(home, name, set().union(*sources.values()), used))
    return {character: [named[place] for place in places if place in named] for character, places in around.items()}


def _place(home: Path, name: str | Path) -> Path:
    """Returns the normalised path of a folder."""
    return Path(os.path.abspath(home / name))


def _around(places: Iterable[Path]) -> list[Path]:
    """Returns the folders that contain all of these, the outermost first; empty if there are none."""
    shared = [{place, *place.parents} for place in places]
    return sorted(set.intersection(*shared), key=lambda place: len(place.parts)) if shared else []


def _remedy(home: Path, name: str, sources: Iterable[Path], used: Container[Path]) -> str:
    known = sorted({folder.as_posix() for source in sources for folder in (source, *source.parents)
                    if folder.name not in ("", "..") and _place(home, folder) in used})
    return nearest(name, known) if known else "; check the name, which is relative to the folder of the file"
