"""Pictures of a character that was shown: a sheet of all clips, and a film."""
from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path

from PIL import Image, ImageChops

A_CLIP = 4  # pictures of each clip on the sheet
_COLUMNS = 2  # clips beside each other
_KEPT_WIDTH = 5 / 12  # of a picture at least: the empty sides are cut off
_FILM_STEP = 2  # one picture in so many, which are 1/30 s apart
_FILM_MS = 67


def contact_sheet(folder: Path, pictures: Sequence[int]) -> bytes:
    """Returns a PNG with some pictures of each clip, evenly spaced. folder: where CLIP-PICTURE.png are;
    pictures: how many there are of each clip."""
    shown = [_picture(folder, clip, place * count // A_CLIP) for clip, count in enumerate(pictures)
             for place in range(A_CLIP)]
    width, height = max(map(_kept_width, shown)), shown[0].height
    rows = -(-len(pictures) // _COLUMNS)
    sheet = Image.new("RGB", (width * A_CLIP * _COLUMNS, height * rows), shown[0].getpixel((0, 0)))
    for number, picture in enumerate(shown):
        clip, place = divmod(number, A_CLIP)
        left = (picture.width - width) // 2
        sheet.paste(picture.crop((left, 0, left + width, height)),
                    (width * (A_CLIP * (clip % _COLUMNS) + place), height * (clip // _COLUMNS)))
    return _png(sheet)


def film(folder: Path, pictures: Sequence[int]) -> bytes:
    """Returns a GIF of all clips, one after the other."""
    shown = [_picture(folder, clip, number) for clip, count in enumerate(pictures)
             for number in range(0, count, _FILM_STEP)]
    colours = _with_palette(_side_by_side(shown))
    frames = [picture.quantize(palette=colours, dither=Image.Dither.NONE) for picture in shown]
    data = io.BytesIO()
    frames[0].save(data, "GIF", save_all=True, append_images=frames[1:], duration=_FILM_MS, loop=0)
    return data.getvalue()


def _picture(folder: Path, clip: int, number: int) -> Image.Image:
    with Image.open(folder / f"{clip:02}-{number:03}.png") as picture:
        return picture.convert("RGB")


def _kept_width(picture: Image.Image) -> int:
    """The width in the middle of a picture that has all that is drawn on its background."""
    background = Image.new("RGB", picture.size, picture.getpixel((0, 0)))
    drawn = ImageChops.difference(picture, background).getbbox() or (picture.width // 2, 0, picture.width // 2, 0)
    least = round(picture.width * _KEPT_WIDTH)
    left = min(drawn[0], picture.width - drawn[2], (picture.width - least) // 2)
    return max(least, picture.width - 2 * left)


def _side_by_side(pictures: Sequence[Image.Image]) -> Image.Image:
    """Some pictures in one, whose colours are those of all."""
    some = pictures[::max(1, len(pictures) // 16)]
    whole = Image.new("RGB", (some[0].width * len(some), some[0].height))
    for place, picture in enumerate(some):
        whole.paste(picture, (place * some[0].width, 0))
    return whole


def _with_palette(picture: Image.Image) -> Image.Image:
    return picture.quantize(256, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)


def _png(picture: Image.Image) -> bytes:
    """With a palette, which a console's picture fits without a change."""
    colours = picture.getcolors(256)
    data = io.BytesIO()
    (picture.quantize(256) if colours is not None else picture).save(data, "PNG", optimize=True)
    return data.getvalue()
