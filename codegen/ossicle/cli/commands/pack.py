"""`ossicle pack`: writes streaming tiers to an image for a device."""
from __future__ import annotations

import argparse
from pathlib import Path


from ...bank.file import read_bank
from ...bank.image import Image, Packed, make_image
from ...bank.device_units import DEFAULT_UNIT, UNITS
from ...bank.strip import tier_file
from ...bank.tiers import error_text
from ...base.option_values import EMBED_BASE
from ...base.files.output import check_outputs, write_all
from ...base.problem import setting_problems_of
from ...generate.code import Code
from ...generate.emit import code_files
from ...generate.image_header import c_names_of, image_header
from ...generate.layouts import layout_for
from ...reporting.tables import Table, console


def pack(arguments: argparse.Namespace) -> None:
    """Writes the image, its header and the bases, or none of them."""
    names = c_names_of(arguments.banks)
    banks = [(path, name, read_bank(path)) for path, name in zip(arguments.banks, names)]
    unit = UNITS[DEFAULT_UNIT] if arguments.unit is None else arguments.unit
    image = make_image(banks, unit, arguments.at or 0, arguments.tier_files)
    written = [(arguments.output, image.content)]
    if arguments.header is not None:
        written.append((arguments.header, image_header(image, arguments.output)))
    if arguments.embed or arguments.bases is not None:
        folder = arguments.bases or arguments.output.parent
        written += [(folder / name, content) for packed in image.banks
                    for name, content in _base_files(packed, arguments.embed).items()]
    check_outputs(_files_read(image), [path for path, _ in written])
    write_all(dict(written))
    if not arguments.quiet:
        console().print(_table(image))
        for path, _ in written:
            print(f"wrote {path}")


def _files_read(image: Image) -> dict[Path, Path]:
    read = {packed.path: packed.path for packed in image.banks}
    for packed in image.banks:
        files = (tier_file(packed.path, number) for number, tier in enumerate(packed.bank.tiers, 1) if not tier.there)
        read |= {file: packed.path for file in files if file.exists()}
    return read


def _base_files(packed: Packed, embed: bool) -> dict[str, bytes]:
    """Returns the files for the internal flash of a device."""
    if not embed:
        return {f"{packed.path.stem}.base{packed.path.suffix}": packed.base}
    with setting_problems_of(packed.path):
        return code_files(packed.bank, Code(packed.name, EMBED_BASE, layout_for(None, None, ())))


def _table(image: Image) -> Table:
    """Returns a table with a row for each base and each tier."""
    table = Table([("bank", "left"), ("part", "left"), ("place", "right"), ("bytes", "right"),
                   ("chunks", "right"), ("error mm", "right")])
    for packed in image.banks:
        error_mm = packed.bank.tier_set.base_error_mm
        table.add_row(packed.name, "base", "", f"{len(packed.base):,}", "", error_text(error_mm))
        for number, (tier, place) in enumerate(zip(packed.bank.tiers, packed.places), 1):
            table.add_row("", f"tier {number}", f"{place:,}", f"{4 * tier.words:,}", f"{len(tier.chunks):,}",
                          error_text(tier.error_mm))
    table.add_row("image", f"units of {image.unit:,}", f"{image.place:,}", f"{len(image.content):,}", "", "")
    return table
