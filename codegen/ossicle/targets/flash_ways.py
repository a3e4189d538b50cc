"""The ways by which a program gets to a machine: [flash.NAME] in its target.toml."""
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
class FlashWay:
    """Either a command or a copy.

    command: a program and its arguments, with $elf, $hex and so on for the images and $rom_origin for
    the address of the flash. copy: the suffix of the image that goes to a drive. drive: the label of
    that drive; None: any card, whose folder the user names.
    """

    name: str
    command: tuple[str, ...]
    copy: str | None
    drive: str | None


def read_ways(table: dict[str, Any], images: Sequence[str], has_origin: bool, place: str) -> tuple[FlashWay, ...]:
    """Reads [flash], whose first entry is the way unless the user chooses another. images: the suffixes
    that the target has besides .elf. Raises TargetError, which names the file and the key."""
    check_keys(table, {}, dict.fromkeys(table, dict), f"{place} [flash]")
    return tuple(_way(name, way, (*images, ELF), has_origin, f"{place} [flash.{name}]") for name, way in table.items())


def _way(name: str, way: dict[str, Any], images: Sequence[str], has_origin: bool, place: str) -> FlashWay:
    check_keys(way, {}, _KEYS, place)
    if ("command" in way) == ("copy" in way):
        raise TargetError(f"{place}: needs either command or copy")
    if "drive" in way and "copy" not in way:
        raise TargetError(f"{place}: drive needs copy")
    copied = way.get("copy")
    if copied is not None and copied not in images:
        raise TargetError(f"{place}: copy: {copied!r} is not written for the target{nearest(copied, images)}")
    command = tuple(map(str, way.get("command", [])))
    if not command and copied is None:
        raise TargetError(f"{place}: command is empty")
    known = [suffix[1:] for suffix in images] + [ORIGIN] * has_origin
    for word in command:
        if not Template(word).is_valid():
            raise TargetError(f"{place}: command: {word!r}: a $ that begins no name is written $$")
        for placeholder in Template(word).get_identifiers():
            if placeholder not in known:
                raise TargetError(f"{place}: command: {word!r}: unknown placeholder "
                                  f"{placeholder!r}{nearest(placeholder, known)}")
    return FlashWay(name, command, copied, way.get("drive"))
