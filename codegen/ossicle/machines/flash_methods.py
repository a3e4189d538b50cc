"""Reads the methods of flashing a program to a machine: [flash.NAME] in its target.toml."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from string import Template
from typing import Any

from ..base.problem import nearest
from .images import ELF
from .toml_keys import check_keys
from .tools import TargetError

_KEYS = {"command": list, "copy": str, "drive": str}
ORIGIN = "rom_origin"


@dataclass(frozen=True)
class FlashMethod:
    """A command or a copy. command: a program and its arguments, with $elf, $hex and so on for the images and
    $rom_origin for the address of the flash; copy: the suffix of the image to copy to a drive; drive: the label of that
    drive, or None for any card, whose folder the user names."""

    name: str
    command: tuple[str, ...]
    copy: str | None
    drive: str | None


def read_methods(table: dict[str, Any], images: Sequence[str], has_origin: bool,
                 place: str) -> tuple[FlashMethod, ...]:
    """Reads [flash], whose first entry is the default. images: the target's suffixes other than .elf. Raises
    TargetError, which names the file and the key."""
    check_keys(table, {}, dict.fromkeys(table, dict), f"{place} [flash]")
    return tuple(_method(name, entry, (*images, ELF), has_origin, f"{place} [flash.{name}]")
                 for name, entry in table.items())


def _method(name: str, entry: dict[str, Any], images: Sequence[str], has_origin: bool, place: str) -> FlashMethod:
    check_keys(entry, {}, _KEYS, place)
    if ("command" in entry) == ("copy" in entry):
        raise TargetError(f"{place}: needs either command or copy")
    if "drive" in entry and "copy" not in entry:
        raise TargetError(f"{place}: drive needs copy")
    copied = entry.get("copy")
    if copied is not None and copied not in images:
        raise TargetError(f"{place}: copy: {copied!r} is not written for the target{nearest(copied, images)}")
    command = tuple(map(str, entry.get("command", [])))
    if not command and copied is None:
        raise TargetError(f"{place}: command is empty")
    known = [suffix[1:] for suffix in images] + [ORIGIN] * has_origin
    for word in command:
        if not Template(word).is_valid():
            raise TargetError(f"{place}: command: {word!r}: a $ that does not begin a name must be written as $$")
        for placeholder in Template(word).get_identifiers():
            if placeholder not in known:
                raise TargetError(f"{place}: command: {word!r}: unknown placeholder "
                                  f"{placeholder!r}{nearest(placeholder, known)}")
    return FlashMethod(name, command, copied, entry.get("drive"))
