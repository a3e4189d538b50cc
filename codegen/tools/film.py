"""Combines pictures of a character to a sheet of all clips, and a film."""
from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path

from PIL import Image, ImageChops

A_CLIP = 4  # pictures of each clip on the sheet
_COLUMNS = 2  # of clips
_LEAST_WIDTH = 5 / 12  # of a picture, after its empty sides are cut off
_PICTURES_HZ = 30


def contact_sheet(folder: Path, pictures: Sequence[int]) -> bytes:
    """Returns a PNG with some pictures of each clip, evenly spaced. folder: contains CLIP-PICTURE.png; pictures: the
    number for each clip."""
    shown = [_picture(folder, clip, index * count // A_CLIP) for clip, count in enumerate(pictures)
             for index in range(A_CLIP)]
    width, height = max(map(_drawn_width, shown)), shown[0].height
    rows = -(-len(pictures) // _COLUMNS)
    sheet = Image.new("RGB", (width * A_CLIP * _COLUMNS, height * rows), shown[0].getpixel((0, 0)))
    for number, picture in enumerate(shown):
        clip, index = divmod(number, A_CLIP)
        left = (picture.width - width) // 2
        sheet.paste(picture.crop((left, 0, left + width, height)),
                    (width * (A_CLIP * (clip % _COLUMNS) + index), height * (clip // _COLUMNS)))
    return _png(sheet)


def film(folder: Path, pictures: Sequence[int], step: int = 2) -> bytes:
    """Returns a GIF of all clips, one after the other. step: 2 uses every second picture."""
    shown = [_picture(folder, clip, number) for clip, count in enumerate(pictures) for number in range(0, count, step)]
    colours = _with_palette(_side_by_side(shown))
    frames = [picture.quantize(palette=colours, dither=Image.Dither.NONE) for picture in shown]
    data = io.BytesIO()
    picture_ms = round(1000 * step / _PICTURES_HZ)
    frames[0].save(data, "GIF", save_all=True, append_images=frames[1:], duration=picture_ms, loop=0)
    return data.getvalue()


def _picture(folder: Path, clip: int, number: int) -> Image.Image:
    with Image.open(folder / f"{clip:02}-{number:03}.png") as picture:
        return picture.convert("RGB")


def _drawn_width(picture: Image.Image) -> int:
    """Returns the width around the centre of a picture that contains everything drawn on its background."""
    background = Image.new("RGB", picture.size, picture.getpixel((0, 0)))
    drawn = ImageChops.difference(picture, background).getbbox() or (picture.width // 2, 0, picture.width // 2, 0)
    least = round(picture.width * _LEAST_WIDTH)
    left = min(drawn[0], picture.width - drawn[2], (picture.width - least) // 2)
    return max(least, picture.width - 2 * left)


def _side_by_side(pictures: Sequence[Image.Image]) -> Image.Image:
    """Joins some pictures, whose colours represent all."""
    selected = pictures[::max(1, len(pictures) // 16)]
    whole = Image.new("RGB", (selected[0].width * len(selected), selected[0].height))
    for index, picture in enumerate(selected):
        whole.paste(picture, (index * selected[0].width, 0))
    return whole


def _with_palette(picture: Image.Image) -> Image.Image:
    return picture.quantize(256, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)


def _png(picture: Image.Image) -> bytes:
    """Returns a PNG, with a palette if the colours fit, as those of consoles do."""
    colours = picture.getcolors(256)
    data = io.BytesIO()
    (picture.quantize(256) if colours is not None else picture).save(data, "PNG", optimize=True)
    return data.getvalue()
